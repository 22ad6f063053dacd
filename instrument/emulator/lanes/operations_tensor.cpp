// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/half_lanes.h"
#include "instrument/emulator/lanes/operations_isa.h"
#include "instrument/emulator/lanes/small_float.h"

/// Matrix multiplication by a warp. Fragments become plain matrices, the product is accumulated in the order
/// of k, and the result goes back. Sums are rounded at each step in the accumulator's precision (single
/// precision for 16-bit accumulators, rounded at the end); hardware's inner sums are wider and truncated in
/// ways that no document gives, so results with roundings differ from it in the last bits.
namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

constexpr unsigned kMax = instructions::TensorFragment::kMaxElements;

/// Registers hold the lanes' elements in the order of `TensorFragment::index`.
void unpack(const instructions::Warp& w, const instructions::TensorFragment& f, const instructions::Ref* refs,
            float* matrix) {
    alignas(64) float values[2 * instructions::kLanes];
    const std::uint16_t* index = f.index;
    for (unsigned reg = 0; reg < f.registers; ++reg, index += instructions::kLanes * f.parts) {
        switch (f.element) {
        case instructions::Kind::F16:
            Binary16::widen<2 * instructions::kLanes>(w.lanes<u16>(refs[reg]), values);
            break;
        case instructions::Kind::BF16:
            Bfloat16::widen<2 * instructions::kLanes>(w.lanes<u16>(refs[reg]), values);
            break;
        case instructions::Kind::TF32:
            // The low 13 bits of a register don't take part.
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                values[i] = bitsAs<float>(w.lanes<u32>(refs[reg])[i] & 0xFFFFE000);
            break;
        case instructions::Kind::E4M3:
        case instructions::Kind::E5M2:
            for (unsigned i = 0; i < 4 * instructions::kLanes; ++i)
                matrix[index[i]] = float(decodeSmall(formatOf(f.element), w.lanes<u8>(refs[reg])[i]));
            continue;
        default:
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                values[i] = w.lanes<float>(refs[reg])[i];
            break;
        }
        for (unsigned i = 0; i < instructions::kLanes * f.parts; ++i)
            matrix[index[i]] = values[i];
    }
}

void pack(instructions::Warp& w, const instructions::TensorFragment& f, const instructions::Ref* refs,
          const float* matrix) {
    alignas(64) float values[2 * instructions::kLanes];
    alignas(64) u16 halves[2 * instructions::kLanes];
    const std::uint16_t* index = f.index;
    for (unsigned reg = 0; reg < f.registers; ++reg, index += instructions::kLanes * f.parts) {
        for (unsigned i = 0; i < instructions::kLanes * f.parts; ++i)
            values[i] = matrix[index[i]];
        if (!refs[reg].present()) continue;
        if (f.element == instructions::Kind::F16) {
            Binary16::narrow<2 * instructions::kLanes>(values, halves);
            storeHalves<2 * instructions::kLanes>(w, refs[reg], halves);
        } else {
            eachLane(
                w.exec, w.lanes<float>(refs[reg]), [](float v) { return canonical(v); }, values);
        }
    }
}

template <unsigned N, typename T>
void multiply(const instructions::TensorPlan& p, const T* a, const T* b, T* c) {
    for (unsigned row = 0; row < p.m; ++row) {
        T sums[N];
        for (unsigned j = 0; j < N; ++j)
            sums[j] = c[row * N + j];
        for (unsigned k = 0; k < p.k; ++k) {
            const T factor = a[row * p.k + k];
#pragma GCC ivdep
            for (unsigned j = 0; j < N; ++j)
                if constexpr (sizeof(T) == 8)
                    sums[j] = __builtin_fma(factor, b[k * N + j], sums[j]);
                else
                    sums[j] = __builtin_fmaf(factor, b[k * N + j], sums[j]);
        }
        for (unsigned j = 0; j < N; ++j)
            c[row * N + j] = sums[j];
    }
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
    unpack(w, p.a, refs.a, a);
    unpack(w, p.b, refs.b, b);
    unpack(w, p.c, refs.c, c);
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
    pack(w, p.d, refs.d, c);
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
    multiply<8>(p, a, b, c); // every double shape has n = 8
    for (unsigned reg = 0; reg < p.d.registers; ++reg) {
        alignas(64) double values[instructions::kLanes];
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
            values[lane] = c[p.d.index[reg * instructions::kLanes + lane]];
        if (refs.d[reg].present()) store(w.exec, w.lanes<double>(refs.d[reg]), values);
    }
}

void unpackBytes(const instructions::Warp& w, const instructions::TensorFragment& f,
                 const instructions::Ref* refs, s32* matrix) {
    for (unsigned reg = 0; reg < f.registers; ++reg) {
        const u8* bytes = w.lanes<u8>(refs[reg]);
        for (unsigned i = 0; i < 4 * instructions::kLanes; ++i)
            matrix[f.index[reg * 4 * instructions::kLanes + i]] =
                f.element == instructions::Kind::S8 ? s32(s8(bytes[i])) : s32(bytes[i]);
    }
}

void multiplyInteger(instructions::Warp& w, const instructions::Inst& in) {
    const auto& p = *reinterpret_cast<const instructions::TensorPlan*>(in.imm);
    const Operands refs = operandsOf(p, in);
    alignas(64) s32 a[kMax], b[kMax], c[kMax];
    unpackBytes(w, p.a, refs.a, a);
    unpackBytes(w, p.b, refs.b, b);
    for (unsigned reg = 0; reg < p.c.registers; ++reg)
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
            c[p.c.index[reg * instructions::kLanes + lane]] = w.lanes<s32>(refs.c[reg])[lane];
    for (unsigned row = 0; row < p.m; ++row)
        for (unsigned column = 0; column < p.n; ++column) {
            s64 sum = c[row * p.n + column];
            for (unsigned k = 0; k < p.k; ++k)
                sum += a[row * p.k + k] * b[k * p.n + column];
            if (p.saturate) sum = sum > 0x7FFFFFFF ? 0x7FFFFFFF : sum < -0x80000000LL ? -0x80000000LL : sum;
            c[row * p.n + column] = s32(sum);
        }
    for (unsigned reg = 0; reg < p.d.registers; ++reg) {
        alignas(64) s32 values[instructions::kLanes];
        for (unsigned lane = 0; lane < instructions::kLanes; ++lane)
            values[lane] = c[p.d.index[reg * instructions::kLanes + lane]];
        if (refs.d[reg].present()) store(w.exec, w.lanes<s32>(refs.d[reg]), values);
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
        return multiplySingle;
    }
}

} // namespace dormer::emulator::lanes::DORMER_ISA
