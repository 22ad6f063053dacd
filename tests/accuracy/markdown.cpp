// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/markdown.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::accuracy {

namespace {

std::string tallyText(const Tally& tally) {
    return tally.equal == tally.compared ? fmt::format("all {}", tally.compared)
                                         : fmt::format("{} of {}", tally.equal, tally.compared);
}

void tallies(std::string& text, const ExactResult& result) {
    text += "| count | equal |\n|---|--:|\n";
    for (const auto& [name, tally] : result.byCount)
        text += fmt::format("| {} | {} |\n", name.starts_with("smsp") ? "`" + name + "`" : name,
                            tallyText(tally));
    text += "\n| kernel | equal |\n|---|--:|\n";
    for (const auto& [label, tally] : result.byKernel)
        text += fmt::format("| {} | {} |\n", label, tallyText(tally));
}

void differences(std::string& text, const ExactResult& result) {
    if (result.differences.empty()) {
        text += "\nNothing differs.\n";
        return;
    }
    text += "\nWhat differs, and why:\n\n| kernel | where | count | GPU | emulated | reason "
            "|\n|---|---|---|--:|--:|---|\n";
    for (const Difference& each : result.differences)
        text += fmt::format("| {} | {} | {} | {:.0f} | {:.0f} | {} |\n", each.kernel, each.what,
                            each.count.empty() ? "sum" : each.count, each.recorded, each.emulated,
                            each.reason ? describe(*each.reason) : "**unknown: a mistake**");
}

std::string percent(double share) {
    return fmt::format("{:.1f}", share * 100);
}

std::string rateCells(const std::optional<Modelled>& number) {
    if (!number) return "– | –";
    return fmt::format("{} → {} | {}", percent(number->recorded), percent(number->emulated),
                       number->judged ? fmt::format("{:+.1f}", number->difference() * 100) : "not judged");
}

std::string shareText(const Modelled& number) {
    return fmt::format("{:+.0f} %", number.share() * 100);
}

void caches(std::string& text, const CloseResult& close) {
    text += fmt::format("\n## Close: caches\n\nGPU → emulated. Bars: L1 within {:.0f} points, L2 within "
                        "{:.0f}, DRAM bytes within {:.0f} % "
                        "where they exceed L2. Hit rates of launches under 5 µs are not judged: their "
                        "counters hold what starting "
                        "them moves, and on the GPU what fits into L2 may be there from before, while the "
                        "emulator's caches are cold.\n\n"
                        "| kernel | L1 hits, % | points | L2 hits, % | points | DRAM, MB | off "
                        "|\n|---|--:|--:|--:|--:|--:|--:|\n",
                        kL1Points * 100, kL2Points * 100, kDramShare * 100);
    for (const CloseRow& row : close.rows) {
        std::string dram = "– | –";
        if (row.dramBytes)
            dram = fmt::format("{:.2f} → {:.2f} | {}", row.dramBytes->recorded / 1e6,
                               row.dramBytes->emulated / 1e6,
                               row.dramBytes->judged ? shareText(*row.dramBytes) : "fits into L2");
        text += fmt::format("| {} | {} | {} | {} |\n", row.label, rateCells(row.l1HitRate),
                            rateCells(row.l2HitRate), dram);
    }
}

void times(std::string& text, const CloseResult& close) {
    text +=
        fmt::format("\n## Close: time\n\nPredicted durations against the median of the GPU's. Bars: median "
                    "error at most {:.0f} %, the same "
                    "verdict for {:.0f} % of the kernels. Here: **{:.1f} %** and **{:.0f} %**.\n\n"
                    "| kernel | GPU, µs | predicted, µs | off | verdict on the GPU | predicted "
                    "|\n|---|--:|--:|--:|---|---|\n",
                    kMedianTime * 100, kSameSide * 100, close.medianTimeError * 100, close.sameSide * 100);
    for (const CloseRow& row : close.rows)
        text += fmt::format(
            "| {} | {} | {} | {} |\n", row.label,
            row.durationNs ? fmt::format("{:.1f} | {:.1f} | {}", row.durationNs->recorded / 1e3,
                                         row.durationNs->emulated / 1e3, shareText(*row.durationNs))
                           : "– | – | –",
            row.recordedHeadline,
            row.recordedVerdict == row.emulatedVerdict ? "same" : "**" + row.emulatedVerdict + "**");
}

} // namespace

std::string markdown(const Report& report) {
    std::string text = fmt::format("# How exact the emulator is\n\n"
                                   "The suite's kernels, recorded on {} (`samples/h100-lines.dormer`, "
                                   "`samples/h100-suite.dormer`) and run again by the "
                                   "emulator as {}, at the same sizes. Made by `scripts/emulator-accuracy`, "
                                   "which fails when a bar is missed.\n\n",
                                   report.recordedDevice, report.emulatedDevice);
    text += report.barsHeld() ? "All bars are held.\n" : "**Bars are missed:**\n\n";
    for (const ExactResult* exact : {&report.lines, &report.counters})
        if (exact->mistakes() > 0)
            text += fmt::format("- {} counts differ without a reason\n", exact->mistakes());
    for (const std::string& missed : report.close.missed)
        text += "- " + missed + "\n";
    for (const std::string& label : report.unpaired)
        text += "- not in both sessions: " + label + "\n";

    text += "\n## Exact: each instruction\n\n"
            "What each source line's accesses to global, shared and local memory did, for each place "
            "in the kernel that it was inlined into. SASS and PTX have "
            "different instructions for one line, so theirs are added up.\n\n";
    tallies(text, report.lines);
    differences(text, report.lines);
    text += "\n## Exact: whole launches\n\n"
            "Requests, sectors, shared wavefronts, atomics and floating-point operations by precision, at "
            "the suite's full sizes. Integer "
            "and all instructions are not here: they are SASS's own, and the emulator estimates them.\n\n";
    tallies(text, report.counters);
    differences(text, report.counters);
    caches(text, report.close);
    times(text, report.close);
    return text;
}

} // namespace dormer::accuracy
