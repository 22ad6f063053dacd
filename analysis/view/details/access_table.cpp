// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/access_table.h"

#include "analysis/lines/line_class.h"
#include "analysis/view/number_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dormer::view::details {

using session::LineCounts;

namespace {

/// "shared load, 4 B"
std::string kindOf(const LineCounts& access) {
    std::string kind(lines::accessText(access));
    if (access.widthBytes) kind += fmt::format(", {} B", *access.widthBytes);
    return kind;
}

/// What it moves per execution: sectors, or wavefronts of shared memory.
struct Moved {
    std::optional<double> actual, ideal;
    std::string_view unit;
};

Moved movedBy(const LineCounts& access) {
    const bool shared = access.wavefronts.has_value() && !access.sectors;
    const auto& actual = shared ? access.wavefronts : access.sectors;
    const auto& ideal = shared ? access.wavefrontsIdeal : access.sectorsIdeal;
    const auto each = [&](const std::optional<std::uint64_t>& sum) -> std::optional<double> {
        if (!sum || !access.executions || *access.executions == 0) return std::nullopt;
        return static_cast<double>(*sum) / static_cast<double>(*access.executions);
    };
    return {each(actual), each(ideal), shared ? "wavefronts" : "sectors"};
}

std::string figure(double value) {
    return fmt::format("{:.{}f}", value, value == static_cast<int>(value) ? 0 : 1);
}

/// "32 / 1 wavefronts"
Cell movedCell(const LineCounts& access) {
    if (access.op == session::MemoryOperation::Branch)
        return {.text = {}, .tooltip = "A branch moves nothing"};
    const Moved moved = movedBy(access);
    if (!moved.actual) return missing("Not collected");
    return {
        .text = fmt::format("{} / {} {}", figure(*moved.actual),
                            moved.ideal ? figure(*moved.ideal) : std::string(kDash), moved.unit),
        .value = moved.actual,
        .tooltip = fmt::format(
            "{} per execution by a warp, on average, against the ideal for the bytes requested", moved.unit)};
}

std::string patternOf(const LineCounts& access) {
    if (access.op != session::MemoryOperation::Branch) return lines::classText(access);
    return access.divergent && *access.divergent > 0 ? fmt::format("{} divergent", *access.divergent)
                                                     : std::string("uniform");
}

Row rowOf(const LineCounts& access, std::size_t index) {
    const std::string pattern = patternOf(access);
    std::string tooltip = lines::placeText(access);
    for (const std::string& line : {access.instruction, lines::chainText(access), access.function})
        if (!line.empty()) tooltip += '\n' + line;
    if (access.executions) tooltip += fmt::format("\n{} executions by warps", *access.executions);
    return {.cells = {{.text = kindOf(access), .tooltip = std::move(tooltip)},
                      pattern.empty() ? missing("Undetermined from the counts")
                                      : Cell{.text = pattern, .tooltip = pattern},
                      movedCell(access)},
            .key = std::to_string(index)};
}

} // namespace

Table accessTable(const lines::KernelSource& source, std::span<const std::size_t> accesses) {
    Table table;
    table.columns = {
        {.title = "access", .tooltip = "Memory space, operation, and bytes per lane"},
        {.title = "pattern", .tooltip = "How the addresses of a warp's lanes lie to each other"},
        {.title = "moved / ideal", .tooltip = "Per execution by a warp, on average", .numeric = true}};
    for (const std::size_t index : accesses)
        table.rows.push_back(rowOf(source.accesses[index], index));
    return table;
}

std::optional<std::size_t> worstAccess(const lines::KernelSource& source,
                                       std::span<const std::size_t> accesses) {
    const auto weight = [&](std::size_t index) {
        const LineCounts& access = source.accesses[index];
        return std::tuple(lines::excessOf(access),
                          access.sectors.value_or(0) + access.wavefronts.value_or(0));
    };
    const auto worst = std::ranges::max_element(accesses, {}, weight);
    if (worst == accesses.end()) return std::nullopt;
    return *worst;
}

} // namespace dormer::view::details
