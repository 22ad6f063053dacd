// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the sources compiled per vector width: loads and stores by window, element and register type.

#include "instrument/emulator/accesses/memory_isa.h"
#include "instrument/emulator/program/program.h"

#include <algorithm>
#include <emmintrin.h>
#include <type_traits>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

/// One lane's element between its register and host memory.
template <typename Element, typename Register, bool Store>
inline void moveElement(Register* reg, unsigned lane, std::byte* host) {
    if constexpr (Store) {
        const auto value = static_cast<Element>(reg[lane]);
        std::memcpy(host, &value, sizeof value);
    } else {
        Element value;
        std::memcpy(&value, host, sizeof value);
        reg[lane] = static_cast<Register>(value);
    }
}

/// Moves the lanes of `mask` between registers and host memory at hosts[i].
template <typename Element, typename Register, bool Store>
inline void moveLanes(exec::WarpState& w, const instructions::Inst& in, std::byte* const* hosts,
                      std::uint32_t mask) {
    for (unsigned k = 0; k < in.moreCount; ++k) {
        if (!in.more[k].present()) continue;
        auto* reg = w.lanes<Register>(in.more[k]);
        if (mask == instructions::kAllLanes) {
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                moveElement<Element, Register, Store>(reg, i, hosts[i] + k * sizeof(Element));
            continue;
        }
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            moveElement<Element, Register, Store>(reg, i, hosts[i] + k * sizeof(Element));
        }
    }
}

/// One access of the machine: other threads see all of it or nothing. (16 aligned bytes are one where there
/// is AVX: Intel SDM volume 3, 9.1.1; AMD APM volume 2, 7.3.2.)
template <typename Word>
inline Word loadWhole(const std::byte* host) {
    if constexpr (sizeof(Word) == 16)
        return *reinterpret_cast<const volatile Word*>(host);
    else
        return __atomic_load_n(reinterpret_cast<const Word*>(host), __ATOMIC_RELAXED);
}
template <typename Word>
inline void storeWhole(std::byte* host, Word word) {
    if constexpr (sizeof(Word) == 16)
        *reinterpret_cast<volatile Word*>(host) = word;
    else
        __atomic_store_n(reinterpret_cast<Word*>(host), word, __ATOMIC_RELAXED);
}

/// Moves vectors of aligned elements, each lane's as one word: programs pass a flag and a value that way
/// (CUB's look-back), as hardware never tears them.
template <typename Element, typename Register, bool Store, typename Word>
inline void moveWords(exec::WarpState& w, const instructions::Inst& in, std::byte* const* hosts,
                      std::uint32_t mask) {
    constexpr unsigned kElements = sizeof(Word) / sizeof(Element);
    Register* registers[kElements] = {};
    for (unsigned k = 0; k < kElements; ++k)
        if (in.more[k].present()) registers[k] = w.lanes<Register>(in.more[k]);
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        Element values[kElements] = {};
        if constexpr (Store) {
            for (unsigned k = 0; k < kElements; ++k)
                if (registers[k] != nullptr) values[k] = static_cast<Element>(registers[k][i]);
            Word word;
            std::memcpy(&word, values, sizeof word);
            storeWhole(hosts[i], word);
        } else {
            const Word word = loadWhole<Word>(hosts[i]);
            std::memcpy(values, &word, sizeof word);
            for (unsigned k = 0; k < kElements; ++k)
                if (registers[k] != nullptr) registers[k][i] = static_cast<Register>(values[k]);
        }
    }
}

/// Moves the lanes of `mask` where other warps may look at the same time.
template <typename Element, typename Register, bool Store>
inline void moveVisibly(exec::WarpState& w, const instructions::Inst& in, std::byte* const* hosts,
                        std::uint32_t mask) {
    if (in.moreCount > 1) {
        switch (sizeof(Element) * in.moreCount) {
        case 2:
            if constexpr (sizeof(Element) < 2)
                return moveWords<Element, Register, Store, std::uint16_t>(w, in, hosts, mask);
            break;
        case 4:
            if constexpr (sizeof(Element) < 4)
                return moveWords<Element, Register, Store, std::uint32_t>(w, in, hosts, mask);
            break;
        case 8:
            if constexpr (sizeof(Element) < 8)
                return moveWords<Element, Register, Store, std::uint64_t>(w, in, hosts, mask);
            break;
        case 16:
            return moveWords<Element, Register, Store, __m128i>(w, in, hosts, mask);
        default:
            break; // wider ones are several accesses on hardware, too
        }
    }
    moveLanes<Element, Register, Store>(w, in, hosts, mask);
}

