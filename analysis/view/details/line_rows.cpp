// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/line_rows.h"

#include "analysis/access/excess.h"
#include "analysis/lines/line_class.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view::details {

namespace {

using Count = std::optional<std::uint64_t>;

std::string whole(const Count& count) {
    return count ? std::to_string(*count) : std::string();
}

std::optional<double> ratioOf(const Count& actual, const Count& ideal) {
    if (!actual || !ideal || *ideal == 0) return std::nullopt;
    return static_cast<double>(*actual) / static_cast<double>(*ideal);
}

std::string ratioText(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}", *ratio) : std::string();
}

/// Shared memory has no sectors and global memory no wavefronts: a zero there is no count of anything.
LineRow rowOf(const session::LineCounts& counts, std::string place, std::string instruction) {
    const bool hasSectors = counts.sectors.value_or(0) > 0;
    const bool hasWavefronts = counts.wavefronts.value_or(0) > 0;
    const auto sectors = hasSectors ? ratioOf(counts.sectors, counts.sectorsIdeal) : std::nullopt;
    const auto wavefronts = hasWavefronts ? ratioOf(counts.wavefronts, counts.wavefrontsIdeal) : std::nullopt;
    LineRow row;
    row.cells = {std::move(place),
                 std::move(instruction),
                 lines::accessText(counts),
                 counts.widthBytes ? std::to_string(*counts.widthBytes) : std::string(),
                 whole(counts.executions),
                 hasSectors ? whole(counts.sectors) : std::string(),
                 hasSectors ? whole(counts.sectorsIdeal) : std::string(),
                 ratioText(sectors),
                 hasWavefronts ? whole(counts.wavefronts) : std::string(),
                 hasWavefronts ? whole(counts.wavefrontsIdeal) : std::string(),
                 ratioText(wavefronts),
                 counts.divergent.value_or(0) > 0 ? whole(counts.divergent) : std::string(),
                 lines::classText(counts)};
    row.wastes = access::isExcess(sectors, 1.0) || access::isExcess(wavefronts, 1.0);
    return row;
}

std::string instructionText(const lines::AccessCounts& access) {
    const std::string& name = access.counts.instruction;
    return access.instructions > 1 ? fmt::format("{} × {}", access.instructions, name) : name;
}

bool isQuietBranch(const session::LineCounts& counts) {
    return counts.op == session::MemoryOperation::Branch && counts.divergent.value_or(0) == 0;
}

/// Counts of a line. No ideal stands beside a sum that has spills and the like in it, which have none.
session::LineCounts totalOf(const lines::SourceLine& source) {
    session::LineCounts total = source.total;
    for (const auto& [counts, instructions] : source.accesses) {
        if (counts.sectors.value_or(0) > 0 && !counts.sectorsIdeal) total.sectorsIdeal.reset();
        if (counts.wavefronts.value_or(0) > 0 && !counts.wavefrontsIdeal) total.wavefrontsIdeal.reset();
    }
    return total;
}

KernelLines::Line lineOf(const lines::SourceLine& source) {
    KernelLines::Line line{lines::chainText(source.total), {}};
    std::vector<const lines::AccessCounts*> shown;
    for (const lines::AccessCounts& access : source.accesses)
        if (!isQuietBranch(access.counts)) shown.push_back(&access);
    if (shown.size() > 1) {
        line.rows.push_back(rowOf(totalOf(source), lines::placeText(source.total), {}));
        line.rows.back().isTotal = true;
    }
    for (const lines::AccessCounts* access : shown) {
        const bool isDetail = shown.size() > 1;
        line.rows.push_back(rowOf(access->counts, isDetail ? std::string() : lines::placeText(source.total),
                                  instructionText(*access)));
        line.rows.back().isDetail = isDetail;
    }
    return line;
}

} // namespace

KernelLines kernelLines(const session::Session& session, std::string label,
                        std::span<const session::LaunchIndex> launches, std::size_t mostLines) {
    KernelLines kernel;
    kernel.label = std::move(label);
    kernel.launches = static_cast<std::size_t>(std::ranges::count_if(
        launches, [&](session::LaunchIndex each) { return !session.lines(each).empty(); }));
    for (const lines::SourceLine& source : lines::sumByLine(session, launches)) {
        KernelLines::Line line = lineOf(source);
        if (line.rows.empty()) continue;
        kernel.hasPlaces |= !source.total.file.empty();
        if (kernel.lines.size() < mostLines)
            kernel.lines.push_back(std::move(line));
        else
            ++kernel.hiddenLines;
    }
    return kernel;
}

std::vector<KernelLines> allKernelLines(const diagnosis::Diagnosis& diagnosis, std::size_t mostKernels,
                                        std::size_t mostLines) {
    std::vector<KernelLines> all;
    for (const std::size_t index : metrics::longestFirst(diagnosis.groups())) {
        if (all.size() == mostKernels) break;
        const metrics::LaunchGroup& group = diagnosis.groups()[index];
        KernelLines kernel = kernelLines(diagnosis.session(), group.label, group.launches, mostLines);
        if (kernel.launches > 0) all.push_back(std::move(kernel));
    }
    return all;
}

std::string whyNoLines(const std::vector<KernelLines>& kernels) {
    constexpr std::size_t kMostNamed = 5;
    std::string names;
    std::size_t count = 0;
    for (const KernelLines& kernel : kernels) {
        if (kernel.hasPlaces || kernel.lines.empty()) continue;
        if (++count <= kMostNamed) names += (names.empty() ? "" : ", ") + kernel.label;
    }
    if (count == 0) return {};
    if (count > kMostNamed) names += fmt::format(" and {} more", count - kMostNamed);
    return names + ": compiled without line information; with -lineinfo (or -G) these are source lines";
}

std::string linesTitle(const KernelLines& kernel) {
    return kernel.launches == 1 ? kernel.label + ", 1 launch"
                                : fmt::format("{}, {} launches added up", kernel.label, kernel.launches);
}

} // namespace dormer::view::details
