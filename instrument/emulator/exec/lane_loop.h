// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/instruction.h"
#include "instrument/emulator/exec/operation_spec.h"

#include <immintrin.h>

/// Handlers from functions of one lane: loops that GCC turns into vector code. Everything is a template over
/// a lambda's type, so each copy of the code for a vector width stays in its own object file.
namespace dormer::emulator::DORMER_ISA {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <typename To, typename From>
[[gnu::always_inline]] constexpr To bitsAs(From from) {
    return __builtin_bit_cast(To, from);
}

/// dst[i] = f(sources[i]...) in the lanes that execute. Sources may be the destination itself: each lane
/// depends on itself alone.
template <typename D, typename F, typename... S>
[[gnu::always_inline]] inline void eachLane(u32 exec, D* dst, F f, const S*... sources) {
    if (exec == kAllLanes) [[likely]] {
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            dst[i] = f(sources[i]...);
    } else if constexpr (sizeof(D) == 2) {
        // In two steps: GCC 12 fails on a masked 16-bit minimum or maximum ("unrecognizable insn").
        alignas(64) D values[kLanes];
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            values[i] = f(sources[i]...);
        asm("" : "+m"(values));
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i)
            dst[i] = (exec >> i & 1) != 0 ? values[i] : dst[i];
    } else {
#pragma GCC ivdep
        for (unsigned i = 0; i < kLanes; ++i) {
            const D value = f(sources[i]...);
            dst[i] = (exec >> i & 1) != 0 ? value : dst[i];
        }
    }
}

/// Values computed for all lanes into the destination, where they execute.
template <typename T>
[[gnu::always_inline]] inline void store(u32 exec, T* dst, const T* values) {
    eachLane(
        exec, dst, [](T v) { return v; }, values);
}

/// The bits of lanes that execute replace those of the predicate.
[[gnu::always_inline]] inline void storePredicate(Warp& warp, Ref ref, u32 bits) {
    u32& word = warp.predicate(ref);
    word = (word & ~warp.exec) | (bits & warp.exec);
}

template <typename D, typename A, typename F>
auto unary(F) {
    return [](Warp& w, const Inst& in) { eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a)); };
}
template <typename D, typename A, typename B, typename F>
auto binary(F) {
    return [](Warp& w, const Inst& in) {
        eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a), w.lanes<B>(in.b));
    };
}
template <typename D, typename A, typename B, typename C, typename F>
auto ternary(F) {
    return [](Warp& w, const Inst& in) {
        eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a), w.lanes<B>(in.b), w.lanes<C>(in.c));
    };
}

/// Runs a handler with the processor's rounding mode changed. The opaque pointer keeps the compiler from
/// moving arithmetic out of it.
template <unsigned Mode, typename H>
auto inMode(H) {
    return [](Warp& w, const Inst& in) {
        Handler inner = H{};
        asm volatile("" : "+r"(inner));
        const unsigned saved = _mm_getcsr();
        _mm_setcsr((saved & ~unsigned(_MM_ROUND_MASK)) | Mode);
        inner(w, in);
        _mm_setcsr(saved);
    };
}
template <typename H>
Handler rounded(Rounding rounding, H handler) {
    switch (rounding) {
    case Rounding::None:
    case Rounding::Nearest:
        return handler;
    case Rounding::Zero:
        return inMode<_MM_ROUND_TOWARD_ZERO>(handler);
    case Rounding::Down:
        return inMode<_MM_ROUND_DOWN>(handler);
    case Rounding::Up:
        return inMode<_MM_ROUND_UP>(handler);
    case Rounding::Away:
        return nullptr;
    }
    return nullptr;
}

/// Families of instructions. Each answers with no handler for what it doesn't know.
Found findInteger(const Spec& spec);
Found findDivision(const Spec& spec);
Found findLogic(const Spec& spec);
Found findBits(const Spec& spec);
Found findCompare(const Spec& spec);
Found findFp32(const Spec& spec);
Found findSpecial(const Spec& spec);
Found findFp64(const Spec& spec);
Found findHalf(const Spec& spec);
Found findConvert(const Spec& spec);
Found findConvertHalf(const Spec& spec);
Found findMove(const Spec& spec);
Found findExchange(const Spec& spec);

} // namespace dormer::emulator::DORMER_ISA
