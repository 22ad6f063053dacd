// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/async_barrier.h"

#include "instrument/emulator/accesses/address_check.h"
#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/accesses/watch_access.h"
#include "instrument/emulator/program/program.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

std::uint64_t addressOf(const exec::WarpState& w, const instructions::Inst& in, unsigned lane) {
    const std::uint64_t address =
        (in.flags & kWideAddress) != 0
            ? w.lanes<std::uint64_t>(in.a)[lane] + in.imm
            : static_cast<std::uint32_t>(w.lanes<std::uint32_t>(in.a)[lane] + in.imm);
    return sharedPlace(address);
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

} // namespace

std::byte* sharedHost(exec::WarpState& w, std::uint64_t place, unsigned lane, unsigned width,
                      unsigned alignment) {
    if (place % alignment != 0 || place + width > w.sharedBytes) {
        std::uint64_t addresses[instructions::kLanes] = {};
        addresses[lane] = place;
        std::byte* hosts[instructions::kLanes] = {};
        if (place % alignment == 0 &&
            clusterHosts(w, addresses, 1u << lane, std::min(width, alignment), hosts) &&
            (place & program::kClusterPlaceMask) + width <= w.sharedBytes)
            return hosts[lane];
        failShared(w, addresses, 1u << lane, {"access", width});
    }
    return w.shared + place;
}

void completeBytes(exec::WarpState& w, const instructions::Inst& in, unsigned lane, std::uint64_t place,
                   std::uint32_t bytes) {
    if (w.watch != nullptr) watchLane(w, in, lane, place, 8, exec::SharedWatch::Access::Update);
    std::byte* barrier = sharedHost(w, place, lane, 8, 8);
    Phase phase = Phase::read(barrier);
    phase.bytes -= static_cast<std::int32_t>(bytes);
    phase.write(barrier);
}

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

} // namespace dormer::emulator::accesses
