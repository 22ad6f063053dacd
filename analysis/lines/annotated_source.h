// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/line_totals.h"

/// A kernel's source and machine code with its memory traffic, waste and stalls on every line: what report
/// and app show.
namespace dormer::lines {

/// What a line, or an instruction, costs: sums over the requested launches.
struct LineCost {
    std::uint64_t executions = 0;                      ///< warps, of its memory accesses and branches
    std::uint64_t sectors = 0, sectorsIdeal = 0;       ///< global and local memory
    std::uint64_t wavefronts = 0, wavefrontsIdeal = 0; ///< shared memory
    double traffic = 0;  ///< of all that the kernel's lines move, 0..1: bytes of sectors and wavefronts
    double waste = 0;    ///< of all that the kernel's lines move beyond the ideal, 0..1
    double executed = 0; ///< of all executions that the kernel's lines count, 0..1
};

/// What the sampled warps did at a line or an instruction.
struct StallCost {
    double stalled = 0;   ///< those that waited, of all samples of the kernel, 0..1
    double byReason = 0;  ///< of these, those in the state that most were in; of all samples too
    std::string reason{}; ///< that state, for people: "long scoreboard"; empty when none waited
    double issued = 0; ///< of the kernel's samples in which a warp issued, 0..1: its instructions, by and by
};

struct SourceRow {
    std::uint32_t number = 0; ///< from 1
    std::string text;         ///< tabs kept; empty when the file is not embedded
    std::optional<LineCost> cost;
    std::optional<StallCost> stalls;
    std::string
        what; ///< "load: 32 sectors/request (ideal 4), stride of 8 elements; store: coalesced"; empty without
    std::vector<std::size_t> accesses;   ///< into KernelSource::accesses
    std::vector<std::size_t> code;       ///< into KernelSource::code
    std::optional<std::size_t> waitsFor; ///< what its most stalled instruction waits for, likewise
};

/// One file that the kernel's instructions come from, or were inlined into.
struct SourceFileView {
    std::string path;
    std::string name;            ///< without folders
    bool embedded = false;       ///< its text is in the session; else rows are those lines that have a cost
    std::vector<SourceRow> rows; ///< by number; embedded: all lines of the file
    double waste = 0, traffic = 0, stalled = 0; ///< sums of its rows
};

/// One instruction of SASS or line of PTX.
struct CodeRow {
    std::uint64_t pc = 0;
    std::string text;
    std::string file; ///< of its source line; empty when not known
    std::uint32_t line = 0;
    std::optional<LineCost> cost;
    std::optional<std::size_t> access; ///< into KernelSource::accesses
    std::optional<StallCost> stalls;
    std::optional<std::size_t>
        waitsFor; ///< the instruction that gives what it waits for, into KernelSource::code
};

struct KernelSource {
    session::CodeLanguage language = session::CodeLanguage::None;
    std::vector<SourceFileView>
        files; ///< with most waste first, then most stalls, then most traffic; users' before libraries'
    /// All instructions when the session has the kernel's code, else those with counts.
    std::vector<CodeRow> code;
    std::vector<session::LineCounts>
        accesses; ///< memory accesses and branches by instruction, in program order
    /// What is missing and how to get it: "compiled without line information: add -lineinfo (or -G)",
    /// "collected without counts per line: add --lines". Empty when nothing is.
    std::string hint;
    std::uint64_t samples = 0; ///< of warps, over all launches of the kernel; 0: not sampled
    [[nodiscard]] bool empty() const { return accesses.empty() && samples == 0; }
};

/// Of the launches of one kernel. An access stands at the line that its user can change (user_line.h): the
/// row of a call that inlined it, where a library did it; `accesses` keep the chain.
[[nodiscard]] KernelSource kernelSource(const session::Session& session,
                                        std::span<const session::LaunchIndex> launches);

} // namespace dormer::lines
