// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/line_counts.h"

#include "instrument/collect/launch_filter.h"

#include <array>
#include <map>

namespace dormer::emulator::runtime {

namespace {

/// Longer chains than this are a broken module's.
constexpr int kMaxInlining = 64;

/// By counts::MemorySpace and counts::MemoryOp.
constexpr std::array kSpaces{session::MemorySpace::Global, session::MemorySpace::Local,
                             session::MemorySpace::Shared, session::MemorySpace::Constant,
                             session::MemorySpace::Texture};
constexpr std::array kOperations{session::MemoryOperation::Load, session::MemoryOperation::Store,
                                 session::MemoryOperation::Atomic, session::MemoryOperation::Reduction};

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
        line.inlinedAt.push_back({fileOf(call.file), call.line});
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
            line.op = session::MemoryOperation::Branch;
            line.divergent = counts.divergent;
            lines.push_back(std::move(line));
            continue;
        }
        line.space = kSpaces[static_cast<std::size_t>(instruction.space)];
        line.op = kOperations[static_cast<std::size_t>(instruction.op)];
        // GPUs have no reduction on shared memory: an atomic whose result is not used stays one.
        const bool onShared = instruction.space == counts::MemorySpace::Shared;
        if (onShared && instruction.op == counts::MemoryOp::Reduce)
            line.op = session::MemoryOperation::Atomic;
        line.widthBytes = instruction.widthBytes;
        line.lanes = session::laneSample(instruction.lanes.address, instruction.lanes.mask);
        if (onShared || instruction.space == counts::MemorySpace::Constant) {
            line.wavefronts = counts.wavefronts;
            line.wavefrontsIdeal = counts.wavefrontsIdeal;
        } else {
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
