// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group managedGroup();
Group staticManagedGroup();

} // namespace dormer::kernels
