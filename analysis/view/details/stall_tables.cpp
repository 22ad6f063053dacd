// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/stall_tables.h"

#include "analysis/findings/finding_catalogue.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view::details {

namespace {

constexpr double kLeastShare = 0.005;

Cell share(std::uint64_t part, std::uint64_t whole) {
    const double value = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    Cell cell{.text = fmt::format("{:.1f}", 100 * value), .value = value};
    cell.bar = value;
    return cell;
}

Table stateTable(const session::WarpStates& states) {
    Table table;
    table.columns = {
        {.title = "state"},
        {.title = "warps", .unit = "%", .tooltip = "share of the sampled warps", .numeric = true},
        {.title = "no issue",
         .unit = "%",
         .tooltip = "share of the sampled warps, while the scheduler issued no instruction at all",
         .numeric = true},
        {.title = "such a warp"}};
    std::vector<session::WarpState> sorted = states.states;
    std::ranges::stable_sort(sorted, std::greater{}, &session::WarpState::samples);
    const std::uint64_t all = states.samples();
    for (const session::WarpState& each : sorted) {
        Cell part = share(each.samples, all);
        if (part.value < kLeastShare) break;
        const stalls::StateText* text = stalls::findState(each.state);
        Row& row = table.rows.emplace_back();
        row.cells = {{.text = std::string(stalls::stateName(each.state))},
                     std::move(part),
                     share(each.notIssued, all),
                     {.text = std::string(text != nullptr ? text->meaning : "")}};
        row.key = each.state;
    }
    return table;
}

std::vector<UtilizationBar> barsOf(const Table& states) {
    std::vector<UtilizationBar> bars;
    for (const Row& row : states.rows)
        bars.push_back(
            {.name = row.cells[0].text,
             .share = row.cells[1].value.value_or(0),
             .text = row.cells[1].text + " %",
             .solid = row.cells[2].value,
             .side = stalls::isEligible(row.key) ? verdict::Bound::Unknown : verdict::Bound::Latency,
             .tooltip = fmt::format("{} % of the sampled warps: such a warp {}.\nIn {} % no warp of "
                                    "the scheduler issued meanwhile: that costs time.",
                                    row.cells[1].text, row.cells[3].text, row.cells[2].text)});
    return bars;
}

Row lineRow(const stalls::KernelStalls& kernel, const stalls::LineStalls& line) {
    const std::uint64_t all = kernel.states.samples();
    const stalls::InstructionStalls& worst = kernel.instructions[line.instructions.front()];
    std::string waitsFor;
    if (worst.producer)
        waitsFor =
            worst.producer->place.line > 0 && worst.producer->place != line.place
                ? fmt::format("{} at {}", worst.producer->text, stalls::placeText(worst.producer->place))
                : worst.producer->text;
    return {.cells = {{.text = stalls::placeText(line.place)},
                      share(stalls::stalledSamples(line.states), all),
                      {.text = std::string(stalls::stateName(line.mainStall))},
                      share(stalls::samplesOf(line.states, line.mainStall), all),
                      {.text = worst.text},
                      {.text = std::move(waitsFor)}}};
}

void addLines(const stalls::KernelStalls& kernel, std::size_t most, StallTables& tables) {
    Table& table = tables.lines;
    table.columns = {
        {.title = "line"},
        {.title = "stalled", .unit = "%", .tooltip = "share of the kernel's sampled warps", .numeric = true},
        {.title = "mostly by"},
        {.title = "by it", .unit = "%", .numeric = true},
        {.title = "instruction", .tooltip = "of the line, the one that stalls most"},
        {.title = "waits for", .tooltip = "the instruction whose result it needs"}};
    for (const stalls::LineStalls& line : kernel.lines) {
        if (table.rows.size() >= most || stalls::stalledSamples(line.states) == 0) break;
        if (line.place.line > 0) {
            table.rows.push_back(lineRow(kernel, line));
            tables.places.push_back({line.place, kernel.instructions[line.instructions.front()].pc});
            continue;
        }
        for (const std::size_t i : line.instructions) { // without a line each stands for itself
            const stalls::InstructionStalls& one = kernel.instructions[i];
            if (table.rows.size() >= most || stalls::stalledSamples(one.states) == 0) break;
            Row& row = table.rows.emplace_back(lineRow(kernel, {{}, one.states, one.mainStall, {i}}));
            row.cells.front().text = fmt::format("+{:#x}", one.pc);
            tables.places.push_back({{}, one.pc});
        }
    }
}

} // namespace

StallTables stallTables(const session::Session& session, const stalls::KernelStalls& kernel,
                        std::size_t mostLines) {
    StallTables tables;
    const std::uint64_t all = kernel.states.samples(), stalled = stalls::stalledSamples(kernel.states);
    tables.summary = fmt::format("{} {}samples of warps, {:.0f} % of them stalled", all,
                                 stalls::isModelled(session, kernel.kernel) ? "modelled " : "",
                                 100 * static_cast<double>(stalled) /
                                     static_cast<double>(std::max<std::uint64_t>(all, 1)));
    if (const stalls::StateText* text = stalls::findState(kernel.mainStall)) {
        tables.summary += fmt::format(", mostly by {}", text->name);
        tables.main = fmt::format("Such a warp {}.", text->meaning);
        if (const findings::FindingText* finding = findings::findStall(kernel.mainStall))
            tables.main += fmt::format(" {}", finding->advice);
    }
    tables.title = fmt::format("{}: {}", session::shortKernelName(session.kernels()[kernel.kernel].name),
                               tables.summary);
    tables.states = stateTable(kernel.states);
    tables.bars = barsOf(tables.states);
    addLines(kernel, mostLines, tables);
    return tables;
}

std::string barText(const UtilizationBar& bar, std::size_t columns) {
    const auto cells = [&](double share) {
        return static_cast<std::size_t>(
            std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns)));
    };
    const std::size_t whole = cells(bar.share), solid = std::min(whole, cells(bar.solid.value_or(bar.share)));
    std::string text;
    for (std::size_t i = 0; i < whole; ++i)
        text += i < solid ? "█" : "░";
    return text;
}

std::vector<StallTables> allStallTables(const session::Session& session, std::size_t mostKernels,
                                        std::size_t mostLines) {
    std::vector<stalls::KernelStalls> kernels;
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        if (!session.warpSamples(i).empty()) kernels.push_back(stalls::kernelStalls(session, i));
    std::ranges::stable_sort(kernels, std::greater{}, [](const auto& each) { return each.states.samples(); });
    kernels.resize(std::min(kernels.size(), mostKernels));
    std::vector<StallTables> all;
    for (const stalls::KernelStalls& kernel : kernels)
        all.push_back(stallTables(session, kernel, mostLines));
    return all;
}

} // namespace dormer::view::details
