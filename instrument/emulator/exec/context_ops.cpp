// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/context_ops.h"

#include "instrument/emulator/exec/block.h"
#include "instrument/emulator/exec/warp.h"
#include "instrument/emulator/program/program.h"

#include <atomic>
#include <string>
#include <utility>

namespace dormer::emulator::exec {

namespace {

/// Bits of lanes that execute replace those of the predicate.
void setLanes(instructions::Warp& w, instructions::Ref dst, std::uint32_t lanes) {
    std::uint32_t& out = w.predicate(dst);
    out = (out & ~w.exec) | (lanes & w.exec);
}

template <typename T, typename Value>
void writeLanes(instructions::Warp& w, instructions::Ref dst, const Value& valueOfLane) {
    T* out = w.lanes<T>(dst);
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if (((w.exec >> i) & 1) != 0) out[i] = static_cast<T>(valueOfLane(i));
}

/// Of the SM, as if it had counted from the start of the emulated clock.
std::uint64_t smCycles(const instructions::Warp& warp) {
    const WarpState& w = static_cast<const WarpState&>(warp);
    return static_cast<std::uint64_t>(w.block->clock.beginNs * 1e-9 * w.block->clock.hz) + w.cycles;
}

std::uint64_t timerNs(const instructions::Warp& warp) {
    const WarpState& w = static_cast<const WarpState&>(warp);
    return static_cast<std::uint64_t>(w.block->clock.beginNs +
                                      static_cast<double>(w.cycles) / w.block->clock.hz * 1e9);
}

} // namespace

void doNothing(instructions::Warp&, const instructions::Inst&) {}

void usesReservedShared(instructions::Warp&, const instructions::Inst&) {}

void awaitMembers(instructions::Warp& warp, const instructions::Inst& in) {
    if (warp.exec == warp.alive) return;
    WarpState& w = stateOf(warp);
    std::uint32_t named = in.a.present() ? 0 : instructions::kAllLanes;
    if (in.a.present())
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            if (((w.exec >> i) & 1) != 0) named |= w.lanes<std::uint32_t>(in.a)[i];
    const std::uint32_t missing = named & w.alive & ~w.exec;
    if (missing != 0 && !std::exchange(w.withoutMembers, false)) throw AwaitsMembers{&in, missing};
}

void fence(instructions::Warp&, const instructions::Inst&) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void localAddress64(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = stateOf(w).localOffset + in.imm;
    writeLanes<std::uint64_t>(w, in.dst, [value](unsigned) { return value; });
}

void localAddress32(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = stateOf(w).localOffset + in.imm;
    writeLanes<std::uint32_t>(w, in.dst, [value](unsigned) { return value; });
}

namespace {

/// A lane's: the frame of a function is aligned to 16 bytes.
GrowingStack& stackOf(const WarpState& w, const instructions::Inst& in, unsigned lane) {
    return *reinterpret_cast<GrowingStack*>(w.local + std::size_t{lane} * w.localStride + w.localOffset +
                                            in.imm);
}

template <typename Size>
void growStack(instructions::Warp& warp, const instructions::Inst& in) {
    const WarpState& w = stateOf(warp);
    const auto* bytes = w.lanes<Size>(in.a);
    writeLanes<Size>(warp, in.dst, [&](unsigned i) {
        GrowingStack& stack = stackOf(w, in, i);
        const std::uint64_t begin =
            bytes[i] > stack.end ? 0 : (stack.end - bytes[i]) / in.moreCount * in.moreCount;
        if (begin < stack.begin)
            throw FaultSignal{memory::Fault::Kind::OutOfMemory, i, 0,
                              "alloca of " + std::to_string(bytes[i]) + " bytes: a function has " +
                                  std::to_string(GrowingStack::kBytes) + " for all of them"};
        return stack.end = begin;
    });
}

template <typename Address>
void restoreStack(instructions::Warp& warp, const instructions::Inst& in) {
    const WarpState& w = stateOf(warp);
    const auto* ends = w.lanes<Address>(in.a);
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if (((w.exec >> i) & 1) == 0) continue;
        GrowingStack& stack = stackOf(w, in, i);
        if (ends[i] < stack.end || ends[i] > stack.begin + GrowingStack::kBytes)
            throw FaultSignal{memory::Fault::Kind::IllegalAddress, i, ends[i],
                              "stackrestore of what no stacksave gave"};
        stack.end = ends[i];
    }
}

} // namespace

void beginStack(instructions::Warp& warp, const instructions::Inst& in) {
    const WarpState& w = stateOf(warp);
    const std::uint64_t begin = w.localOffset + in.imm + sizeof(GrowingStack);
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if (((w.exec >> i) & 1) != 0) stackOf(w, in, i) = {begin + GrowingStack::kBytes, begin};
}

