// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/help/command_texts.h"

namespace dormer::cli {

/// Manual page dormer(1), or that of one of its commands, dormer-show(1), in man(7)'s language.
[[nodiscard]] std::string manualPage(const CommandText& root, std::string_view version);
[[nodiscard]] std::string manualPage(const CommandText& root, const CommandText& command,
                                     std::string_view version);

} // namespace dormer::cli
