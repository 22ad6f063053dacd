// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/operations_tile.h"

#include "instrument/emulator/lanes/tensor_layout.h"

/// The products that most tensor kernels are made of: mma.m16n8k16 of 16-bit floats with sums of 32 bits, and
/// wmma's m16n16k16, which is two of them side by side. The same sums in the same order as in
/// operations_tensor.cpp, but from registers to registers: only A and B pass through memory, as floats.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

constexpr unsigned kRows = 16, kDepth = 16, kColumns = 8;

/// Eight 16-bit floats that lie together.
[[gnu::always_inline]] inline __m256 widen8(Binary16, const u16* from) {
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from)));
}
[[gnu::always_inline]] inline __m256 widen8(Bfloat16, const u16* from) {
    const __m128i raw = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(raw), 16));
}

#ifdef __AVX512F__

/// By columns, each in a vector: a register of sums or of pairs of A holds four words of a row.
struct Columns {
    __m512i word[4];
};
inline __m512i numbers(unsigned begin) {
    alignas(64) static constexpr u32 kPlaces[2][16] = {
        {0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29},
        {2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31}};
    return _mm512_load_si512(kPlaces[begin]);
}
/// Of the registers with the rows 0 to 7 and 8 to 15.
[[gnu::always_inline]] inline Columns columnsOf(const u32* upper, const u32* lower) {
    const __m512i first = numbers(0), second = numbers(1);
    const __m512i u0 = _mm512_load_si512(upper), u1 = _mm512_load_si512(upper + 16),
                  l0 = _mm512_load_si512(lower), l1 = _mm512_load_si512(lower + 16);
    const __m512i p = _mm512_permutex2var_epi32(u0, first, u1), q = _mm512_permutex2var_epi32(u0, second, u1),
                  r = _mm512_permutex2var_epi32(l0, first, l1), s = _mm512_permutex2var_epi32(l0, second, l1);
    return {{_mm512_maskz_shuffle_i64x2(0xFF, p, r, 0x44), _mm512_maskz_shuffle_i64x2(0xFF, p, r, 0xEE),
             _mm512_maskz_shuffle_i64x2(0xFF, q, s, 0x44), _mm512_maskz_shuffle_i64x2(0xFF, q, s, 0xEE)}};
}
/// NaNs become the canonical one.
[[gnu::always_inline]] inline void storeCanonical(float* to, __m512i bits) {
    const __m512 values = _mm512_castsi512_ps(bits);
    const __mmask16 nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
    _mm512_store_si512(to, _mm512_mask_set1_epi32(bits, nan, 0x7FFFFFFF));
}
/// The other way.
[[gnu::always_inline]] inline void storeColumns(const Columns& c, float* upper, float* lower) {
    alignas(64) static constexpr u32 kPlaces[2][16] = {
        {0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27},
        {4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31}};
    const __m512i first = _mm512_load_si512(kPlaces[0]), second = _mm512_load_si512(kPlaces[1]);
    const __m512i p = _mm512_maskz_shuffle_i64x2(0xFF, c.word[0], c.word[1], 0x44),
                  q = _mm512_maskz_shuffle_i64x2(0xFF, c.word[2], c.word[3], 0x44),
                  r = _mm512_maskz_shuffle_i64x2(0xFF, c.word[0], c.word[1], 0xEE),
                  s = _mm512_maskz_shuffle_i64x2(0xFF, c.word[2], c.word[3], 0xEE);
    storeCanonical(upper, _mm512_permutex2var_epi32(p, first, q));
    storeCanonical(upper + 16, _mm512_permutex2var_epi32(p, second, q));
    storeCanonical(lower, _mm512_permutex2var_epi32(r, first, s));
    storeCanonical(lower + 16, _mm512_permutex2var_epi32(r, second, s));
}

/// The lower and the upper numbers of sixteen pairs.
[[gnu::always_inline]] inline void widenPairs(Binary16, __m512i pairs, __m512& lower, __m512& upper) {
    const auto widen = [](__m512i words) {
        return _mm512_maskz_cvtph_ps(0xFFFF, _mm512_maskz_cvtepi32_epi16(0xFFFF, words));
    };
    lower = widen(pairs);
    upper = widen(_mm512_maskz_srli_epi32(0xFFFF, pairs, 16));
}
[[gnu::always_inline]] inline void widenPairs(Bfloat16, __m512i pairs, __m512& lower, __m512& upper) {
    lower = _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xFFFF, pairs, 16));
    upper = _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(s32(0xFFFF0000))));
}

