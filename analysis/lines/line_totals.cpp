// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dormer::lines {

namespace {

void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
    if (more) sum = sum.value_or(0) + *more;
}

std::string_view withoutFolders(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::uint64_t above(const std::optional<std::uint64_t>& actual, const std::optional<std::uint64_t>& ideal) {
    return actual && ideal && *actual > *ideal ? *actual - *ideal : 0;
}

bool sameKind(const session::LineCounts& a, const session::LineCounts& b) {
    return std::tie(a.instruction, a.space, a.op, a.widthBytes) ==
           std::tie(b.instruction, b.space, b.op, b.widthBytes);
}

void addInstruction(SourceLine& line, const session::LineCounts& counts) {
    addCounts(line.total, counts);
    if (line.total.space != counts.space) line.total.space = session::MemorySpace::None;
    if (line.total.op != counts.op) line.total.op = session::MemoryOperation::None;
    auto access = std::ranges::find_if(
        line.accesses, [&](const AccessCounts& each) { return sameKind(each.counts, counts); });
    if (access == line.accesses.end()) {
        line.accesses.push_back({counts, 1});
        return;
    }
    addCounts(access->counts, counts);
    ++access->instructions;
}

} // namespace

void addCounts(session::LineCounts& sum, const session::LineCounts& more) {
    for (const auto member :
         {&session::LineCounts::executions, &session::LineCounts::threads, &session::LineCounts::sectors,
          &session::LineCounts::sectorsIdeal, &session::LineCounts::tags, &session::LineCounts::wavefronts,
          &session::LineCounts::wavefrontsIdeal, &session::LineCounts::serialized,
          &session::LineCounts::divergent})
        add(sum.*member, more.*member);
}

std::vector<session::LineCounts> sumByInstruction(const session::Session& session,
                                                  std::span<const session::LaunchIndex> launches) {
    std::map<std::uint64_t, session::LineCounts> byPc;
    for (const session::LaunchIndex launch : launches)
        for (const session::LineCounts& line : session.lines(launch))
            if (const auto [at, isNew] = byPc.try_emplace(line.pc, line); !isNew) addCounts(at->second, line);
    std::vector<session::LineCounts> sums;
    sums.reserve(byPc.size());
    for (auto& [pc, line] : byPc)
        sums.push_back(std::move(line));
    return sums;
}

std::vector<SourceLine> sumByLine(const session::Session& session,
                                  std::span<const session::LaunchIndex> launches) {
    const std::vector<session::LineCounts> instructions = sumByInstruction(session, launches);
    const auto placeOf = [](const session::LineCounts& counts) {
        return std::tuple<const std::string&, std::uint32_t, const session::CallChain&, std::uint64_t>(
            counts.file, counts.line, counts.inlinedAt, counts.file.empty() ? counts.pc : 0);
    };
    const auto byPlace = [&](const session::LineCounts* a, const session::LineCounts* b) {
        return placeOf(*a) < placeOf(*b);
    };
    std::map<const session::LineCounts*, std::size_t, decltype(byPlace)> places(byPlace);
    std::vector<SourceLine> lines;
    for (const session::LineCounts& counts : instructions) {
        const auto [at, isNew] = places.try_emplace(&counts, lines.size());
        if (isNew) {
            session::LineCounts total;
            total.file = counts.file;
            total.line = counts.line;
            total.inlinedAt = counts.inlinedAt;
            total.function = counts.function;
            total.pc = counts.pc;
            total.space = counts.space;
            total.op = counts.op;
            lines.push_back({std::move(total), {}});
        }
        addInstruction(lines[at->second], counts);
    }
    std::ranges::stable_sort(lines, std::greater{},
                             [](const SourceLine& line) { return excessOf(line.total); });
    return lines;
}

std::uint64_t excessOf(const session::LineCounts& counts) {
    return above(counts.sectors, counts.sectorsIdeal) + above(counts.wavefronts, counts.wavefrontsIdeal);
}

std::string accessText(const session::LineCounts& counts) {
    const std::string_view space = toString(counts.space), op = toString(counts.op);
    return fmt::format("{}{}{}", space, space.empty() || op.empty() ? "" : " ", op);
}

std::string placeText(const session::LineCounts& line) {
    if (line.file.empty()) return fmt::format("pc 0x{:x}", line.pc);
    return fmt::format("{}:{}", withoutFolders(line.file), line.line);
}

std::string chainText(const session::LineCounts& line) {
    session::CallChain calls = line.inlinedAt;
    for (session::SourceFrame& call : calls)
        call.file = withoutFolders(call.file);
    return toString(calls);
}

} // namespace dormer::lines