void growStack64(instructions::Warp& warp, const instructions::Inst& in) {
    growStack<std::uint64_t>(warp, in);
}
void growStack32(instructions::Warp& warp, const instructions::Inst& in) {
    growStack<std::uint32_t>(warp, in);
}
void saveStack64(instructions::Warp& warp, const instructions::Inst& in) {
    const WarpState& w = stateOf(warp);
    writeLanes<std::uint64_t>(warp, in.dst, [&](unsigned i) { return stackOf(w, in, i).end; });
}
void saveStack32(instructions::Warp& warp, const instructions::Inst& in) {
    const WarpState& w = stateOf(warp);
    writeLanes<std::uint32_t>(warp, in.dst, [&](unsigned i) { return stackOf(w, in, i).end; });
}
void restoreStack64(instructions::Warp& warp, const instructions::Inst& in) {
    restoreStack<std::uint64_t>(warp, in);
}
void restoreStack32(instructions::Warp& warp, const instructions::Inst& in) {
    restoreStack<std::uint32_t>(warp, in);
}

void addToAddress64(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint64_t>(in.a);
    writeLanes<std::uint64_t>(w, in.dst, [&](unsigned i) { return a[i] + in.imm; });
}

void addToAddress32To64(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint32_t>(in.a);
    writeLanes<std::uint64_t>(w, in.dst, [&](unsigned i) { return a[i] + in.imm; });
}

void addToAddress64To32(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint64_t>(in.a);
    writeLanes<std::uint32_t>(w, in.dst, [&](unsigned i) { return a[i] + in.imm; });
}

namespace {

template <typename Address>
void mapToBlock(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<Address>(in.a);
    const auto* rank = w.lanes<std::uint32_t>(in.b);
    writeLanes<Address>(w, in.dst, [&](unsigned i) {
        return in.imm | (std::uint64_t{rank[i] + 1} << program::kClusterRankShift) |
               (a[i] & program::kClusterPlaceMask);
    });
}

template <typename Address>
void rankOf(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<Address>(in.a);
    const auto* own = w.lanes<std::uint32_t>(in.b);
    writeLanes<std::uint32_t>(w, in.dst, [&](unsigned i) {
        const std::uint32_t named = static_cast<std::uint32_t>(a[i]) >> program::kClusterRankShift;
        return named == 0 ? own[i] : named - 1;
    });
}

} // namespace

void mapToBlock64(instructions::Warp& w, const instructions::Inst& in) {
    mapToBlock<std::uint64_t>(w, in);
}
void mapToBlock32(instructions::Warp& w, const instructions::Inst& in) {
    mapToBlock<std::uint32_t>(w, in);
}
void rankOf64(instructions::Warp& w, const instructions::Inst& in) {
    rankOf<std::uint64_t>(w, in);
}
void rankOf32(instructions::Warp& w, const instructions::Inst& in) {
    rankOf<std::uint32_t>(w, in);
}

void isInWindow(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint64_t>(in.a);
    std::uint32_t inside = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        const bool shared = a[i] - program::kSharedWindow < program::kWindowBytes,
                   local = a[i] - program::kLocalWindow < program::kWindowBytes;
        const bool is = in.imm == 0 ? !shared && !local : a[i] - in.imm < program::kWindowBytes;
        inside |= static_cast<std::uint32_t>(is) << i;
    }
    setLanes(w, in.dst, inside);
}

void isParameter(instructions::Warp& w, const instructions::Inst& in) {
    const WarpState& state = stateOf(w);
    const auto begin = reinterpret_cast<std::uint64_t>(state.kernelParameters);
    const auto* a = w.lanes<std::uint64_t>(in.a);
    std::uint32_t inside = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        inside |= static_cast<std::uint32_t>(a[i] - begin < state.kernelParameterBytes) << i;
    setLanes(w, in.dst, inside);
}

void isInRanges(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint64_t>(in.a);
    std::uint32_t inside = 0;
    for (unsigned k = 0; k + 1 < in.moreCount; k += 2) {
        const auto *begin = w.lanes<std::uint64_t>(in.more[k]), *end = w.lanes<std::uint64_t>(in.more[k + 1]);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            inside |= static_cast<std::uint32_t>(a[i] >= begin[i] && a[i] < end[i]) << i;
    }
    setLanes(w, in.dst, inside);
}

void isSet(instructions::Warp& w, const instructions::Inst& in) {
    const auto* a = w.lanes<std::uint32_t>(in.a);
    std::uint32_t set = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        set |= static_cast<std::uint32_t>(a[i] != 0) << i;
    setLanes(w, in.dst, set);
}

void readClock32(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = smCycles(w) >> in.imm;
    writeLanes<std::uint32_t>(w, in.dst, [value](unsigned) { return value; });
}

void readClock64(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = smCycles(w) >> in.imm;
    writeLanes<std::uint64_t>(w, in.dst, [value](unsigned) { return value; });
}

void readTimer32(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = timerNs(w) >> in.imm;
    writeLanes<std::uint32_t>(w, in.dst, [value](unsigned) { return value; });
}

void readTimer64(instructions::Warp& w, const instructions::Inst& in) {
    const std::uint64_t value = timerNs(w) >> in.imm;
    writeLanes<std::uint64_t>(w, in.dst, [value](unsigned) { return value; });
}

} // namespace dormer::emulator::exec