/// One or two tiles of 8 columns. A vector holds a column of 16 rows.
template <typename Format, unsigned kTiles>
void multiplyTiles(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const instructions::Ref* const d = in.more;
    const instructions::Ref* const a = d + p.d.registers;
    const instructions::Ref* const b = a + p.a.registers;
    const instructions::Ref* const c = b + p.b.registers;
    __m512 from[kDepth]; // columns of A; registers 2 i and 2 i + 1 hold eight of them, in pairs
    for (unsigned i = 0; i < 2; ++i) {
        const Columns pairs = columnsOf(w.lanes<u32>(a[2 * i]), w.lanes<u32>(a[2 * i + 1]));
        for (unsigned t = 0; t < 4; ++t)
            widenPairs(Format{}, pairs.word[t], from[8 * i + 2 * t], from[8 * i + 2 * t + 1]);
    }
    alignas(64) float results[kTiles * 4][instructions::kLanes]; // registers may be sources, too
    for (unsigned tile = 0; tile < kTiles; ++tile) {
        alignas(64) float factors[kColumns][kDepth]; // register r of B holds eight k of each column
        for (unsigned reg = 0; reg < 2; ++reg) {
            const u16* const halves = w.lanes<u16>(b[tile * 2 + reg]);
            for (unsigned column = 0; column < kColumns; ++column)
                _mm256_store_ps(&factors[column][reg * 8], widen8(Format{}, halves + column * 8));
        }
        asm("" : "+m"(factors)); // else GCC 12 takes single numbers out of the vectors that it stored
        const instructions::Ref* const sums = c + tile * 4;
        const Columns even = columnsOf(w.lanes<u32>(sums[0]), w.lanes<u32>(sums[2])),
                      odd = columnsOf(w.lanes<u32>(sums[1]), w.lanes<u32>(sums[3]));
        __m512 columns[kColumns];
        for (unsigned t = 0; t < 4; ++t) {
            columns[2 * t] = _mm512_castsi512_ps(even.word[t]);
            columns[2 * t + 1] = _mm512_castsi512_ps(odd.word[t]);
        }
#pragma GCC unroll 16
        for (unsigned k = 0; k < kDepth; ++k)
#pragma GCC unroll 8
            for (unsigned j = 0; j < kColumns; ++j)
                columns[j] = _mm512_fmadd_ps(_mm512_set1_ps(factors[j][k]), from[k], columns[j]);
        Columns evenOut, oddOut;
        for (unsigned t = 0; t < 4; ++t) {
            evenOut.word[t] = _mm512_castps_si512(columns[2 * t]);
            oddOut.word[t] = _mm512_castps_si512(columns[2 * t + 1]);
        }
        storeColumns(evenOut, results[tile * 4], results[tile * 4 + 2]);
        storeColumns(oddOut, results[tile * 4 + 1], results[tile * 4 + 3]);
    }
    for (unsigned reg = 0; reg < kTiles * 4; ++reg)
        if (d[reg].present()) store(w.exec, w.lanes<float>(d[reg]), results[reg]);
}

#else

constexpr unsigned kHalf = 8;

/// Register r of A holds rows 8 (r % 2) and on, columns 8 (r / 2) and on.
template <typename Format>
[[gnu::always_inline]] inline void widenA(const instructions::Warp& w, const instructions::Ref* refs,
                                          float (&a)[kRows][kDepth]) {
    for (unsigned reg = 0; reg < 4; ++reg) {
        const u16* const from = w.lanes<u16>(refs[reg]);
        for (unsigned row = 0; row < kHalf; ++row)
            _mm256_store_ps(&a[reg % 2 * kHalf + row][reg / 2 * kHalf], widen8(Format{}, from + row * kHalf));
    }
}

/// Register r of B holds rows 8 r and on, column by column; `b` has rows of `stride`.
template <typename Format>
[[gnu::always_inline]] inline void widenB(const instructions::Warp& w, const instructions::Ref* refs,
                                          float* b, unsigned stride) {
    for (unsigned reg = 0; reg < 2; ++reg) {
        alignas(32) float columns[kColumns][kHalf];
        const u16* const from = w.lanes<u16>(refs[reg]);
        for (unsigned column = 0; column < kColumns; ++column)
            _mm256_store_ps(columns[column], widen8(Format{}, from + column * kHalf));
        transpose8(columns[0], kHalf, b + reg * kHalf * stride, stride);
    }
}

