// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace dormer::emulator::ptx {

/// The strings of a `.section .debug_str`, by label: bytes written as numbers, up to the zero. `text` is what
/// its braces hold and begins in `line`; throws ParseFailure.
void readDebugStrings(std::string_view text, std::uint32_t line,
                      std::map<std::string_view, std::string>& out);

} // namespace dormer::emulator::ptx
