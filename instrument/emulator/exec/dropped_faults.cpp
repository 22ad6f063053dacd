// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/dropped_faults.h"

#include "instrument/emulator/exec/block.h"

#include <algorithm>

namespace dormer::emulator::exec {

namespace {

bool drops(const WarpState& w, const FaultSignal& signal) {
    return w.block->dropFaults && (signal.kind == memory::Fault::Kind::IllegalAddress ||
                                   signal.kind == memory::Fault::Kind::MisalignedAddress);
}

void note(WarpState& w, const instructions::Inst& inst, const FaultSignal& signal) {
    std::vector<DroppedFault>& all = w.counts->dropped;
    const auto known = std::ranges::find(all, inst.index, &DroppedFault::instruction);
    if (known != all.end())
        ++known->lanes;
    else
        all.push_back({signal, inst.index, w.index, w.block->number, w.block->coordinates, 1});
}

} // namespace

bool leaveFaultsOut(WarpState& w, const instructions::Inst& inst, FaultSignal signal) {
    if (!drops(w, signal)) return false;
    std::uint32_t lanes = w.exec;
    while (true) {
        note(w, inst, signal);
        const std::uint32_t one = 1U << signal.lane;
        lanes = (lanes & one) != 0 ? lanes & ~one : 0; // it fails whoever executes it
        if (lanes == 0) return true;
        w.exec = lanes;
        try {
            inst.run(w, inst);
            return true;
        } catch (const FaultSignal& next) {
            if (!drops(w, next)) throw;
            signal = next;
        }
    }
}

} // namespace dormer::emulator::exec
