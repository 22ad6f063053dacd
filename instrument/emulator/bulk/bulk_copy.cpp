// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/bulk/bulk_copy.h"

#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/async_barrier.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/bulk/element_reduction.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace dormer::emulator::bulk {

using Watched = exec::SharedWatch::Access;

std::uint64_t addressOf(const exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    const auto offset = static_cast<std::uint32_t>(in.imm);
    return (in.flags & accesses::kWideAddress) != 0
               ? w.lanes<std::uint64_t>(in.a)[lane] +
                     static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offset)})
               : w.lanes<std::uint32_t>(in.a)[lane] + offset;
}

void countRequest(exec::WarpState& w, const instructions::Inst& in) {
    if (w.port == nullptr) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    ++counts.executions;
    ++counts.threads;
}

void countBytes(exec::WarpState& w, const instructions::Inst& in, std::uint64_t address, std::uint64_t bytes,
                hierarchy::AccessKind kind) {
    if (w.port == nullptr || bytes == 0) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    for (std::uint64_t line = address / 128; line * 128 < address + bytes; ++line) {
        std::uint32_t sectors = 0;
        for (unsigned s = 0; s < 4; ++s) {
            const std::uint64_t begin = line * 128 + std::uint64_t{s} * 32;
            if (begin + 32 > address && begin < address + bytes) sectors |= 1u << s;
        }
        const access::LineAccess one{line, sectors, 0};
        counts.sectors += static_cast<unsigned>(std::popcount(sectors));
        ++counts.lines;
        w.port->access(kind, &one, 1);
    }
    counts.sectorsIdeal += (bytes + 31) / 32;
}

void checkBytes(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t address,
                std::uint64_t bytes, unsigned width, const char* verb) {
    // Both ends of it: an allocation holds everything between them.
    for (const std::uint64_t at : {address, address + bytes - width}) {
        std::uint64_t addresses[instructions::kLanes] = {};
        addresses[lane] = at;
        accesses::checkGlobal(w, in, addresses, 1u << lane, {verb, width});
    }
}

namespace {

std::uint32_t bytesOf(const exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    const std::uint32_t bytes = w.lanes<std::uint32_t>(in.c)[lane];
    if (bytes % 16 != 0)
        throw exec::FaultSignal{memory::Fault::Kind::Trap, lane, 0,
                                fmt::format("a bulk copy of {} bytes: not a multiple of 16", bytes)};
    return bytes;
}

template <typename Body>
void eachLane(instructions::Warp& warp, const Body& body) {
    exec::WarpState& w = exec::stateOf(warp);
    w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1)
        body(w, static_cast<unsigned>(std::countr_zero(rest)));
}

/// From one block's shared memory to another's.
template <bool Reduces>
void betweenBlocks(instructions::Warp& warp, const instructions::Inst& in) {
    eachLane(warp, [&](exec::WarpState& w, unsigned lane) {
        const std::uint64_t to = accesses::sharedPlace(addressOf(w, in, lane)),
                            from = accesses::sharedPlace(w.lanes<std::uint32_t>(in.b)[lane]);
        const std::uint32_t bytes = bytesOf(w, in, lane);
        countRequest(w, in);
        if (bytes != 0) {
            if (w.watch != nullptr) accesses::watchLane(w, in, lane, from, bytes, Watched::Read);
            const std::byte* source = accesses::sharedHost(w, from, lane, bytes, 16);
            std::byte* target = accesses::sharedHost(w, to, lane, bytes, 16);
            if constexpr (Reduces)
                reduce(reductionOf(in.imm >> 32), target, source, bytes);
            else
                std::memmove(target, source, bytes);
        }
        accesses::completeBytes(w, in, lane, w.lanes<std::uint32_t>(in.d)[lane], bytes);
    });
}

template <bool Reduces>
void toGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    eachLane(warp, [&](exec::WarpState& w, unsigned lane) {
        const std::uint64_t to = addressOf(w, in, lane),
                            from = accesses::sharedPlace(w.lanes<std::uint32_t>(in.b)[lane]);
        const std::uint32_t bytes = bytesOf(w, in, lane);
        countRequest(w, in);
        if (bytes == 0) return;
        const std::byte* source = accesses::sharedHost(w, from, lane, bytes, 16);
        checkBytes(w, in, lane, to, bytes, 16, Reduces ? "atomic" : "store");
        if (w.watch != nullptr) accesses::watchLane(w, in, lane, from, bytes, Watched::Read);
        if constexpr (Reduces)
            reduce(reductionOf(in.imm >> 32), reinterpret_cast<std::byte*>(to), source, bytes);
        else
            std::memcpy(reinterpret_cast<std::byte*>(to), source, bytes);
        countBytes(w, in, to, bytes, hierarchy::AccessKind::BulkStore);
    });
}

} // namespace

void copyToShared(instructions::Warp& warp, const instructions::Inst& in) {
    eachLane(warp, [&](exec::WarpState& w, unsigned lane) {
        const std::uint64_t to = accesses::sharedPlace(addressOf(w, in, lane)),
                            from = w.lanes<std::uint64_t>(in.b)[lane];
        const std::uint32_t bytes = bytesOf(w, in, lane), barrier = w.lanes<std::uint32_t>(in.d)[lane];
        countRequest(w, in);
        if (bytes != 0) checkBytes(w, in, lane, from, bytes, 16, "load");
        forEachTarget(w, in, lane, [&](std::uint64_t rank) {
            const std::uint64_t block = rank << program::kClusterRankShift;
            if (bytes != 0) {
                std::byte* target = accesses::sharedHost(w, to | block, lane, bytes, 16);
                if (w.watch != nullptr) accesses::watchLane(w, in, lane, to, bytes, Watched::Write);
                std::memcpy(target, reinterpret_cast<const std::byte*>(from), bytes);
            }
            accesses::completeBytes(w, in, lane, barrier | block, bytes);
        });
        countBytes(w, in, from, bytes, hierarchy::AccessKind::BulkLoad);
    });
}

void copyBetweenBlocks(instructions::Warp& warp, const instructions::Inst& in) {
    betweenBlocks<false>(warp, in);
}
void reduceBetweenBlocks(instructions::Warp& warp, const instructions::Inst& in) {
    betweenBlocks<true>(warp, in);
}
void copyToGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    toGlobal<false>(warp, in);
}
void reduceToGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    toGlobal<true>(warp, in);
}

} // namespace dormer::emulator::bulk
