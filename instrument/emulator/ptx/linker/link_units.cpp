// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/linker/link_units.h"

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/linker/rewriting.h"
#include "instrument/emulator/ptx/linker/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace dormer::emulator::ptx::linker {

namespace {

using Linkage = Item::Linkage;
using Units = std::vector<std::vector<Item>>;

/// "9.0" and "sm_90a" in the order of what they say.
std::pair<int, int> rankOf(std::string_view text) {
    std::pair<int, int> rank{0, 0};
    const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data() + digits, end, rank.first);
    if (error == std::errc() && behind != end && *behind == '.')
        std::from_chars(behind + 1, end, rank.second);
    else if (error == std::errc() && behind != end && *behind == 'a')
        rank.second = 1;
    return rank;
}

/// Of all units' directives of a kind the one that asks for most.
std::string_view greatest(const Units& units, Item::Kind kind) {
    std::string_view best;
    for (const auto& items : units)
        for (const Item& item : items)
            if (item.kind == kind && (best.empty() || rankOf(item.text) > rankOf(best))) best = item.text;
    return best;
}

/// Which unit's definition of each name the others see.
std::map<std::string_view, std::size_t> definitions(const Units& units) {
    std::map<std::string_view, std::size_t> owners;
    std::set<std::string_view> strong;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        for (const Item& item : units[unit]) {
            if (item.kind != Item::Kind::Symbol || !item.isDefinition || !isShared(item.linkage)) continue;
            const bool isStrong = item.linkage == Linkage::Visible;
            const auto [owner, isNew] = owners.emplace(item.name, unit);
            if (isStrong && !strong.insert(item.name).second && owner->second != unit)
                throw ParseFailure{0, fmt::format("'{}' is defined in two units", item.name)};
            if (isStrong && !isNew) owner->second = unit;
        }
    }
    return owners;
}

/// What a unit keeps to itself and others name, too, gets a name of its own.
Rewriting rewritingOf(const Units& units, std::size_t unit, std::set<std::string_view>& taken) {
    Rewriting how;
    const auto rename = [&](std::string_view name) {
        if (!taken.insert(name).second) how.names.emplace(name, fmt::format("{}$u{}", name, unit));
    };
    for (const Item& item : units[unit]) {
        // Kernels are called by name.
        const bool isEntry = item.text.find(".entry") < item.text.find(item.name);
        if (item.kind == Item::Kind::Symbol && item.linkage == Linkage::Internal && item.isDefinition &&
            !isEntry)
            rename(item.name);
        for (const std::string& label : item.labels)
            rename(label);
    }
    return how;
}

std::string join(const Units& units) {
    const std::map<std::string_view, std::size_t> owners = definitions(units);
    std::set<std::string_view> taken;
    for (const auto& [name, owner] : owners)
        taken.insert(name);
    for (const auto& items : units)
        for (const Item& item : items)
            if (item.linkage == Linkage::Extern) taken.insert(item.name);

    std::string out = fmt::format("{}\n{}\n.address_size 64\n", greatest(units, Item::Kind::Version),
                                  greatest(units, Item::Kind::Target));
    std::uint32_t files = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        Rewriting how = rewritingOf(units, unit, taken);
        how.firstFile = files;
        for (const Item& item : units[unit]) {
            if (item.kind == Item::Kind::Version || item.kind == Item::Kind::Target ||
                item.text.starts_with(".address_size"))
                continue;
            if (item.kind == Item::Kind::File) ++files;
            const auto owner = owners.find(item.name);
            const bool isDefinedElsewhere = item.kind == Item::Kind::Symbol && isShared(item.linkage) &&
                                            owner != owners.end() && owner->second != unit;
            // A declared function may stay: its calls need nothing but the name.
            if (isDefinedElsewhere && (item.isDefinition || !item.isFunction)) continue;
            rewrite(item.text, how, out);
            out += '\n';
        }
    }
    return out;
}

} // namespace

Result<std::string> linkUnits(std::span<const std::string> units) {
    if (units.size() == 1) return units.front();
    try {
        Units read;
        for (const std::string& unit : units)
            read.push_back(readUnit(unit));
        return join(read);
    } catch (const ParseFailure& problem) {
        return failure(ErrorKind::Input, problem.line == 0
                                             ? problem.message
                                             : fmt::format("PTX line {}: {}", problem.line, problem.message));
    }
}

} // namespace dormer::emulator::ptx::linker
