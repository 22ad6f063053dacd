// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/operations_isa.h"
#include "instrument/emulator/lanes/operations_tile.h"
#include "instrument/emulator/lanes/tensor_layout.h"

/// Matrix multiplication by a warp. Fragments become plain matrices, the product is accumulated in the order
/// of k, and the result goes back. Sums are rounded at each step in the accumulator's precision (single
/// precision for 16-bit accumulators, rounded at the end); hardware's inner sums are wider and truncated in
/// ways that no document gives, so results with roundings differ from it in the last bits.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

constexpr unsigned kMax = instructions::TensorFragment::kMaxElements;

/// How a row of N sums of 32 bits lies in vectors.
template <unsigned N>
struct Row {
#ifdef __AVX512F__
    static constexpr unsigned kWidth = N >= 16 ? 16 : 8;
#else
    static constexpr unsigned kWidth = 8;
#endif
    static constexpr unsigned kVectors = N / kWidth;
    static constexpr unsigned kRows = 8 / kVectors; ///< rows whose sums stay in registers at a time
    using Floats [[gnu::vector_size(kWidth * 4), gnu::aligned(4), gnu::may_alias]] = float;
    using Words [[gnu::vector_size(kWidth * 4), gnu::aligned(4), gnu::may_alias]] = s32;
};

/// c += a * b in the order of k.
template <unsigned N, unsigned K>
void multiply(unsigned rows, const float* a, const float* b, float* c) {
    using R = Row<N>;
    using Vector = typename R::Floats;
    const auto fused = [](float factor, Vector from, Vector sum) -> Vector {
#ifdef __AVX512F__
        if constexpr (R::kWidth == 16)
            return Vector(_mm512_fmadd_ps(_mm512_set1_ps(factor), __m512(from), __m512(sum)));
#endif
        if constexpr (R::kWidth == 8)
            return Vector(_mm256_fmadd_ps(_mm256_set1_ps(factor), __m256(from), __m256(sum)));
    };
    for (unsigned row = 0; row < rows; row += R::kRows, a += R::kRows * K, c += R::kRows * N) {
        Vector sums[R::kRows][R::kVectors];
        for (unsigned i = 0; i < R::kRows; ++i)
            for (unsigned v = 0; v < R::kVectors; ++v)
                sums[i][v] = *reinterpret_cast<const Vector*>(c + i * N + v * R::kWidth);
#pragma GCC unroll 4
        for (unsigned k = 0; k < K; ++k)
            for (unsigned v = 0; v < R::kVectors; ++v) {
                const Vector from = *reinterpret_cast<const Vector*>(b + k * N + v * R::kWidth);
                for (unsigned i = 0; i < R::kRows; ++i)
                    sums[i][v] = fused(a[i * K + k], from, sums[i][v]);
            }
        for (unsigned i = 0; i < R::kRows; ++i)
            for (unsigned v = 0; v < R::kVectors; ++v)
                *reinterpret_cast<Vector*>(c + i * N + v * R::kWidth) = sums[i][v];
    }
}

template <unsigned N>
void multiply(const instructions::TensorPlan& p, const float* a, const float* b, float* c) {
    switch (p.k) {
    case 4:
        return multiply<N, 4>(p.m, a, b, c);
    case 8:
        return multiply<N, 8>(p.m, a, b, c);
    case 16:
        return multiply<N, 16>(p.m, a, b, c);
    default:
        return multiply<N, 32>(p.m, a, b, c);
    }
}

/// The sums of products of 16-bit numbers that lie in pairs along k: `depth` of them, of a row of `a` and of
/// column-wise pairs of `b`.
template <unsigned N>
void multiplyPairs(unsigned rows, unsigned depth, const s32* a, const s32* b, s32* sums) {
    using R = Row<N>;
    using Vector = typename R::Words;
    const auto added = [](s32 pair, Vector from, Vector sum) -> Vector {
#ifdef __AVX512BW__
        if constexpr (R::kWidth == 16)
            return sum + Vector(_mm512_madd_epi16(_mm512_set1_epi32(pair), __m512i(from)));
#endif
        if constexpr (R::kWidth == 8)
            return sum + Vector(_mm256_madd_epi16(_mm256_set1_epi32(pair), __m256i(from)));
    };
    for (unsigned row = 0; row < rows; row += R::kRows, a += R::kRows * depth, sums += R::kRows * N) {
        Vector total[R::kRows][R::kVectors] = {};
        for (unsigned k = 0; k < depth; ++k)
            for (unsigned v = 0; v < R::kVectors; ++v) {
                const Vector from = *reinterpret_cast<const Vector*>(b + k * N + v * R::kWidth);
                for (unsigned i = 0; i < R::kRows; ++i)
                    total[i][v] = added(a[i * depth + k], from, total[i][v]);
            }
        for (unsigned i = 0; i < R::kRows; ++i)
            for (unsigned v = 0; v < R::kVectors; ++v)
                *reinterpret_cast<Vector*>(sums + i * N + v * R::kWidth) = total[i][v];
    }
}

