// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace dormer::emulator::ptx::linker {

/// What changes in a unit's text.
struct Rewriting {
    std::map<std::string, std::string, std::less<>> names; ///< old and new
    std::uint32_t firstFile = 0;                           ///< added to the numbers of source files
};

/// Appends the text with it; comments and strings stay as they are.
void rewrite(std::string_view text, const Rewriting& how, std::string& out);

} // namespace dormer::emulator::ptx::linker
