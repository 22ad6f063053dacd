// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verbs.h"

namespace dormer::cli {

void addCeilingsVerb(CLI::App& root, Action& action);

} // namespace dormer::cli