/// The same in double precision, of shapes with 8 columns.
void multiply(const instructions::TensorPlan& p, const double* a, const double* b, double* c) {
    constexpr unsigned kColumns = 8;
    for (unsigned row = 0; row < p.m; ++row) {
        double sums[kColumns];
        for (unsigned j = 0; j < kColumns; ++j)
            sums[j] = c[row * kColumns + j];
        for (unsigned k = 0; k < p.k; ++k) {
            const double factor = a[row * p.k + k];
#pragma GCC ivdep
            for (unsigned j = 0; j < kColumns; ++j)
                sums[j] = __builtin_fma(factor, b[k * kColumns + j], sums[j]);
        }
        for (unsigned j = 0; j < kColumns; ++j)
            c[row * kColumns + j] = sums[j];
    }
}

/// Single-precision results into the registers of D, in its type.
void pack(instructions::Warp& w, const instructions::TensorFragment& f, const instructions::Ref* refs,
          const float* matrix, unsigned stride) {
    alignas(64) float values[2 * instructions::kLanes];
    if (f.parts == 2) {
        alignas(64) u16 halves[2 * instructions::kLanes];
        for (unsigned reg = 0; reg < f.registers; ++reg) {
            if (!refs[reg].present()) continue;
            for (unsigned row = 0; row < kGroups; ++row)
                __builtin_memcpy(values + row * 2 * kGroupLanes, matrix + originOf(f, reg) + row * stride,
                                 2 * kGroupLanes * sizeof(float));
            Binary16::narrow<2 * instructions::kLanes>(values, halves);
            storeHalves<2 * instructions::kLanes>(w, refs[reg], halves);
        }
        return;
    }
    for (unsigned reg = 0; reg < f.registers; reg += 2) {
        packPair(matrix + originOf(f, reg), stride, values, values + instructions::kLanes);
        for (unsigned odd = 0; odd < 2; ++odd)
            if (refs[reg + odd].present())
                eachLane(
                    w.exec, w.lanes<float>(refs[reg + odd]), [](float v) { return canonical(v); },
                    values + odd * instructions::kLanes);
    }
}

/// Registers of A or B that hold each element once: those of wmma's 16-bit operands repeat.
unsigned distinct(const instructions::TensorFragment& f, unsigned elements) {
    return elements / (instructions::kLanes * f.parts);
}

struct Operands {
    const instructions::Ref *d, *a, *b, *c;
};
Operands operandsOf(const instructions::TensorPlan& p, const instructions::Inst& in) {
    const instructions::Ref* d = in.more;
    const instructions::Ref* a = d + p.d.registers;
    const instructions::Ref* b = a + p.a.registers;
    return {d, a, b, b + p.b.registers};
}

void multiplySingle(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const Operands refs = operandsOf(p, in);
    alignas(64) float a[kMax], b[kMax], c[kMax];
    unpackA(w, p.a, distinct(p.a, p.m * p.k), refs.a, a, p.k);
    unpackB(w, p.b, distinct(p.b, p.k * p.n), refs.b, b, p.n);
    unpackC(w, p.c, refs.c, c, p.n);
    switch (p.n) {
    case 8:
        multiply<8>(p, a, b, c);
        break;
    case 16:
        multiply<16>(p, a, b, c);
        break;
    default:
        multiply<32>(p, a, b, c);
        break;
    }
    pack(w, p.d, refs.d, c, p.n);
}

