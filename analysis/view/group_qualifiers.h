// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

namespace dormer::view {

/// What tells groups of one label apart, by group; empty where no other has the label. Grid and block first;
/// where these do not, dynamic shared memory and device. Different kernels have labels of their own.
[[nodiscard]] std::vector<std::string> groupQualifiers(const diagnosis::Diagnosis& diagnosis);

} // namespace dormer::view
