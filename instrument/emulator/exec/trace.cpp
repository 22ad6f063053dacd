// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/trace.h"

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/program/program.h"

namespace dormer::emulator::exec {

void traceVisit(WarpState& warp, std::uint32_t block) {
    counts::WarpTrace& trace = *warp.trace;
    if (trace.steps >= warp.block->traceSteps) trace.isWhole = false;
    if (!trace.isWhole) {
        warp.port->trace(nullptr);
        return;
    }
    trace.steps += warp.program->blocks[block].count + 1;
    trace.visits.push_back({block, static_cast<std::uint32_t>(trace.accesses.size())});
}

void traceRun(WarpState& warp, const instructions::Inst& inst) {
    counts::WarpTrace& trace = *warp.trace;
    if (!trace.isWhole || !warp.program->instructions[inst.index].isMemory) {
        inst.run(warp, inst);
        return;
    }
    const counts::InstructionCounts& counts = warp.counts->instructions[inst.index];
    const std::uint64_t wavefronts = counts.wavefronts, serialized = counts.serialized;
    counts::TracedAccess access;
    access.inst = static_cast<std::uint32_t>(&inst - warp.program->insts.data());
    access.firstLine = static_cast<std::uint32_t>(trace.lines.size());
    inst.run(warp, inst);
    access.wavefronts = static_cast<std::uint32_t>(counts.wavefronts - wavefronts);
    access.serialized = static_cast<std::uint32_t>(counts.serialized - serialized);
    access.lines = static_cast<std::uint16_t>(trace.lines.size() - access.firstLine);
    if (access.lines > 0) access.kind = warp.port->tracedKind();
    trace.accesses.push_back(access);
}

} // namespace dormer::emulator::exec