/// Looks for lanes of a store that give one address different values.
template <typename Element, typename Register>
void findClash(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
               std::uint32_t mask) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        for (std::uint32_t others = rest & (rest - 1); others != 0; others &= others - 1) {
            const auto j = static_cast<unsigned>(std::countr_zero(others));
            if (addresses[i] != addresses[j]) continue;
            for (unsigned k = 0; k < in.moreCount; ++k) {
                const auto* values = w.lanes<Register>(in.more[k]);
                if (static_cast<Element>(values[i]) == static_cast<Element>(values[j])) continue;
                w.watch->clash(w.index, in.index, i, j, addresses[i]);
                return;
            }
        }
    }
}

/// All lanes, elements side by side in memory: one long move.
template <typename Element, typename Register, bool Store>
inline void moveContiguous(exec::WarpState& w, const instructions::Inst& in, std::byte* host) {
    auto* reg = w.lanes<Register>(in.more[0]);
    if constexpr (Store) {
        if constexpr (sizeof(Element) == sizeof(Register)) {
            std::memcpy(host, reg, instructions::kLanes * sizeof(Element));
        } else {
            Element values[instructions::kLanes];
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                values[i] = static_cast<Element>(reg[i]);
            std::memcpy(host, values, sizeof values);
        }
    } else {
        if constexpr (sizeof(Element) == sizeof(Register)) {
            std::memcpy(reg, host, instructions::kLanes * sizeof(Element));
        } else {
            Element values[instructions::kLanes];
            std::memcpy(values, host, sizeof values);
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                reg[i] = static_cast<Register>(values[i]);
        }
    }
}

template <bool Store>
constexpr AccessText accessText(unsigned width) {
    return {Store ? "store" : "load", width};
}

template <typename Element, typename Register, bool Store>
void globalLanes(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask, bool counted) {
    const unsigned width = static_cast<unsigned>(sizeof(Element)) * in.moreCount;
    const exec::AllocationRange& range = w.counts->ranges[in.index];
    if (misfits(addresses, mask, range.begin, range.bytes, width - 1) != 0)
        checkGlobal(w, in, addresses, mask, accessText<Store>(width));
    const bool contiguous = isContiguous(addresses, mask, width);
    const auto count = [&] {
        if (w.port == nullptr || !counted) return;
        countGlobal(w, in, addresses, mask, width,
                    Store                         ? hierarchy::AccessKind::Store
                    : (in.flags & kBypassL1) != 0 ? hierarchy::AccessKind::LoadGlobal
                                                  : hierarchy::AccessKind::Load,
                    contiguous);
    };
    if (contiguous && in.moreCount == 1 && in.more[0].present()) {
        moveContiguous<Element, Register, Store>(w, in, reinterpret_cast<std::byte*>(addresses[0]));
        count();
    } else {
        // Scattered data come from the host's memory while they are counted.
        constexpr std::uint64_t kHostLine = 64;
        if (addresses[0] / kHostLine != addresses[1] / kHostLine)
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                _mm_prefetch(reinterpret_cast<const char*>(addresses[i]), _MM_HINT_T0);
        count();
        moveVisibly<Element, Register, Store>(w, in, reinterpret_cast<std::byte* const*>(addresses), mask);
    }
    if (w.watch != nullptr) [[unlikely]] {
        watchGlobal(w, in, addresses, mask, width,
                    Store ? exec::SharedWatch::Access::Write : exec::SharedWatch::Access::Read);
        if (Store && !contiguous && (in.flags & kStrong) == 0)
            findClash<Element, Register>(w, in, addresses, mask);
    }
}

/// Lanes that access other blocks' shared memory, or none at all.
template <typename Element, typename Register, bool Store>
void clusterLanes(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                  std::uint32_t mask) {
    const unsigned width = static_cast<unsigned>(sizeof(Element)) * in.moreCount;
    std::byte* hosts[instructions::kLanes] = {};
    if (!clusterHosts(w, addresses, mask, width, hosts))
        failShared(w, addresses, mask, accessText<Store>(width));
    moveVisibly<Element, Register, Store>(w, in, hosts, mask);
    if (w.port == nullptr) return;
    std::uint32_t offsets[instructions::kLanes];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        offsets[i] = static_cast<std::uint32_t>(addresses[i] & program::kClusterPlaceMask);
    countShared(w, in, addresses, mask, width,
                wavefrontsRemembered<Store>(exec::memoOf(*w.counts, in.index).shared, offsets, mask, width));
}

