// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/operation_parse.h"

namespace dormer::emulator {
namespace {

/// Estimates: instructions as ptxas emits them for sm_80 to sm_90, latencies as published micro-benchmarks of
/// those chips give them (Jia et al. 2018 for Volta, Luo et al. 2024 for Hopper).
constexpr float kAlu = 4, kFma = 4, kFp64 = 8, kMufu = 23, kShuffle = 24, kConversion = 15, kBits = 10;

struct Cost {
    Work work = Work::Int;
    float instructions = 1;
    float latency = kAlu;
};

bool isDouble(const Spec& s) {
    return s.type() == Kind::F64;
}
bool isSingle(const Spec& s) {
    return s.type() == Kind::F32;
}
bool isWide(const Spec& s) {
    return bytesOf(s.type()) == 8;
}

/// By precision: one of four kinds of work in the order of the enumeration.
Work byPrecision(const Spec& s, Work fp32, Work fp64, Work fp16, Work integer) {
    if (isSingle(s)) return fp32;
    if (isDouble(s)) return fp64;
    return isHalf(s.type()) ? fp16 : integer;
}

/// Two-instruction pairs hide behind each other: the second half is ready two cycles later.
Cost pairwise(Work work, const Spec& s) {
    return {work, isWide(s) ? 2.0f : 1.0f, isWide(s) ? kAlu + 2 : kAlu};
}

Cost addition(const Spec& s) {
    const Work work = byPrecision(s, Work::Fp32Add, Work::Fp64Add, Work::Fp16Add, Work::Int);
    if (work == Work::Int) return pairwise(work, s);
    return {work, 1, work == Work::Fp64Add ? kFp64 : kFma};
}

Cost multiplication(const Spec& s) {
    const bool adds = s.op == Op::Mad || s.op == Op::Fma || s.op == Op::Madc;
    const Work work = adds ? byPrecision(s, Work::Fp32Fma, Work::Fp64Fma, Work::Fp16Fma, Work::IntMul)
                           : byPrecision(s, Work::Fp32Mul, Work::Fp64Mul, Work::Fp16Mul, Work::IntMul);
    if (work != Work::IntMul) return {work, 1, isDouble(s) ? kFp64 : kFma};
    if (isWide(s)) return {work, s.has(kHigh) ? 10.0f : 4.0f, s.has(kHigh) ? 40.0f : 14.0f};
    return {work, 1, s.has(kWide) || s.has(kHigh) ? 5.0f : kFma};
}

Cost division(const Spec& s) {
    const bool approximate = s.has(kApprox);
    if (isSingle(s)) {
        if (approximate) return {Work::Special, 2, kMufu + kFma};
        return {Work::Fp32Mul, s.has(kFull) ? 5.0f : 9.0f, kMufu + 6 * kFma};
    }
    if (isDouble(s)) return {Work::Fp64Mul, 20, kMufu + 10 * kFp64};
    return isWide(s) ? Cost{Work::Int, 80, 400} : Cost{Work::Int, 20, 100};
}

Cost root(const Spec& s) {
    if (isDouble(s) && !s.has(kApprox)) return {Work::Fp64Mul, 20, kMufu + 10 * kFp64};
    if (isDouble(s)) return {Work::Special, 1, kMufu};
    if (s.has(kApprox)) return {Work::Special, s.op == Op::Sqrt ? 2.0f : 1.0f, kMufu};
    return {Work::Fp32Mul, 8, kMufu + 5 * kFma};
}

Cost comparison(const Spec& s) {
    const Kind compared = s.op == Op::Set ? s.types[1] : s.type();
    if (compared == Kind::F32) return {Work::Fp32Other, 1, kAlu};
    if (compared == Kind::F64) return {Work::Fp64Other, 1, kFp64};
    if (isHalf(compared)) return {Work::Fp16Other, 1, kAlu};
    return {Work::Int, bytesOf(compared) == 8 ? 2.0f : 1.0f, bytesOf(compared) == 8 ? kAlu + 2 : kAlu};
}

Cost signOrExtremum(const Spec& s) {
    const Work work = byPrecision(s, Work::Fp32Other, Work::Fp64Other, Work::Fp16Other, Work::Int);
    if (work == Work::Int) return pairwise(work, s);
    const bool sign = s.op == Op::Abs || s.op == Op::Neg || s.op == Op::Copysign;
    return {work, 1, isDouble(s) && !sign ? kFp64 : kAlu};
}

Cost conversion(const Spec& s) {
    const Kind to = s.types[0], from = s.types[1];
    if (!isInteger(to) || !isInteger(from)) {
        const bool pairs = s.operands == 3; // F2FP on the ALU
        return {Work::Conversion, 1, pairs ? kAlu : kConversion};
    }
    const unsigned dst = bytesOf(to), src = bytesOf(from);
    if (s.has(kSat)) return {Work::Int, 2, 2 * kAlu};
    // Cutting off and moving to 64 bits rename registers; signs must be spread.
    if (src >= dst && dst >= 4) return {Work::Move, 0, 0};
    if (dst == 8 && src == 4) return isSigned(from) ? Cost{Work::Int, 1, kAlu} : Cost{Work::Move, 0, 0};
    return {Work::Int, 1, kAlu};
}

Cost move(const Spec& s) {
    // PRMT joins 16-bit halves; everything else is a register's name.
    const bool halves = s.dstParts + s.srcParts > 0 && bytesOf(s.type()) / (s.dstParts + s.srcParts) <= 2;
    return {Work::Move, halves ? 1.0f : 0.0f, halves ? kAlu : 0.0f};
}

Cost costOf(const Spec& s) {
    switch (s.op) {
    case Op::Add:
    case Op::Sub:
        return addition(s);
    case Op::Addc:
    case Op::Subc:
        return pairwise(Work::Int, s);
    case Op::Mul:
    case Op::Mad:
    case Op::Madc:
    case Op::Fma:
        return multiplication(s);
    case Op::Mul24:
    case Op::Mad24:
        return {Work::IntMul, 3, 3 * kAlu};
    case Op::Dp2a:
    case Op::Dp4a:
        return {Work::IntMul, 1, kFma};
    case Op::Div:
    case Op::Rem:
        return division(s);
    case Op::Rcp:
    case Op::Sqrt:
    case Op::Rsqrt:
        return root(s);
    case Op::Ex2:
    case Op::Lg2:
    case Op::Sin:
    case Op::Cos:
        return {Work::Special, s.has(kFtz) ? 1.0f : 2.0f, kMufu}; // range reduction or scaling
    case Op::Tanh:
        return {Work::Special, 1, kMufu};
    case Op::Abs:
    case Op::Neg:
    case Op::Min:
    case Op::Max:
    case Op::Copysign:
        return signOrExtremum(s);
    case Op::Setp:
    case Op::Set:
    case Op::Testp:
        return comparison(s);
    case Op::Cvt:
    case Op::CvtPack:
        return conversion(s);
    case Op::Mov:
        return move(s);
    case Op::Popc:
    case Op::Clz:
    case Op::Bfind:
    case Op::Brev:
    case Op::Fns:
        return {Work::Bits, isWide(s) ? 3.0f : 1.0f, isWide(s) ? kBits + kAlu : kBits};
    case Op::Bfe:
    case Op::Bfi:
    case Op::Sad:
        return {Work::Int, isWide(s) ? 4.0f : 2.0f, 2 * kAlu};
    case Op::Vabsdiff2: // Vabsdiff4 is one instruction of the hardware
        return {Work::Int, 6, 4 * kAlu};
    case Op::Shfl:
    case Op::Vote:
    case Op::Match:
    case Op::Redux:
        return {Work::Exchange, 1, kShuffle};
    case Op::ActiveMask:
    case Op::Elect:
        return {Work::Exchange, 1, kAlu + 4};
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
        // Predicate logic folds into the instructions that use it or one PLOP3.
        return s.type() == Kind::Pred ? Cost{Work::Int, 1, kAlu} : pairwise(Work::Int, s);
    default:
        return pairwise(Work::Int, s);
    }
}

} // namespace

void estimateCost(const Spec& spec, Operation& operation) {
    const Cost cost = costOf(spec);
    operation.work = cost.work;
    operation.instructions = cost.instructions;
    operation.latency = cost.latency;
}

} // namespace dormer::emulator
