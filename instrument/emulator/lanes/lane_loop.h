// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/instructions/operation_spec.h"

#include <immintrin.h>

/// Handlers from functions of one lane: loops that GCC turns into vector code. Everything is a template over
/// a lambda's type, so each copy of the code for a vector width stays in its own object file.
namespace dormer::emulator::lanes::DORMER_ISA {

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
    if (exec == instructions::kAllLanes) [[likely]] {
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            dst[i] = f(sources[i]...);
    } else if constexpr (sizeof(D) == 2) {
        // In two steps: GCC 12 fails on a masked 16-bit minimum or maximum ("unrecognizable insn").
        alignas(64) D values[instructions::kLanes];
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = f(sources[i]...);
        asm("" : "+m"(values));
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            dst[i] = (exec >> i & 1) != 0 ? values[i] : dst[i];
    } else {
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i) {
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
[[gnu::always_inline]] inline void storePredicate(instructions::Warp& warp, instructions::Ref ref, u32 bits) {
    u32& word = warp.predicate(ref);
    word = (word & ~warp.exec) | (bits & warp.exec);
}

template <typename D, typename A, typename F>
auto unary(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a));
    };
}
template <typename D, typename A, typename B, typename F>
auto binary(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a), w.lanes<B>(in.b));
    };
}
template <typename D, typename A, typename B, typename C, typename F>
auto ternary(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        eachLane(w.exec, w.lanes<D>(in.dst), F{}, w.lanes<A>(in.a), w.lanes<B>(in.b), w.lanes<C>(in.c));
    };
}

/// Runs a handler with the processor's rounding mode changed. The opaque pointer keeps the compiler from
/// moving arithmetic out of it.
template <unsigned Mode, typename H>
auto inMode(H) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        instructions::Handler inner = H{};
        asm volatile("" : "+r"(inner));
        const unsigned saved = _mm_getcsr();
        _mm_setcsr((saved & ~unsigned(_MM_ROUND_MASK)) | Mode);
        inner(w, in);
        _mm_setcsr(saved);
    };
}
template <typename H>
instructions::Handler rounded(instructions::Rounding rounding, H handler) {
    switch (rounding) {
    case instructions::Rounding::None:
    case instructions::Rounding::Nearest:
        return handler;
    case instructions::Rounding::Zero:
        return inMode<_MM_ROUND_TOWARD_ZERO>(handler);
    case instructions::Rounding::Down:
        return inMode<_MM_ROUND_DOWN>(handler);
    case instructions::Rounding::Up:
        return inMode<_MM_ROUND_UP>(handler);
    case instructions::Rounding::Away:
        return nullptr;
    }
    return nullptr;
}

/// Families of instructions. Each answers with no handler for what it doesn't know.
instructions::Found findInteger(const instructions::Spec& spec);
instructions::Found findDivision(const instructions::Spec& spec);
instructions::Found findLogic(const instructions::Spec& spec);
instructions::Found findBits(const instructions::Spec& spec);
instructions::Found findCompare(const instructions::Spec& spec);
instructions::Found findFp32(const instructions::Spec& spec);
instructions::Found findSpecial(const instructions::Spec& spec);
instructions::Found findFp64(const instructions::Spec& spec);
instructions::Found findHalf(const instructions::Spec& spec);
instructions::Found findConvert(const instructions::Spec& spec);
instructions::Found findConvertHalf(const instructions::Spec& spec);
instructions::Found findMove(const instructions::Spec& spec);
instructions::Found findExchange(const instructions::Spec& spec);

} // namespace dormer::emulator::lanes::DORMER_ISA