void multiplyDouble(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const Operands refs = operandsOf(p, in);
    alignas(64) double a[kMax], b[kMax], c[kMax];
    const auto load = [&](const instructions::TensorFragment& f, const instructions::Ref* from,
                          double* matrix) {
        for (unsigned reg = 0; reg < f.registers; ++reg)
            for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
                matrix[f.index[reg * instructions::kLanes + lane]] = w.lanes<double>(from[reg])[lane];
    };
    load(p.a, refs.a, a);
    load(p.b, refs.b, b);
    load(p.c, refs.c, c);
    multiply(p, a, b, c); // every double shape has n = 8
    for (unsigned reg = 0; reg < p.d.registers; ++reg) {
        alignas(64) double values[instructions::kLanes];
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
            values[lane] = c[p.d.index[reg * instructions::kLanes + lane]];
        if (refs.d[reg].present()) store(w.exec, w.lanes<double>(refs.d[reg]), values);
    }
}

/// The bytes of a register as 16-bit numbers: 8 rows of 16.
void widenIntegers(const instructions::Warp& w, instructions::Kind element, instructions::Ref ref,
                   s16* values) {
    const u8* const bytes = w.lanes<u8>(ref);
    constexpr unsigned kCount = 4 * instructions::kLanes;
    if (element == instructions::Kind::S8)
        for (unsigned i = 0; i < kCount; ++i)
            values[i] = s16(s8(bytes[i]));
    else
        for (unsigned i = 0; i < kCount; ++i)
            values[i] = s16(bytes[i]);
}

/// A sum of 32 products of bytes fits 32 bits, so that only adding it to the accumulator can overflow.
void multiplyInteger(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const Operands refs = operandsOf(p, in);
    constexpr unsigned kBlock = 16; // elements of a row of a register
    alignas(64) s16 values[4 * instructions::kLanes];
    // Pairs of A and B, and accumulators as their bits, which only move.
    alignas(64) s16 a[kMax];
    alignas(64) float b[kMax / 2], c[kMax];
    alignas(64) s32 sums[kMax];
    for (unsigned reg = 0; reg < p.a.registers; ++reg) {
        widenIntegers(w, p.a.element, refs.a[reg], values);
        placeRows(values, kBlock, a + originOf(p.a, reg), p.k);
    }
    for (unsigned reg = 0; reg < p.b.registers; ++reg) {
        widenIntegers(w, p.b.element, refs.b[reg], values);
        const unsigned origin = originOf(p.b, reg), row = origin / p.n, column = origin % p.n;
        transpose8(reinterpret_cast<const float*>(values), kBlock / 2, b + row / 2 * p.n + column, p.n);
    }
    unpackC(w, p.c, refs.c, c, p.n);
    const s32* const pairsOfA = reinterpret_cast<const s32*>(a);
    const s32* const pairsOfB = reinterpret_cast<const s32*>(b);
    if (p.n == 8)
        multiplyPairs<8>(p.m, p.k / 2, pairsOfA, pairsOfB, sums);
    else if (p.n == 16)
        multiplyPairs<16>(p.m, p.k / 2, pairsOfA, pairsOfB, sums);
    else
        multiplyPairs<32>(p.m, p.k / 2, pairsOfA, pairsOfB, sums);
    s32* const to = reinterpret_cast<s32*>(c);
    if (p.saturate)
        for (unsigned i = 0; i < p.m * p.n; ++i) {
            const s64 sum = s64(to[i]) + sums[i];
            to[i] = s32(sum > 0x7FFFFFFF ? 0x7FFFFFFF : sum < -0x80000000LL ? -0x80000000LL : sum);
        }
    else
        for (unsigned i = 0; i < p.m * p.n; ++i)
            to[i] = s32(u32(to[i]) + u32(sums[i]));
    alignas(64) float out[2][instructions::kLanes];
    for (unsigned reg = 0; reg < p.d.registers; reg += 2) {
        packPair(c + originOf(p.d, reg), p.n, out[0], out[1]);
        for (unsigned odd = 0; odd < 2; ++odd)
            if (refs.d[reg + odd].present())
                store(w.exec, w.lanes<s32>(refs.d[reg + odd]), reinterpret_cast<const s32*>(out[odd]));
    }
}

} // namespace

instructions::Handler findTensor(const instructions::TensorPlan& plan) {
    switch (plan.a.element) {
    case instructions::Kind::F64:
        return multiplyDouble;
    case instructions::Kind::S8:
    case instructions::Kind::U8:
        return multiplyInteger;
    default:
        break;
    }
    const instructions::Handler tile = findTile(plan);
    return tile != nullptr ? tile : multiplySingle;
}

} // namespace dormer::emulator::lanes::DORMER_ISA