template <typename Element, typename Register, bool Store>
void sharedLanes(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask) {
    const unsigned width = static_cast<unsigned>(sizeof(Element)) * in.moreCount;
    const std::uint64_t limit = w.sharedBytes >= width ? w.sharedBytes - width + 1 : 0;
    if (misfits(addresses, mask, 0, limit, width - 1) != 0) [[unlikely]]
        return clusterLanes<Element, Register, Store>(w, in, addresses, mask);
    const bool contiguous = isContiguous(addresses, mask, width);
    if (w.watch != nullptr) [[unlikely]] {
        using Access = exec::SharedWatch::Access;
        watchShared(w, in, addresses, mask, width, Store ? Access::Write : Access::Read);
        if (Store && !contiguous && (in.flags & kStrong) == 0)
            findClash<Element, Register>(w, in, addresses, mask);
    }
    if (contiguous && in.moreCount == 1 && in.more[0].present()) {
        moveContiguous<Element, Register, Store>(w, in, w.shared + addresses[0]);
    } else {
        std::byte* hosts[instructions::kLanes];
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            hosts[i] = hostAt(w.shared, addresses[i]);
        moveVisibly<Element, Register, Store>(w, in, hosts, mask);
    }
    if (w.port == nullptr) return;
    if (contiguous) { // all banks once, or as often as the width takes
        countShared(w, in, addresses, mask, width,
                    (instructions::kLanes * width + access::kLineBytes - 1) / access::kLineBytes);
        return;
    }
    std::uint32_t offsets[instructions::kLanes];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        offsets[i] = static_cast<std::uint32_t>(addresses[i]);
    countShared(w, in, addresses, mask, width,
                wavefrontsRemembered<Store>(exec::memoOf(*w.counts, in.index).shared, offsets, mask, width));
}

/// Local memory lies interleaved on hardware: word n of 32 lanes makes one line, so that lanes at the same
/// offset are coalesced.
inline void countLocal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* offsets,
                       std::uint32_t mask, unsigned width, bool store) {
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    const unsigned lanes = static_cast<unsigned>(std::popcount(mask));
    ++counts.executions;
    counts.threads += lanes;
    unsigned sectors = 0;
    std::uint64_t addresses[instructions::kLanes];
    for (unsigned word = 0; word < (width + 3) / 4; ++word) {
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            addresses[i] = w.localAddress + (offsets[i] / 4 + word) * 128 + i * 4;
        access::LineAccess lines[access::kMaxLines];
        const access::Coalesced result = access::coalesce(addresses, mask, 4, lines);
        sectors += result.sectors;
        counts.lines += result.lines;
        w.port->access(store ? hierarchy::AccessKind::Store : hierarchy::AccessKind::Load, lines,
                       result.lines, lanes * std::min(width, 4U));
    }
    const unsigned ideal = access::idealSectors(lanes, width, sectors);
    counts.sectors += sectors;
    counts.sectorsIdeal += ideal;
    // A lane's words of a wider access lie in different lines: no place of a lane tells where it went.
    if (width <= 4) sampleLanes(w, in, addresses, mask, lanes, sectors - ideal, kNotShared);
}

template <typename Element, typename Register, bool Store>
void localLanes(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* offsets,
                std::uint32_t mask) {
    const unsigned width = static_cast<unsigned>(sizeof(Element)) * in.moreCount;
    const std::uint64_t limit = w.localStride >= width ? w.localStride - width + 1 : 0;
    if (misfits(offsets, mask, 0, limit, width - 1) != 0)
        failLocal(w, offsets, mask, accessText<Store>(width));
    std::byte* hosts[instructions::kLanes];
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        hosts[i] = hostAt(w.local, std::uint64_t{i} * w.localStride + offsets[i]);
    moveLanes<Element, Register, Store>(w, in, hosts, mask);
    if (w.port != nullptr) countLocal(w, in, offsets, mask, width, Store);
}

