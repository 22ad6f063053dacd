// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/source_heat.h"

#include "analysis/stalls/kernel_stalls.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view::details {

HeatText textOf(Heat heat, const lines::KernelSource& source) {
    switch (heat) {
    case Heat::Waste:
        return {"waste", "Share of the kernel's excessive traffic"};
    case Heat::Traffic:
        return {"traffic", "Share of all that the kernel's lines move"};
    case Heat::Stalls:
        return {"stalls", "Share of the kernel's sampled warps that wait here"};
    case Heat::Instructions:
        return {"instr.", source.samples > 0
                              ? "Share of the kernel's instructions, by the samples in which a warp issued"
                              : "Share of the executions of memory accesses and branches"};
    }
    return {};
}

std::vector<Heat> heatsOf(const lines::KernelSource& source) {
    const auto any = [&](Heat heat) {
        return std::ranges::any_of(source.code, [&](const auto& row) { return heatOf(row, heat) > 0; });
    };
    std::vector<Heat> heats;
    if (any(Heat::Waste)) heats.push_back(Heat::Waste);
    // Where only source lines match, the instructions are not those that were sampled.
    if (source.samples > 0) heats.push_back(Heat::Stalls);
    if (heats.empty() || heats.front() != Heat::Waste)
        if (any(Heat::Traffic)) heats.push_back(Heat::Traffic);
    if (source.samples > 0 || any(Heat::Instructions)) heats.push_back(Heat::Instructions);
    return heats;
}

double heatOfFile(const lines::SourceFileView& file, Heat heat) {
    double sum = 0;
    for (const lines::SourceRow& row : file.rows)
        sum += heatOf(row, heat);
    return sum;
}

std::string stallText(const std::optional<lines::StallCost>& stalls) {
    if (!stalls || stalls->stalled <= 0) return {};
    std::string text = fmt::format("{:.1f} % of the sampled warps wait here", 100 * stalls->stalled);
    if (stalls->byReason < stalls->stalled)
        return text + fmt::format(", {:.1f} % by {}", 100 * stalls->byReason, stalls->reason);
    return text + fmt::format(", by {}", stalls->reason);
}

std::string producerText(const lines::KernelSource& source, std::size_t code) {
    const lines::CodeRow& row = source.code[code];
    if (row.file.empty() || row.line == 0) return row.text;
    return fmt::format("{} at {}", row.text, stalls::placeText({row.file, row.line}));
}

} // namespace dormer::view::details
