// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/operation.h"
#include "instrument/emulator/lanes/lane_bits.h"

/// shfl, vote, match, redux, activemask, elect. They act on the lanes that execute and are named in their own
/// member mask: lanes with different masks form groups of their own.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

enum class Shuffle { Up, Down, Butterfly, Index };

[[gnu::always_inline]] inline void gather(const u32* from, const u32* index, u32* to) {
#ifdef __AVX512F__
    const __m512i low = _mm512_load_si512(from), high = _mm512_load_si512(from + 16);
    for (unsigned i = 0; i < instructions::kLanes; i += 16)
        _mm512_store_si512(to + i, _mm512_permutex2var_epi32(low, _mm512_load_si512(index + i), high));
#else
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        to[i] = from[index[i]];
#endif
}

/// Lanes that take part with lane i.
[[gnu::always_inline]] inline u32 members(const instructions::Warp& w, instructions::Ref mask,
                                          unsigned lane) {
    return mask.present() ? w.lanes<u32>(mask)[lane] & w.exec : w.exec;
}

[[gnu::always_inline]] inline void allMembers(const instructions::Warp& w, instructions::Ref mask,
                                              u32* group) {
    const u32 exec = w.exec;
    if (mask.present()) {
        const u32* masks = w.lanes<u32>(mask);
#pragma GCC ivdep
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            group[i] = masks[i] & exec;
    } else {
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            group[i] = exec;
    }
}

/// A lane that would read outside its segment, or whose operands lead nowhere, reads itself (PTX ISA, shfl).
/// PTX leaves undefined what comes from a lane that does not execute or is not in the member mask, and what a
/// lane gets that is not in it itself. From one that does not execute comes 0, as on an H200.
template <Shuffle Way>
void shuffle(instructions::Warp& w, const instructions::Inst& in) {
    const u32* b = w.lanes<u32>(in.b);
    const u32* c = w.lanes<u32>(in.c);
    alignas(64) u32 index[instructions::kLanes], value[instructions::kLanes];
    alignas(64) s32 inside[instructions::kLanes], lost[instructions::kLanes];
    alignas(64) u32 group[instructions::kLanes], present[instructions::kLanes];
    allMembers(w, in.d, group);
    const u32 exec = w.exec;
#pragma GCC ivdep
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        const u32 lane = i, offset = b[i] & 31, clamp = c[i] & 31, segment = c[i] >> 8 & 31;
        const u32 last = (lane & segment) | (clamp & ~segment), first = lane & segment;
        s32 source = 0;
        bool valid = false;
        if constexpr (Way == Shuffle::Up) {
            source = s32(lane) - s32(offset);
            valid = source >= s32(last);
        } else {
            source = s32(Way == Shuffle::Down        ? lane + offset
                         : Way == Shuffle::Butterfly ? lane ^ offset
                                                     : first | (offset & ~segment));
            valid = source <= s32(last);
        }
        const u32 from = valid ? u32(source) & 31 : lane;
        index[i] = from;
        inside[i] = valid ? -1 : 0;
        lost[i] = ((group[i] >> from) & (group[i] >> lane) & 1) != 0 ? 0 : -1;
        present[i] = 0 - ((exec >> from) & 1);
    }
    if (w.undefined != nullptr && (packBits(lost) & w.exec) != 0) [[unlikely]]
        w.undefined(w, in);
    if (in.dst.present()) {
        gather(w.lanes<u32>(in.a), index, value);
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            value[i] &= present[i];
        store(w.exec, w.lanes<u32>(in.dst), value);
    }
    if (in.dst2.present()) storePredicate(w, in.dst2, packBits(inside));
}

enum class Vote { All, Any, Uniform, Ballot };

template <Vote Which>
void vote(instructions::Warp& w, const instructions::Inst& in) {
    u32 asked = w.predicate(in.a);
    if ((in.flags & instructions::kNegatedA) != 0) asked = ~asked;
    alignas(64) u32 group[instructions::kLanes];
    allMembers(w, in.b, group);
    if constexpr (Which == Vote::Ballot) {
        eachLane(
            w.exec, w.lanes<u32>(in.dst), [asked](u32 g) { return g & asked; }, group);
    } else {
        const u32 yes = testLanes(
            [asked](u32 g) {
                const bool all = (g & asked) == g, any = (g & asked) != 0;
                return Which == Vote::All ? all : Which == Vote::Any ? any : all || !any;
            },
            group);
        storePredicate(w, in.dst, yes);
    }
}

