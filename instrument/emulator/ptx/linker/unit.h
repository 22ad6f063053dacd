// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::emulator::ptx::linker {

/// A directive of a unit outside of functions, with all that belongs to it.
struct Item {
    enum class Kind : std::uint8_t { Version, Target, File, Symbol, DebugStrings, Other };
    enum class Linkage : std::uint8_t { Internal, Visible, Weak, Common, Extern };
    Kind kind = Kind::Other;
    std::string_view text;
    std::string_view name; ///< of a symbol
    Linkage linkage = Linkage::Internal;
    bool isFunction = false;
    bool isDefinition = false;            ///< of a symbol: not only declared
    std::vector<std::string> labels = {}; ///< of debug strings
};

/// Splits the PTX of a unit; throws ParseFailure. The items are views into the text.
[[nodiscard]] std::vector<Item> readUnit(std::string_view text);

/// Names of things that other units may see when this one defines them.
[[nodiscard]] inline bool isShared(Item::Linkage linkage) {
    return linkage != Item::Linkage::Internal;
}

} // namespace dormer::emulator::ptx::linker