/// Eight rows of sums from the registers of their even and odd columns, and back.
[[gnu::always_inline]] inline void rowsOf(const float* even, const float* odd, __m256 (&rows)[kHalf]) {
    for (unsigned row = 0; row < kHalf; row += 2) {
        const __m256 a = _mm256_load_ps(even + row * kGroupLanes),
                     b = _mm256_load_ps(odd + row * kGroupLanes);
        const __m256 low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
        rows[row] = _mm256_permute2f128_ps(low, high, 0x20);
        rows[row + 1] = _mm256_permute2f128_ps(low, high, 0x31);
    }
}
/// NaNs become the canonical one.
[[gnu::always_inline]] inline void storeCanonical(float* to, __m256 values) {
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
    _mm256_store_ps(to, _mm256_blendv_ps(values, nan, _mm256_cmp_ps(values, values, _CMP_UNORD_Q)));
}
[[gnu::always_inline]] inline void storeRows(const __m256 (&rows)[kHalf], float* even, float* odd) {
    for (unsigned row = 0; row < kHalf; row += 2) {
        const __m256 low = _mm256_permute2f128_ps(rows[row], rows[row + 1], 0x20),
                     high = _mm256_permute2f128_ps(rows[row], rows[row + 1], 0x31);
        storeCanonical(even + row * kGroupLanes, _mm256_shuffle_ps(low, high, 0x88));
        storeCanonical(odd + row * kGroupLanes, _mm256_shuffle_ps(low, high, 0xDD));
    }
}

/// Adds a * b to eight rows of sums, in the order of k.
[[gnu::always_inline]] inline void addProducts(const float (*a)[kDepth], const float* b, unsigned stride,
                                               __m256 (&rows)[kHalf]) {
#pragma GCC unroll 4
    for (unsigned k = 0; k < kDepth; ++k) {
        const __m256 from = _mm256_load_ps(b + k * stride);
#pragma GCC unroll 8
        for (unsigned i = 0; i < kHalf; ++i)
            rows[i] = _mm256_fmadd_ps(_mm256_set1_ps(a[i][k]), from, rows[i]);
    }
}
/// One or two tiles of 8 columns.
template <typename Format, unsigned kTiles>
void multiplyTiles(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const instructions::Ref* const d = in.more;
    const instructions::Ref* const a = d + p.d.registers;
    const instructions::Ref* const b = a + p.a.registers;
    const instructions::Ref* const c = b + p.b.registers;
    constexpr unsigned kStride = kTiles * kColumns;
    alignas(64) float factors[kRows][kDepth], from[kDepth * kStride];
    alignas(64) float results[kTiles * 4][instructions::kLanes]; // registers may be sources, too
    widenA<Format>(w, a, factors);
    for (unsigned tile = 0; tile < kTiles; ++tile)
        widenB<Format>(w, b + tile * 2, from + tile * kColumns, kStride);
    for (unsigned half = 0; half < 2; ++half) {
        __m256 rows[kTiles][kHalf];
        for (unsigned tile = 0; tile < kTiles; ++tile) {
            const instructions::Ref* const sums = c + tile * 4 + half * 2;
            rowsOf(w.lanes<float>(sums[0]), w.lanes<float>(sums[1]), rows[tile]);
        }
        for (unsigned tile = 0; tile < kTiles; ++tile)
            addProducts(factors + half * kHalf, from + tile * kColumns, kStride, rows[tile]);
        for (unsigned tile = 0; tile < kTiles; ++tile)
            storeRows(rows[tile], results[tile * 4 + half * 2], results[tile * 4 + half * 2 + 1]);
    }
    for (unsigned reg = 0; reg < kTiles * 4; ++reg)
        if (d[reg].present()) store(w.exec, w.lanes<float>(d[reg]), results[reg]);
}

#endif

} // namespace

instructions::Handler findTile(const instructions::TensorPlan& plan) {
    using instructions::Kind;
    if (plan.m != kRows || plan.k != kDepth || (plan.n != 8 && plan.n != 16) || plan.saturate ||
        plan.a.element != plan.b.element || plan.c.element != Kind::F32 || plan.d.element != Kind::F32)
        return nullptr;
    if (plan.a.element == Kind::F16)
        return plan.n == 8 ? multiplyTiles<Binary16, 1> : multiplyTiles<Binary16, 2>;
    if (plan.a.element == Kind::BF16)
        return plan.n == 8 ? multiplyTiles<Bfloat16, 1> : multiplyTiles<Bfloat16, 2>;
    return nullptr;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
