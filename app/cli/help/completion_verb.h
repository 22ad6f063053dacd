// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verbs.h"

namespace dormer::cli {

/// `completion`, and `manual`, which --help hides. The root must live until the action has run.
void addCompletionVerb(CLI::App& root, Action& action);

} // namespace dormer::cli
