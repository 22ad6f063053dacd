// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/async_barrier.h"

#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace dormer::emulator::accesses {

namespace {

constexpr std::uint64_t kCountMask = (1u << 20) - 1;

/// The fields of an mbarrier object.
struct Phase {
    std::uint32_t pending = 0, expected = 0;
    std::int32_t bytes = 0;
    bool parity = false;

    static Phase read(const std::byte* host) {
        std::uint64_t word = 0;
        std::memcpy(&word, host, sizeof word);
        return of(word);
    }
    static Phase of(std::uint64_t word) {
        Phase phase;
        phase.pending = static_cast<std::uint32_t>(word & kCountMask);
        phase.expected = static_cast<std::uint32_t>(word >> 20 & kCountMask);
        phase.bytes = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 40) << 10) >> 10;
        phase.parity = word >> 63 != 0;
        return phase;
    }
    [[nodiscard]] std::uint64_t word() const {
        return (pending & kCountMask) | std::uint64_t{expected & kCountMask} << 20 |
               (std::uint64_t{static_cast<std::uint32_t>(bytes)} & 0x3FFFFF) << 40 |
               std::uint64_t{parity} << 63;
    }
    /// The next phase begins when all have arrived and all bytes have come.
    void write(std::byte* host) {
        if (pending == 0 && bytes == 0) {
            parity = !parity;
            pending = expected;
        }
        const std::uint64_t value = word();
        std::memcpy(host, &value, sizeof value);
    }
};

std::byte* sharedHost(exec::WarpState& w, std::uint64_t offset, unsigned lane, unsigned width,
                      unsigned alignment) {
    if (offset % alignment != 0 || offset + width > w.sharedBytes) {
        std::uint64_t addresses[instructions::kLanes] = {};
        addresses[lane] = offset;
        std::byte* hosts[instructions::kLanes] = {};
        if (offset % alignment == 0 &&
            clusterHosts(w, addresses, 1u << lane, std::min(width, alignment), hosts) &&
            (offset & program::kClusterPlaceMask) + width <= w.sharedBytes)
            return hosts[lane];
        failShared(w, addresses, 1u << lane, {"access", width});
    }
    return w.shared + offset;
}

std::uint64_t addressOf(const exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    std::uint64_t address = (in.flags & kWideAddress) != 0
                                ? w.lanes<std::uint64_t>(in.a)[lane] + in.imm
                                : static_cast<std::uint32_t>(w.lanes<std::uint32_t>(in.a)[lane] + in.imm);
    if (address - program::kSharedWindow < program::kWindowBytes) address -= program::kSharedWindow;
    return address;
}

void setPredicate(exec::WarpState& w, instructions::Ref dst, unsigned lane, bool value) {
    std::uint32_t& out = w.predicate(dst);
    out = value ? out | 1u << lane : out & ~(1u << lane);
}

template <BarrierOp Op>
void operation(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    if constexpr (Op != BarrierOp::PendingCount && Op != BarrierOp::TestState && Op != BarrierOp::TestParity)
        w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const auto operand = [&](std::uint32_t missing) {
            return in.b.present() ? w.lanes<std::uint32_t>(in.b)[lane] : missing;
        };
        if constexpr (Op == BarrierOp::PendingCount) {
            w.lanes<std::uint32_t>(in.dst)[lane] = Phase::of(w.lanes<std::uint64_t>(in.a)[lane]).pending;
            continue;
        }
        std::byte* host = sharedHost(w, addressOf(w, in, lane), lane, 8, 8);
        // Waiting for a phase comes after all that led to it; it matters only when the wait succeeds.
        if (w.watch != nullptr)
            watchLane(w, in, lane, addressOf(w, in, lane), 8,
                      Op == BarrierOp::Init ? exec::SharedWatch::Access::Write
                                            : exec::SharedWatch::Access::Update);
        Phase phase = Phase::read(host);
        const std::uint64_t before = phase.word();
        const auto arrive = [&](std::uint32_t count) {
            if (count > phase.pending)
                throw exec::FaultSignal{memory::Fault::Kind::Trap, lane, 0,
                                        "more threads arrived at an mbarrier than it was made for"};
            phase.pending -= count;
        };
        if constexpr (Op == BarrierOp::Init) {
            phase = {operand(1), operand(1), 0, false};
            const std::uint64_t value = phase.word();
            std::memcpy(host, &value, sizeof value);
        } else if constexpr (Op == BarrierOp::Arrive) {
            arrive(operand(1));
            phase.write(host);
        } else if constexpr (Op == BarrierOp::ArriveDrop) {
            phase.expected -= operand(1);
            arrive(operand(1));
            phase.write(host);
        } else if constexpr (Op == BarrierOp::ArriveExpectTx) {
            phase.bytes += static_cast<std::int32_t>(operand(0));
            arrive(1);
            phase.write(host);
        } else if constexpr (Op == BarrierOp::ExpectTx || Op == BarrierOp::CompleteTx) {
            const auto bytes = static_cast<std::int32_t>(operand(0));
            phase.bytes += Op == BarrierOp::ExpectTx ? bytes : -bytes;
            phase.write(host);
        } else if constexpr (Op == BarrierOp::TestState) {
            ++w.strongAccesses; // a loop around it waits for others
            setPredicate(w, in.dst, lane,
                         Phase::of(w.lanes<std::uint64_t>(in.b)[lane]).parity != phase.parity);
        } else if constexpr (Op == BarrierOp::TestParity) {
            ++w.strongAccesses;
            setPredicate(w, in.dst, lane, ((operand(0) & 1) != 0) != phase.parity);
        }
        if constexpr (Op == BarrierOp::Arrive || Op == BarrierOp::ArriveDrop ||
                      Op == BarrierOp::ArriveExpectTx)
            if (in.dst.present()) w.lanes<std::uint64_t>(in.dst)[lane] = before;
    }
}

