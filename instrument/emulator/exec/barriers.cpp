// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/block.h"

#include <algorithm>
#include <bit>

namespace dormer::emulator::exec {

namespace {

/// Barrier operands are the same for all lanes that execute them.
std::uint32_t uniformValue(const WarpState& w, instructions::Ref ref, std::uint32_t lanes) {
    return w.lanes<std::uint32_t>(ref)[std::countr_zero(lanes)];
}

const program::BarrierOperands& barrierAt(const WarpState& w, const Path& path) {
    return w.program->barriers[w.program->blocks[path.pc].operands];
}

void pass(const WarpState& w, Path& path) {
    path.pc = w.program->blocks[path.pc].next;
    path.waits = Path::Waits::No;
}

} // namespace

bool BlockState::arrive(WarpState& warp) {
    Barrier* barrier = nullptr;
    bool waits = false, aligned = true;
    std::uint32_t pc = 0;
    for (Path& path : warp.paths) {
        if (path.waits != Path::Waits::AtBarrier) continue;
        const program::BarrierOperands& operands = barrierAt(warp, path);
        const std::uint32_t lanes = path.mask & warp.alive;
        const bool named = operands.id.present();
        const std::uint32_t id =
            named ? uniformValue(warp, operands.id, lanes) : kNamedBarriers + warp.index / kGroupWarps;
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        if (named && id >= kNamedBarriers)
            throw FaultSignal{memory::Fault::Kind::Trap, lane, 0, "a block has barriers 0 to 15"};
        std::uint32_t expected = named ? 0 : kGroupWarps;
        if (operands.count.present()) {
            const std::uint32_t threads = uniformValue(warp, operands.count, lanes);
            if (threads == 0 || threads % instructions::kLanes != 0)
                throw FaultSignal{memory::Fault::Kind::Trap, lane, 0,
                                  "a barrier's thread count is a multiple of 32"};
            expected = threads / instructions::kLanes;
        }
        if (barrier == nullptr) {
            barrier = &barriers[id];
            warp.barrierId = id;
            warp.barrierPlace = warp.program->blocks[path.pc].endingIndex;
            if (barrier->used() && barrier->expectedWarps != expected)
                throw FaultSignal{memory::Fault::Kind::Deadlock, lane, 0,
                                  "warps came to one barrier with different thread counts"};
            barrier->expectedWarps = expected;
        } else if (id != warp.barrierId || (path.pc != pc && (aligned || operands.aligned))) {
            throw FaultSignal{memory::Fault::Kind::DivergentBarrier,
                              static_cast<unsigned>(std::countr_zero(warp.paths.back().mask & warp.alive)), 0,
                              "threads of one warp wait at different barriers, this one among them"};
        }
        pc = path.pc;
        aligned = operands.aligned;
        waits = waits || operands.kind != program::BarrierOperands::Kind::Arrive;
        if (operands.predicate.present()) {
            const std::uint32_t value =
                warp.predicate(operands.predicate) ^ (operands.negated ? instructions::kAllLanes : 0);
            barrier->lanesTrue += static_cast<unsigned>(std::popcount(value & lanes));
            barrier->lanesFalse += static_cast<unsigned>(std::popcount(~value & lanes));
        }
        if (operands.kind == program::BarrierOperands::Kind::Arrive) pass(warp, path);
    }
    if (watch != nullptr) watch->arrives(warp.index, warp.barrierId);
    ++barrier->arrivedWarps;
    ++warpsAtBarriers;
    ++warp.counts->barriers;
    if (waits) warp.status = WarpState::Status::AtBarrier;
    if (barrier->arrivedWarps >= (barrier->expectedWarps != 0 ? barrier->expectedWarps : warpsLeft))
        release(warp.barrierId);
    return waits;
}

void BlockState::release(std::uint32_t id) {
    const Barrier barrier = barriers[id];
    barriers[id] = {};
    warpsAtBarriers -= barrier.arrivedWarps;
    std::uint64_t last = 0; // on its clock, when it came
    for (const WarpState& warp : warps)
        if (warp.status == WarpState::Status::AtBarrier && warp.barrierId == id)
            last = std::max(last, warp.cycles);
    for (WarpState& warp : warps) {
        if (warp.status != WarpState::Status::AtBarrier || warp.barrierId != id) continue;
        warp.status = WarpState::Status::Ready;
        warp.cycles = last;
        if (watch != nullptr) watch->leaves(warp.index, id);
        for (Path& path : warp.paths) {
            if (path.waits != Path::Waits::AtBarrier) continue;
            const program::BarrierOperands& operands = barrierAt(warp, path);
            const std::uint32_t lanes = path.mask & warp.alive;
            pass(warp, path);
            switch (operands.kind) {
            case program::BarrierOperands::Kind::Sync:
            case program::BarrierOperands::Kind::Arrive:
                break;
            case program::BarrierOperands::Kind::RedPopc: {
                auto* result = warp.lanes<std::uint32_t>(operands.dst);
                for (unsigned i = 0; i < instructions::kLanes; ++i)
                    if (((lanes >> i) & 1) != 0) result[i] = barrier.lanesTrue;
                break;
            }
            case program::BarrierOperands::Kind::RedAnd:
            case program::BarrierOperands::Kind::RedOr: {
                const bool value = operands.kind == program::BarrierOperands::Kind::RedAnd
                                       ? barrier.lanesFalse == 0
                                       : barrier.lanesTrue != 0;
                std::uint32_t& result = warp.predicate(operands.dst);
                result = value ? result | lanes : result & ~lanes;
                break;
            }
            }
        }
    }
}

void BlockState::checkClusterBarrier() {
    for (const BlockState* block : cluster)
        for (const WarpState& warp : block->warps)
            if ((warp.alive & ~warp.clusterArrived) != 0) return;
    std::uint64_t last = 0;
    for (const BlockState* block : cluster)
        for (const WarpState& warp : block->warps)
            last = std::max(last, warp.alive != 0 ? warp.cycles : 0);
    for (BlockState* block : cluster)
        for (WarpState& warp : block->warps) {
            warp.clusterArrived = 0;
            warp.cycles = last;
        }
}

void BlockState::checkBarriers() {
    if (warpsAtBarriers == 0) return;
    for (std::uint32_t id = 0; id < barriers.size(); ++id) {
        const Barrier& barrier = barriers[id];
        if (barrier.used() && barrier.expectedWarps == 0 && barrier.arrivedWarps >= warpsLeft) release(id);
    }
}

} // namespace dormer::emulator::exec
