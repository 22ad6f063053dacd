// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/line_counts.h"

#include "analysis/lines/lane_sample.h"
#include "instrument/collect/launch_filter.h"

#include <fmt/format.h>

#include <map>

namespace dormer::emulator::runtime {

namespace {

/// Longer chains than this are a broken module's.
constexpr int kMaxInlining = 64;

const char* nameOf(counts::MemorySpace space) {
    switch (space) {
    case counts::MemorySpace::Global:
        return "global";
    case counts::MemorySpace::Local:
        return "local";
    case counts::MemorySpace::Shared:
        return "shared";
    case counts::MemorySpace::Constant:
        return "constant";
    case counts::MemorySpace::Texture:
        return "texture";
    }
    return "";
}

const char* nameOf(counts::MemoryOp op) {
    switch (op) {
    case counts::MemoryOp::Load:
        return "load";
    case counts::MemoryOp::Store:
        return "store";
    case counts::MemoryOp::Atomic:
        return "atomic";
    case counts::MemoryOp::Reduce:
        return "reduction";
    }
    return "";
}

void place(session::LineCounts& line, std::uint32_t position, const ptx::Module& source,
           const std::map<std::uint32_t, std::string>& files) {
    if (position >= source.positions.size()) return;
    const ptx::SourcePosition& first = source.positions[position];
    if (first.line == 0) return;
    const auto fileOf = [&files](std::uint32_t number) {
        const auto found = files.find(number);
        return found == files.end() ? std::string() : found->second;
    };
    line.file = fileOf(first.file);
    line.line = first.line;
    if (!first.function.empty()) line.function = base::demangled(first.function);
    std::uint32_t outer = first.inlinedAt;
    for (int depth = 0; outer < source.positions.size() && depth < kMaxInlining; ++depth) {
        const ptx::SourcePosition& call = source.positions[outer];
        if (!line.inlinedAt.empty()) line.inlinedAt += " < ";
        line.inlinedAt += fmt::format("{}:{}", fileOf(call.file), call.line);
        outer = call.inlinedAt;
    }
}

} // namespace

std::vector<session::LineCounts> lineCounts(const engine::LaunchOutcome& outcome, const ptx::Module& source) {
    const std::map<std::uint32_t, std::string> files(source.files.begin(), source.files.end());
    std::vector<session::LineCounts> lines;
    lines.reserve(outcome.instructions.size());
    for (const engine::CountedInstruction& instruction : outcome.instructions) {
        const counts::InstructionCounts& counts = instruction.counts;
        session::LineCounts line;
        place(line, instruction.position, source, files);
        line.pc = instruction.ptxLine;
        line.instruction = instruction.text;
        line.executions = counts.executions;
        line.threads = counts.threads;
        if (!instruction.isMemory) {
            line.op = "branch";
            line.divergent = counts.divergent;
            lines.push_back(std::move(line));
            continue;
        }
        line.space = nameOf(instruction.space);
        // GPUs have no reduction on shared memory: an atomic whose result is not used stays one.
        const bool onShared = instruction.space == counts::MemorySpace::Shared;
        line.op = nameOf(onShared && instruction.op == counts::MemoryOp::Reduce ? counts::MemoryOp::Atomic
                                                                                : instruction.op);
        line.widthBytes = instruction.widthBytes;
        line.lanes = lines::formatLanes(instruction.lanes.address, instruction.lanes.mask);
        if (onShared) {
            line.wavefronts = counts.wavefronts;
            line.wavefrontsIdeal = counts.wavefrontsIdeal;
        } else if (instruction.space != counts::MemorySpace::Constant) {
            line.sectors = counts.sectors;
            line.sectorsIdeal = counts.sectorsIdeal;
            line.tags = counts.lines;
        }
        if (instruction.op == counts::MemoryOp::Atomic || instruction.op == counts::MemoryOp::Reduce)
            line.serialized = counts.serialized;
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace dormer::emulator::runtime
