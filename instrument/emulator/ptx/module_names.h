// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator::ptx {

/// A name of module scope, and what it stands for.
struct ModuleSymbol {
    enum class Kind : std::uint8_t { Variable, Function };
    Kind kind = Kind::Variable;
    std::uint32_t index = 0; ///< into the module's list of the kind
};
struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
using ModuleNames = std::unordered_map<std::string, ModuleSymbol, NameHash, std::equal_to<>>;

} // namespace dormer::emulator::ptx