/// Lanes whose value equals that of lane `of`.
template <typename T>
u32 equalLanes(const T* values, unsigned of) {
    const T wanted = values[of];
    return testLanes([wanted](T v) { return v == wanted; }, values);
}

template <typename T>
void matchAny(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) u32 equal[instructions::kLanes];
    const T* values = w.lanes<T>(in.a);
    // A comparison for each lane is quicker than one for each different value as soon as there are many.
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        equal[i] = equalLanes(values, i);
    alignas(64) u32 group[instructions::kLanes];
    allMembers(w, in.b, group);
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        equal[i] &= group[i];
    store(w.exec, w.lanes<u32>(in.dst), equal);
}

template <typename T>
void matchAll(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) u32 result[instructions::kLanes];
    const T* values = w.lanes<T>(in.a);
    u32 yes = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        if ((w.exec >> i & 1) == 0) continue;
        const u32 group = members(w, in.b, i);
        const bool all = group != 0 && (equalLanes(values, unsigned(__builtin_ctz(group))) & group) == group;
        result[i] = all ? group : 0;
        yes |= u32(all) << i;
    }
    if (in.dst.present()) store(w.exec, w.lanes<u32>(in.dst), result);
    if (in.dst2.present()) storePredicate(w, in.dst2, yes);
}

template <typename T, typename F>
auto reduction(F) {
    return [](instructions::Warp& w, const instructions::Inst& in) {
        const T* values = w.lanes<T>(in.a);
        alignas(64) T result[instructions::kLanes];
        const u32* masks = w.lanes<u32>(in.b);
        u32 everyone = w.exec;
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            everyone &= masks[i];
        if (everyone == instructions::kAllLanes) {
            T sum = values[0];
            for (unsigned i = 1; i < instructions::kLanes; ++i)
                sum = F{}(sum, values[i]);
            for (T& one : result)
                one = sum;
            store(w.exec, w.lanes<T>(in.dst), result);
            return;
        }
        for (u32 left = w.exec; left != 0;) {
            const unsigned first = unsigned(__builtin_ctz(left));
            const u32 group = members(w, in.b, first) | 1u << first;
            const unsigned start = unsigned(__builtin_ctz(group));
            T sum = values[start];
            for (u32 rest = group & (group - 1); rest != 0; rest &= rest - 1)
                sum = F{}(sum, values[__builtin_ctz(rest)]);
            for (u32 rest = group; rest != 0; rest &= rest - 1)
                result[__builtin_ctz(rest)] = sum;
            left &= ~group;
        }
        store(w.exec, w.lanes<T>(in.dst), result);
    };
}

instructions::Handler findReduction(const instructions::Spec& s) {
    const instructions::Kind type = s.type();
    if (!s.widths(4, 4, 4) || s.typeCount != 1) return nullptr;
    const bool isBits = type == instructions::Kind::B32, isS32 = type == instructions::Kind::S32;
    if (!isBits && !isS32 && type != instructions::Kind::U32) return nullptr;
    switch (s.flags & ~u64(instructions::kSync)) {
    case instructions::kAddition:
        return isBits ? nullptr : instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a + b; }));
    case instructions::kMinimum:
        if (isS32) return reduction<s32>([](s32 a, s32 b) { return a < b ? a : b; });
        return isBits ? nullptr
                      : instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a < b ? a : b; }));
    case instructions::kMaximum:
        if (isS32) return reduction<s32>([](s32 a, s32 b) { return a > b ? a : b; });
        return isBits ? nullptr
                      : instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a > b ? a : b; }));
    case instructions::kAnd:
        return isBits ? instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a & b; })) : nullptr;
    case instructions::kOr:
        return isBits ? instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a | b; })) : nullptr;
    case instructions::kXor:
        return isBits ? instructions::Handler(reduction<u32>([](u32 a, u32 b) { return a ^ b; })) : nullptr;
    default:
        return nullptr;
    }
}

