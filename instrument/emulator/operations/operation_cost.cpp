// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/operations/operation_parse.h"

namespace dormer::emulator::operations {
namespace {

/// Estimates: instructions as ptxas emits them for sm_80 to sm_90, latencies as published micro-benchmarks of
/// those chips give them (Jia et al. 2018 for Volta, Luo et al. 2024 for Hopper).
constexpr float kAlu = 4, kFma = 4, kFp64 = 8, kMufu = 23, kShuffle = 24, kConversion = 15, kBits = 10;

struct Cost {
    instructions::Work work = instructions::Work::Int;
    float instructions = 1;
    float latency = kAlu;
    instructions::Fp32Sequence fp32{};
};

bool isDouble(const instructions::Spec& s) {
    return s.type() == instructions::Kind::F64;
}
bool isSingle(const instructions::Spec& s) {
    return s.type() == instructions::Kind::F32;
}
bool isWide(const instructions::Spec& s) {
    return instructions::bytesOf(s.type()) == 8;
}

/// By precision: one of four kinds of work in the order of the enumeration.
instructions::Work byPrecision(const instructions::Spec& s, instructions::Work fp32, instructions::Work fp64,
                               instructions::Work fp16, instructions::Work integer) {
    if (isSingle(s)) return fp32;
    if (isDouble(s)) return fp64;
    return instructions::isHalf(s.type()) ? fp16 : integer;
}

/// Two-instruction pairs hide behind each other: the second half is ready two cycles later.
Cost pairwise(instructions::Work work, const instructions::Spec& s) {
    return {work, isWide(s) ? 2.0f : 1.0f, isWide(s) ? kAlu + 2 : kAlu};
}

Cost addition(const instructions::Spec& s) {
    const instructions::Work work = byPrecision(s, instructions::Work::Fp32Add, instructions::Work::Fp64Add,
                                                instructions::Work::Fp16Add, instructions::Work::Int);
    if (work == instructions::Work::Int) return pairwise(work, s);
    return {work, 1, work == instructions::Work::Fp64Add ? kFp64 : kFma};
}

Cost multiplication(const instructions::Spec& s) {
    const bool adds =
        s.op == instructions::Op::Mad || s.op == instructions::Op::Fma || s.op == instructions::Op::Madc;
    const instructions::Work work =
        adds ? byPrecision(s, instructions::Work::Fp32Fma, instructions::Work::Fp64Fma,
                           instructions::Work::Fp16Fma, instructions::Work::IntMul)
             : byPrecision(s, instructions::Work::Fp32Mul, instructions::Work::Fp64Mul,
                           instructions::Work::Fp16Mul, instructions::Work::IntMul);
    if (work != instructions::Work::IntMul) return {work, 1, isDouble(s) ? kFp64 : kFma};
    if (isWide(s))
        return {work, s.has(instructions::kHigh) ? 10.0f : 4.0f, s.has(instructions::kHigh) ? 40.0f : 14.0f};
    return {work, 1, s.has(instructions::kWide) || s.has(instructions::kHigh) ? 5.0f : kFma};
}

Cost division(const instructions::Spec& s) {
    const bool approximate = s.has(instructions::kApprox);
    if (isSingle(s)) {
        if (approximate) return {instructions::Work::Special, 2, kMufu + kFma};
        if (s.has(instructions::kFull)) return {instructions::Work::Fp32Mul, 5, kMufu + 6 * kFma};
        // MUFU.RCP, FCHK, a branch to what denormals need, and five FFMA: two refine the reciprocal, one
        // gives the quotient, two refine that.
        return {instructions::Work::Fp32Mul, 9, kMufu + 6 * kFma, {.fmas = 5}};
    }
    if (isDouble(s)) return {instructions::Work::Fp64Mul, 20, kMufu + 10 * kFp64};
    return isWide(s) ? Cost{instructions::Work::Int, 80, 400} : Cost{instructions::Work::Int, 20, 100};
}

Cost root(const instructions::Spec& s) {
    if (isDouble(s) && !s.has(instructions::kApprox))
        return {instructions::Work::Fp64Mul, 20, kMufu + 10 * kFp64};
    if (isDouble(s)) return {instructions::Work::Special, 1, kMufu};
    if (s.has(instructions::kApprox))
        return {instructions::Work::Special, s.op == instructions::Op::Sqrt ? 2.0f : 1.0f, kMufu};
    // A square root: MUFU.RSQ, two products and a step of Newton's in two FFMA. A reciprocal: FFMA, FADD,
    // FFMA.
    if (s.op == instructions::Op::Sqrt)
        return {instructions::Work::Fp32Mul, 8, kMufu + 5 * kFma, {.muls = 2, .fmas = 2}};
    if (s.op == instructions::Op::Rcp)
        return {instructions::Work::Fp32Mul, 8, kMufu + 5 * kFma, {.adds = 1, .fmas = 2}};
    return {instructions::Work::Fp32Mul, 8, kMufu + 5 * kFma};
}

Cost comparison(const instructions::Spec& s) {
    const instructions::Kind compared = s.op == instructions::Op::Set ? s.types[1] : s.type();
    if (compared == instructions::Kind::F32) return {instructions::Work::Fp32Other, 1, kAlu};
    if (compared == instructions::Kind::F64) return {instructions::Work::Fp64Other, 1, kFp64};
    if (instructions::isHalf(compared)) return {instructions::Work::Fp16Other, 1, kAlu};
    return {instructions::Work::Int, instructions::bytesOf(compared) == 8 ? 2.0f : 1.0f,
            instructions::bytesOf(compared) == 8 ? kAlu + 2 : kAlu};
}

Cost signOrExtremum(const instructions::Spec& s) {
    const instructions::Work work =
        byPrecision(s, instructions::Work::Fp32Other, instructions::Work::Fp64Other,
                    instructions::Work::Fp16Other, instructions::Work::Int);
    if (work == instructions::Work::Int) return pairwise(work, s);
    const bool sign =
        s.op == instructions::Op::Abs || s.op == instructions::Op::Neg || s.op == instructions::Op::Copysign;
    return {work, 1, isDouble(s) && !sign ? kFp64 : kAlu};
}

Cost conversion(const instructions::Spec& s) {
    const instructions::Kind to = s.types[0], from = s.types[1];
    if (!instructions::isInteger(to) || !instructions::isInteger(from)) {
        const bool pairs = s.operands == 3; // F2FP on the ALU
        return {instructions::Work::Conversion, 1, pairs ? kAlu : kConversion};
    }
    const unsigned dst = instructions::bytesOf(to), src = instructions::bytesOf(from);
    if (s.has(instructions::kSat)) return {instructions::Work::Int, 2, 2 * kAlu};
    // Cutting off and moving to 64 bits rename registers; signs must be spread.
    if (src >= dst && dst >= 4) return {instructions::Work::Move, 0, 0};
    if (dst == 8 && src == 4)
        return instructions::isSigned(from) ? Cost{instructions::Work::Int, 1, kAlu}
                                            : Cost{instructions::Work::Move, 0, 0};
    return {instructions::Work::Int, 1, kAlu};
}

Cost move(const instructions::Spec& s) {
    // PRMT joins 16-bit halves; everything else is a register's name.
    const bool halves =
        s.dstParts + s.srcParts > 0 && instructions::bytesOf(s.type()) / (s.dstParts + s.srcParts) <= 2;
    return {instructions::Work::Move, halves ? 1.0f : 0.0f, halves ? kAlu : 0.0f};
}

Cost costOf(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Add:
    case instructions::Op::Sub:
        return addition(s);
    case instructions::Op::Addc:
    case instructions::Op::Subc:
        return pairwise(instructions::Work::Int, s);
    case instructions::Op::Mul:
    case instructions::Op::Mad:
    case instructions::Op::Madc:
    case instructions::Op::Fma:
        return multiplication(s);
    case instructions::Op::Mul24:
    case instructions::Op::Mad24:
        return {instructions::Work::IntMul, 3, 3 * kAlu};
    case instructions::Op::Dp2a:
    case instructions::Op::Dp4a:
        return {instructions::Work::IntMul, 1, kFma};
    case instructions::Op::Div:
    case instructions::Op::Rem:
        return division(s);
    case instructions::Op::Rcp:
    case instructions::Op::Sqrt:
    case instructions::Op::Rsqrt:
        return root(s);
    case instructions::Op::Ex2:
    case instructions::Op::Lg2:
    case instructions::Op::Sin:
    case instructions::Op::Cos:
        return {instructions::Work::Special, s.has(instructions::kFtz) ? 1.0f : 2.0f,
                kMufu}; // range reduction or scaling
    case instructions::Op::Tanh:
        return {instructions::Work::Special, 1, kMufu};
    case instructions::Op::Abs:
    case instructions::Op::Neg:
    case instructions::Op::Min:
    case instructions::Op::Max:
    case instructions::Op::Copysign:
        return signOrExtremum(s);
    case instructions::Op::Setp:
    case instructions::Op::Set:
    case instructions::Op::Testp:
        return comparison(s);
    case instructions::Op::Cvt:
    case instructions::Op::CvtPack:
        return conversion(s);
    case instructions::Op::Mov:
        return move(s);
    case instructions::Op::Popc:
    case instructions::Op::Clz:
    case instructions::Op::Bfind:
    case instructions::Op::Brev:
    case instructions::Op::Fns:
        return {instructions::Work::Bits, isWide(s) ? 3.0f : 1.0f, isWide(s) ? kBits + kAlu : kBits};
    case instructions::Op::Bfe:
    case instructions::Op::Bfi:
    case instructions::Op::Sad:
        return {instructions::Work::Int, isWide(s) ? 4.0f : 2.0f, 2 * kAlu};
    case instructions::Op::Vabsdiff2: // Vabsdiff4 is one instruction of the hardware
        return {instructions::Work::Int, 6, 4 * kAlu};
    case instructions::Op::Shfl:
    case instructions::Op::Vote:
    case instructions::Op::Match:
    case instructions::Op::Redux:
        return {instructions::Work::Exchange, 1, kShuffle};
    case instructions::Op::ActiveMask:
    case instructions::Op::Elect:
        return {instructions::Work::Exchange, 1, kAlu + 4};
    case instructions::Op::And:
    case instructions::Op::Or:
    case instructions::Op::Xor:
    case instructions::Op::Not:
        // Predicate logic folds into the instructions that use it or one PLOP3.
        return s.type() == instructions::Kind::Pred ? Cost{instructions::Work::Int, 1, kAlu}
                                                    : pairwise(instructions::Work::Int, s);
    default:
        return pairwise(instructions::Work::Int, s);
    }
}

} // namespace

void estimateCost(const instructions::Spec& spec, instructions::Operation& operation) {
    const Cost cost = costOf(spec);
    operation.work = cost.work;
    operation.instructions = cost.instructions;
    operation.latency = cost.latency;
    operation.fp32 = cost.fp32;
}

} // namespace dormer::emulator::operations
