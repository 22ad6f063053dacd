// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/help/command_texts.h"

namespace dormer::cli {

/// Scripts that complete the command line: commands, options and the values of those that list them, else
/// files.
[[nodiscard]] std::string bashCompletion(const CommandText& root);
[[nodiscard]] std::string zshCompletion(const CommandText& root);
[[nodiscard]] std::string fishCompletion(const CommandText& root);

} // namespace dormer::cli
