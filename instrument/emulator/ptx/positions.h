// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator::ptx {

/// Makes positions of `.loc` directives, each distinct one once.
class PositionReader {
public:
    /// Text of the `.debug_str` labels, which function_name refers to.
    std::map<std::string_view, std::string> functionNames;

    /// Call where a function body begins: inlining chains don't reach beyond it.
    void beginFunction() { m_latest.clear(); }
    /// From behind `.loc`. Index into Module::positions, which it may append to.
    std::uint32_t read(Cursor& cursor, Module& module);

private:
    using Place = std::array<std::uint32_t, 3>; ///< file, line, column
    struct Key {
        Place place = {};
        std::uint32_t inlinedAt = kNone;
        std::string_view function = {};
        std::size_t offset = 0; ///< into the function's name
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Place& place) const;
        std::size_t operator()(const Key& key) const;
    };
    std::uint32_t add(const Key& key, Module& module);

    std::unordered_map<Key, std::uint32_t, Hash> m_known;
    std::unordered_map<Place, std::uint32_t, Hash>
        m_latest; ///< of this function, the last position at a place
};

} // namespace dormer::emulator::ptx