template <program::Window W, typename Element, typename Register, bool Store>
void access(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    alignas(64) Addresses addresses;
    if constexpr (W != program::Window::CallParameter) readAddresses(w, in, addresses);
    // A function's own parameters and variables go with it.
    if constexpr (Store && W != program::Window::CallParameter && W != program::Window::Local)
        w.wrote |= w.exec;
    if constexpr (!Store) w.strongAccesses += (in.flags & kBypassL1) != 0 ? 1 : 0;
    if constexpr (W == program::Window::Global) {
        globalLanes<Element, Register, Store>(w, in, addresses, w.exec, true);
    } else if constexpr (W == program::Window::Constant) {
        globalLanes<Element, Register, Store>(w, in, addresses, w.exec, false);
        countConstant(w, in, addresses, w.exec);
    } else if constexpr (W == program::Window::Shared) {
        sharedLanes<Element, Register, Store>(w, in, addresses, w.exec);
    } else if constexpr (W == program::Window::Local) {
        localLanes<Element, Register, Store>(w, in, addresses, w.exec);
    } else if constexpr (W == program::Window::Generic) {
        std::uint32_t shared = 0, local = 0;
        for (unsigned i = 0; i < instructions::kLanes; ++i) {
            shared |=
                static_cast<std::uint32_t>(addresses[i] - program::kSharedWindow < program::kWindowBytes)
                << i;
            local |= static_cast<std::uint32_t>(addresses[i] - program::kLocalWindow < program::kWindowBytes)
                     << i;
        }
        shared &= w.exec;
        local &= w.exec;
        const std::uint32_t global = w.exec & ~shared & ~local;
        if (global != 0) globalLanes<Element, Register, Store>(w, in, addresses, global, true);
        Addresses offsets;
        if (shared != 0) {
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                offsets[i] = addresses[i] - program::kSharedWindow;
            sharedLanes<Element, Register, Store>(w, in, offsets, shared);
        }
        if (local != 0) {
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                offsets[i] = addresses[i] - program::kLocalWindow;
            localLanes<Element, Register, Store>(w, in, offsets, local);
        }
    } else if constexpr (W == program::Window::KernelParameter) {
        const unsigned width = static_cast<unsigned>(sizeof(Element)) * in.moreCount;
        const auto begin = reinterpret_cast<std::uint64_t>(w.kernelParameters);
        const std::uint64_t limit = w.kernelParameterBytes >= width ? w.kernelParameterBytes - width + 1 : 0;
        if (Store || misfits(addresses, w.exec, begin, limit, 0) != 0)
            failParameter(addresses, w.exec, accessText<Store>(width));
        std::byte* hosts[instructions::kLanes];
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            hosts[i] = reinterpret_cast<std::byte*>(addresses[i]);
        moveLanes<Element, Register, false>(w, in, hosts, w.exec);
    } else {
        std::byte* hosts[instructions::kLanes];
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            hosts[i] = w.parameterArea + std::size_t{i} * w.parameterStride + w.parameterOffset + in.imm;
        moveLanes<Element, Register, Store>(w, in, hosts, w.exec);
    }
}

template <program::Window W, typename Element, bool Store>
instructions::Handler accessOfRegister(std::uint8_t registerBytes) {
    using Wide2 = std::conditional_t<std::is_signed_v<Element>, std::int16_t, std::uint16_t>;
    using Wide4 = std::conditional_t<std::is_signed_v<Element>, std::int32_t, std::uint32_t>;
    using Wide8 = std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>;
    if constexpr (sizeof(Element) <= 2)
        if (registerBytes == 2) return access<W, Element, Wide2, Store>;
    if constexpr (sizeof(Element) <= 4)
        if (registerBytes == 4) return access<W, Element, Wide4, Store>;
    return registerBytes == 8 ? access<W, Element, Wide8, Store> : nullptr;
}

template <program::Window W>
instructions::Handler accessOf(const AccessShape& shape) {
    if (shape.store) {
        switch (shape.elementBytes) {
        case 1:
            return accessOfRegister<W, std::uint8_t, true>(shape.registerBytes);
        case 2:
            return accessOfRegister<W, std::uint16_t, true>(shape.registerBytes);
        case 4:
            return accessOfRegister<W, std::uint32_t, true>(shape.registerBytes);
        case 8:
            return accessOfRegister<W, std::uint64_t, true>(shape.registerBytes);
        default:
            return nullptr;
        }
    }
    const bool widens = shape.signExtend && shape.registerBytes > shape.elementBytes;
    switch (shape.elementBytes) {
    case 1:
        return widens ? accessOfRegister<W, std::int8_t, false>(shape.registerBytes)
                      : accessOfRegister<W, std::uint8_t, false>(shape.registerBytes);
    case 2:
        return widens ? accessOfRegister<W, std::int16_t, false>(shape.registerBytes)
                      : accessOfRegister<W, std::uint16_t, false>(shape.registerBytes);
    case 4:
        return widens ? accessOfRegister<W, std::int32_t, false>(shape.registerBytes)
                      : accessOfRegister<W, std::uint32_t, false>(shape.registerBytes);
    case 8:
        return accessOfRegister<W, std::uint64_t, false>(shape.registerBytes);
    default:
        return nullptr;
    }
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
