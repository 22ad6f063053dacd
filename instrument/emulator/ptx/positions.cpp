// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/positions.h"

#include "instrument/emulator/ptx/constant.h"

#include <limits>

namespace dormer::emulator::ptx {
namespace {

// A literal: a line follows without a semicolon between.
std::uint32_t number(Cursor& cursor, const char* what) {
    const Constant c = parseLiteral(cursor);
    if (c.kind != Constant::Kind::Integer || c.bits >= std::numeric_limits<std::uint32_t>::max())
        cursor.fail(std::string(what) + " is out of range");
    return static_cast<std::uint32_t>(c.bits);
}

std::array<std::uint32_t, 3> place(Cursor& cursor) {
    const std::uint32_t file = number(cursor, "the file of a position");
    const std::uint32_t line = number(cursor, "the line of a position");
    return {file, line, number(cursor, "the column of a position")};
}

} // namespace

std::size_t PositionReader::Hash::operator()(const Place& place) const {
    std::uint64_t hash = place[0];
    for (const std::uint32_t part : {place[1], place[2]})
        hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 29);
}

std::size_t PositionReader::Hash::operator()(const Key& key) const {
    return (*this)(key.place) ^ (key.inlinedAt * 0x9E3779B97F4A7C15ull) ^
           std::hash<std::string_view>()(key.function);
}

std::uint32_t PositionReader::add(const Key& key, Module& module) {
    const auto [entry, isNew] = m_known.try_emplace(key, static_cast<std::uint32_t>(module.positions.size()));
    if (isNew) {
        SourcePosition position{key.place[0], key.place[1], key.place[2], key.inlinedAt, {}};
        if (const auto name = functionNames.find(key.function);
            name != functionNames.end() && key.offset < name->second.size())
            position.function = name->second.substr(key.offset);
        module.positions.push_back(std::move(position));
    }
    m_latest[key.place] = entry->second;
    return entry->second;
}

// PTX ISA, ".loc": `.loc file line column, function_name label {+ offset}, inlined_at file line column`. What
// inlined_at names is the place of an earlier .loc, which may have been inlined itself.
std::uint32_t PositionReader::read(Cursor& cursor, Module& module) {
    Key key;
    key.place = place(cursor);
    while (cursor.accept(',')) {
        const std::string_view attribute = cursor.name("an attribute of .loc");
        if (attribute == "function_name") {
            key.function = cursor.name("a label");
            if (cursor.accept('+')) key.offset = number(cursor, "an offset");
        } else if (attribute == "inlined_at") {
            const Place call = place(cursor);
            if (const auto latest = m_latest.find(call); latest != m_latest.end())
                key.inlinedAt = latest->second;
            else
                key.inlinedAt = add({.place = call}, module);
        } else {
            cursor.fail("'" + std::string(attribute.substr(0, 100)) + "' is no attribute of .loc");
        }
    }
    return add(key, module);
}

} // namespace dormer::emulator::ptx
