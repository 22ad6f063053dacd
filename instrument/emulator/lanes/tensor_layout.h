// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/tensor_plan.h"
#include "instrument/emulator/lanes/half_lanes.h"

/// Fragments of mma and wmma as plain matrices, row by row, and back. A register of a warp holds whole rows
/// of a block of 8 rows (PTX ISA, "Matrix fragments for mma.*": lanes form 8 groups of 4, a group has a row):
/// of A as they are, of B with k along the row, of 32-bit accumulators every other pair of columns. So blocks
/// move by vectors, and `TensorFragment::index` is asked only where each begins.
namespace dormer::emulator::lanes::DORMER_ISA {

inline constexpr unsigned kGroups = 8, kGroupLanes = 4;

/// Where a register's block begins in the matrix.
[[gnu::always_inline]] inline unsigned originOf(const instructions::TensorFragment& f, unsigned reg) {
    return f.index[reg * instructions::kLanes * f.parts];
}

/// to[column * stride + row] = from[row * width + column] of 8 x 8 words.
[[gnu::always_inline]] inline void transpose8(const float* from, unsigned width, float* to, unsigned stride) {
    __m256 r[8], t[8];
    for (unsigned i = 0; i < 8; ++i)
        r[i] = _mm256_loadu_ps(from + i * width);
    for (unsigned i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4) {
        r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
        r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
        r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
        r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
    }
    for (unsigned i = 0; i < 4; ++i) {
        _mm256_storeu_ps(to + i * stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
        _mm256_storeu_ps(to + (i + 4) * stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
    }
}

/// 8-bit formats by way of binary16: E5M2 is its upper half, and E4M3, moved to where its bits belong, is too
/// small by the difference of the exponents' biases, 15 and 7.
[[gnu::always_inline]] inline void widenBytes(instructions::Kind element, const u8* bytes, float* values) {
    constexpr unsigned kCount = 4 * instructions::kLanes;
    alignas(64) u16 halves[kCount];
    if (element == instructions::Kind::E5M2) {
        for (unsigned i = 0; i < kCount; ++i)
            halves[i] = u16(bytes[i] << 8);
        Binary16::widen<kCount>(halves, values);
        return;
    }
    for (unsigned i = 0; i < kCount; ++i)
        halves[i] = u16((bytes[i] & 0x80) << 8 | (bytes[i] & 0x7F) << 7);
    Binary16::widen<kCount>(halves, values);
    for (unsigned i = 0; i < kCount; ++i)
        values[i] = (bytes[i] & 0x7F) == 0x7F ? bitsAs<float>(0x7FFFFFFF) : values[i] * 256;
}

/// The elements of a register of A or B in single precision, row by row of its block.
[[gnu::always_inline]] inline void widenRegister(const instructions::Warp& w, instructions::Kind element,
                                                 instructions::Ref ref, float* values) {
    switch (element) {
    case instructions::Kind::F16:
        Binary16::widen<2 * instructions::kLanes>(w.lanes<u16>(ref), values);
        return;
    case instructions::Kind::BF16:
        Bfloat16::widen<2 * instructions::kLanes>(w.lanes<u16>(ref), values);
        return;
    case instructions::Kind::E4M3:
    case instructions::Kind::E5M2:
        widenBytes(element, w.lanes<u8>(ref), values);
        return;
    default: // TF32: the low 13 bits of a register don't take part
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            values[i] = bitsAs<float>(w.lanes<u32>(ref)[i] & 0xFFFFE000);
        return;
    }
}

/// Copies the block's rows of `columns` values each.
template <typename T>
[[gnu::always_inline]] inline void placeRows(const T* values, unsigned columns, T* to, unsigned stride) {
    for (unsigned row = 0; row < kGroups; ++row)
        __builtin_memcpy(to + row * stride, values + row * columns, columns * sizeof(T));
}

/// A, whose rows have `stride` elements.
inline void unpackA(const instructions::Warp& w, const instructions::TensorFragment& f, unsigned registers,
                    const instructions::Ref* refs, float* matrix, unsigned stride) {
    alignas(64) float values[4 * instructions::kLanes];
    for (unsigned reg = 0; reg < registers; ++reg) {
        widenRegister(w, f.element, refs[reg], values);
        float* const to = matrix + originOf(f, reg);
        if (f.parts == 2)
            placeRows(values, 2 * kGroupLanes, to, stride);
        else if (f.parts == 1)
            placeRows(values, kGroupLanes, to, stride);
        else
            placeRows(values, 4 * kGroupLanes, to, stride);
    }
}

/// B, whose rows have `stride` elements; its registers have columns for rows.
inline void unpackB(const instructions::Warp& w, const instructions::TensorFragment& f, unsigned registers,
                    const instructions::Ref* refs, float* matrix, unsigned stride) {
    alignas(64) float values[4 * instructions::kLanes];
    for (unsigned reg = 0; reg < registers; ++reg) {
        widenRegister(w, f.element, refs[reg], values);
        float* const to = matrix + originOf(f, reg);
        if (f.parts == 1) {
            for (unsigned k = 0; k < kGroupLanes; ++k)
                for (unsigned column = 0; column < kGroups; ++column)
                    to[k * stride + column] = values[column * kGroupLanes + k];
        } else if (f.parts == 2) {
            transpose8(values, 8, to, stride);
        } else {
            transpose8(values, 16, to, stride);
            transpose8(values + 8, 16, to + 8 * stride, stride);
        }
    }
}

/// 32-bit accumulators: registers 2i and 2i + 1 have the even and the odd columns of a block.
[[gnu::always_inline]] inline void unpackPair(const float* even, const float* odd, float* to,
                                              unsigned stride) {
    for (unsigned row = 0; row < kGroups; row += 2) {
        const __m256 a = _mm256_load_ps(even + row * kGroupLanes),
                     b = _mm256_load_ps(odd + row * kGroupLanes);
        const __m256 low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
        _mm256_storeu_ps(to + row * stride, _mm256_permute2f128_ps(low, high, 0x20));
        _mm256_storeu_ps(to + (row + 1) * stride, _mm256_permute2f128_ps(low, high, 0x31));
    }
}
[[gnu::always_inline]] inline void packPair(const float* from, unsigned stride, float* even, float* odd) {
    for (unsigned row = 0; row < kGroups; row += 2) {
        const __m256 a = _mm256_loadu_ps(from + row * stride), b = _mm256_loadu_ps(from + (row + 1) * stride);
        const __m256 low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
        _mm256_store_ps(even + row * kGroupLanes, _mm256_shuffle_ps(low, high, 0x88));
        _mm256_store_ps(odd + row * kGroupLanes, _mm256_shuffle_ps(low, high, 0xDD));
    }
}

/// Accumulators of 16 or 32 bits; 32-bit integers go as their bits.
inline void unpackC(const instructions::Warp& w, const instructions::TensorFragment& f,
                    const instructions::Ref* refs, float* matrix, unsigned stride) {
    if (f.parts == 2) {
        unpackA(w, f, f.registers, refs, matrix, stride);
        return;
    }
    for (unsigned reg = 0; reg < f.registers; reg += 2)
        unpackPair(w.lanes<float>(refs[reg]), w.lanes<float>(refs[reg + 1]), matrix + originOf(f, reg),
                   stride);
}

} // namespace dormer::emulator::lanes::DORMER_ISA