/// A bulk copy is no access of the lane's: it goes to L2 past L1.
void countBulk(exec::WarpState& w, const instructions::Inst& in, std::uint64_t address, std::uint32_t bytes,
               hierarchy::AccessKind kind) {
    if (w.port == nullptr) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    ++counts.executions;
    ++counts.threads;
    for (std::uint64_t line = address / 128; line * 128 < address + bytes; ++line) {
        std::uint32_t sectors = 0;
        for (unsigned s = 0; s < 4; ++s) {
            const std::uint64_t begin = line * 128 + s * 32;
            if (begin + 32 > address && begin < address + bytes) sectors |= 1u << s;
        }
        const access::LineAccess one{line, sectors, 0};
        counts.sectors += static_cast<unsigned>(std::popcount(sectors));
        ++counts.lines;
        w.port->access(kind, &one, 1);
    }
    counts.sectorsIdeal += (bytes + 31) / 32;
}

struct BulkLane {
    std::byte* shared;
    std::byte* global;
    std::uint32_t bytes;
};

BulkLane bulkLane(exec::WarpState& w, const instructions::Inst& in, unsigned lane,
                  std::uint64_t sharedAddress, std::uint64_t globalAddress, const char* verb) {
    const std::uint32_t bytes = w.lanes<std::uint32_t>(in.c)[lane];
    if (bytes % 16 != 0)
        throw exec::FaultSignal{memory::Fault::Kind::Trap, lane, 0,
                                fmt::format("a bulk copy of {} bytes: not a multiple of 16", bytes)};
    BulkLane result{nullptr, reinterpret_cast<std::byte*>(globalAddress), bytes};
    if (bytes == 0) return result;
    result.shared = sharedHost(w,
                               sharedAddress - program::kSharedWindow < program::kWindowBytes
                                   ? sharedAddress - program::kSharedWindow
                                   : sharedAddress,
                               lane, bytes, 16);
    // Both ends of it: an allocation holds everything between them.
    for (const std::uint64_t at : {globalAddress, globalAddress + bytes - 16}) {
        std::uint64_t addresses[instructions::kLanes] = {};
        addresses[lane] = at;
        checkGlobal(w, in, addresses, 1u << lane, {verb, 16});
    }
    return result;
}

} // namespace

instructions::Handler findBarrierOperation(BarrierOp op) {
    switch (op) {
    case BarrierOp::Init:
        return operation<BarrierOp::Init>;
    case BarrierOp::Arrive:
        return operation<BarrierOp::Arrive>;
    case BarrierOp::ArriveDrop:
        return operation<BarrierOp::ArriveDrop>;
    case BarrierOp::ArriveExpectTx:
        return operation<BarrierOp::ArriveExpectTx>;
    case BarrierOp::ExpectTx:
        return operation<BarrierOp::ExpectTx>;
    case BarrierOp::CompleteTx:
        return operation<BarrierOp::CompleteTx>;
    case BarrierOp::TestState:
        return operation<BarrierOp::TestState>;
    case BarrierOp::TestParity:
        return operation<BarrierOp::TestParity>;
    case BarrierOp::PendingCount:
        return operation<BarrierOp::PendingCount>;
    case BarrierOp::Nothing:
        return operation<BarrierOp::Nothing>;
    }
    return nullptr;
}

void bulkCopyToShared(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t global = w.lanes<std::uint64_t>(in.b)[lane];
        const BulkLane copy = bulkLane(w, in, lane, addressOf(w, in, lane), global, "load");
        using Watched = exec::SharedWatch::Access;
        if (w.watch != nullptr) {
            watchLane(w, in, lane, addressOf(w, in, lane), copy.bytes, Watched::Write);
            watchLane(w, in, lane, w.lanes<std::uint32_t>(in.d)[lane], 8, Watched::Update);
        }
        if (copy.bytes != 0) {
            std::memcpy(copy.shared, copy.global, copy.bytes);
            countBulk(w, in, global, copy.bytes, hierarchy::AccessKind::BulkLoad);
        }
        std::byte* barrier = sharedHost(w, w.lanes<std::uint32_t>(in.d)[lane], lane, 8, 8);
        Phase phase = Phase::read(barrier);
        phase.bytes -= static_cast<std::int32_t>(copy.bytes);
        phase.write(barrier);
    }
}

void bulkCopyToGlobal(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    w.wrote |= w.exec;
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t global = w.lanes<std::uint64_t>(in.a)[lane] + in.imm;
        const std::uint64_t from = w.lanes<std::uint32_t>(in.b)[lane];
        const BulkLane copy = bulkLane(w, in, lane, from, global, "store");
        if (copy.bytes == 0) continue;
        if (w.watch != nullptr) watchLane(w, in, lane, from, copy.bytes, exec::SharedWatch::Access::Read);
        std::memcpy(copy.global, copy.shared, copy.bytes);
        countBulk(w, in, global, copy.bytes, hierarchy::AccessKind::BulkStore);
    }
}

} // namespace dormer::emulator::accesses