void activeMask(instructions::Warp& w, const instructions::Inst& in) {
    const u32 exec = w.exec;
    alignas(64) u32 values[instructions::kLanes];
    for (u32& value : values)
        value = exec;
    store(exec, w.lanes<u32>(in.dst), values);
}

/// The leader is the lowest member that executes.
void elect(instructions::Warp& w, const instructions::Inst& in) {
    alignas(64) u32 leader[instructions::kLanes];
    u32 yes = 0;
    for (unsigned i = 0; i < instructions::kLanes; ++i) {
        const u32 group = members(w, in.a, i);
        leader[i] = group != 0 ? u32(__builtin_ctz(group)) : i;
        yes |= u32(leader[i] == i) << i;
    }
    if (in.dst.present()) store(w.exec, w.lanes<u32>(in.dst), leader);
    if (in.dst2.present()) storePredicate(w, in.dst2, yes);
}

instructions::Handler findShuffle(const instructions::Spec& s) {
    if (s.type() != instructions::Kind::B32 || s.operands != (s.has(instructions::kSync) ? 5 : 4))
        return nullptr;
    for (unsigned i = 1; i < s.operands; ++i)
        if (s.bytes[i] != 4) return nullptr;
    switch (s.flags & ~u64(instructions::kSync)) {
    case instructions::kUp:
        return shuffle<Shuffle::Up>;
    case instructions::kDown:
        return shuffle<Shuffle::Down>;
    case instructions::kButterfly:
        return shuffle<Shuffle::Butterfly>;
    case instructions::kIndex:
        return shuffle<Shuffle::Index>;
    default:
        return nullptr;
    }
}

instructions::Handler findVote(const instructions::Spec& s) {
    if (s.operands != (s.has(instructions::kSync) ? 3 : 2) || !s.predicate[1]) return nullptr;
    if (s.has(instructions::kSync) && s.bytes[2] != 4) return nullptr;
    switch (s.flags & ~u64(instructions::kSync)) {
    case instructions::kAll:
        return s.predicate[0] ? vote<Vote::All> : nullptr;
    case instructions::kAny:
        return s.predicate[0] ? vote<Vote::Any> : nullptr;
    case instructions::kUni:
        return s.predicate[0] ? vote<Vote::Uniform> : nullptr;
    case instructions::kBallot:
        return s.bytes[0] == 4 ? vote<Vote::Ballot> : nullptr;
    default:
        return nullptr;
    }
}

instructions::Handler findMatch(const instructions::Spec& s) {
    const unsigned bytes = instructions::bytesOf(s.type());
    if (s.operands != 3 || s.bytes[1] != bytes || s.bytes[2] != 4 || (bytes != 4 && bytes != 8))
        return nullptr;
    switch (s.flags & ~u64(instructions::kSync)) {
    case instructions::kAny:
        return s.bytes[0] != 4 ? nullptr : bytes == 4 ? matchAny<u32> : matchAny<u64>;
    case instructions::kAll:
        return bytes == 4 ? matchAll<u32> : matchAll<u64>;
    default:
        return nullptr;
    }
}

} // namespace

instructions::Found findExchange(const instructions::Spec& s) {
    if (s.rounding != instructions::Rounding::None) return {};
    switch (s.op) {
    case instructions::Op::Shfl:
        return {findShuffle(s), 0, 0};
    case instructions::Op::Vote:
        return {findVote(s), 0, 0};
    case instructions::Op::Match:
        return {findMatch(s), 0, 0};
    case instructions::Op::Redux:
        return {findReduction(s), 0, 0};
    case instructions::Op::ActiveMask:
        return {s.widths(4) ? activeMask : nullptr, 0, 0};
    case instructions::Op::Elect:
        return {s.only(instructions::kSync) && s.operands == 2 && s.bytes[1] == 4 ? elect : nullptr, 0, 0};
    default:
        return {};
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
