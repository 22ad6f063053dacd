// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verbs.h"

namespace dormer::cli {

// Commands that work on what was recorded before, here or by other tools.
void addCheckVerb(CLI::App& root, Action& action);
void addCompareVerb(CLI::App& root, Action& action);
void addImportVerb(CLI::App& root, Action& action);

} // namespace dormer::cli
