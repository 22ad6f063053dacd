// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"

#include <cstdint>

/// An instruction as the tables of handlers see it: opcode, modifiers and operand widths without a string.
/// Plain data, because code compiled for a wide vector unit must not instantiate the standard library's
/// inline functions: the linker could keep that copy of them for everyone.
namespace dormer::emulator::instructions {

enum class Op : std::uint8_t {
    None,
    Abs,
    ActiveMask,
    Add,
    Addc,
    And,
    Bfe,
    Bfi,
    Bfind,
    Bmsk,
    Brev,
    Clz,
    Cnot,
    Copysign,
    Cos,
    Cvt,
    CvtPack,
    Div,
    Dp2a,
    Dp4a,
    Elect,
    Ex2,
    Fma,
    Fns,
    Lg2,
    Lop3,
    Mad,
    Mad24,
    Madc,
    Match,
    Max,
    Min,
    Mov,
    Mul,
    Mul24,
    Neg,
    Not,
    Or,
    Popc,
    Prmt,
    Rcp,
    Redux,
    Rem,
    Rsqrt,
    Sad,
    Selp,
    Set,
    Setp,
    Shf,
    Shfl,
    Shl,
    Shr,
    Sin,
    Slct,
    Sqrt,
    Sub,
    Subc,
    Szext,
    Tanh,
    Testp,
    Vabsdiff2,
    Vabsdiff4,
    Vote,
    Xor,
};

enum class Kind : std::uint8_t {
    None,
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    U16x2,
    S16x2,
    F16,
    F16x2,
    BF16,
    BF16x2,
    TF32,
    F32,
    F64,
    E4M3,
    E5M2,
    E4M3x2,
    E5M2x2,
};
/// Bytes of the value, 0 for None and Pred.
[[nodiscard]] unsigned bytesOf(Kind kind);
[[nodiscard]] bool isSigned(Kind kind);
[[nodiscard]] bool isInteger(Kind kind); ///< u, s and b
[[nodiscard]] bool isHalf(Kind kind);    ///< f16, bf16 and their pairs
[[nodiscard]] bool isPair(Kind kind);    ///< two 16-bit values in 32 bits

enum class Rounding : std::uint8_t { None, Nearest, Zero, Down, Up, Away };

enum class Compare : std::uint8_t { None, Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
enum class Combine : std::uint8_t { None, And, Or, Xor };

/// Modifiers that are neither types nor roundings nor comparisons. One bit each: a handler's table names
/// those it knows, so that none is ever ignored.
enum Flag : std::uint64_t {
    kFtz = 1ull << 0,
    kSat = 1ull << 1,
    kSatfinite = 1ull << 2,
    kRelu = 1ull << 3,
    kNanResult = 1ull << 4,
    kXorSignAbs = 1ull << 5,
    kApprox = 1ull << 6,
    kFull = 1ull << 7,
    kCarryOut = 1ull << 8,
    kLow = 1ull << 9,
    kHigh = 1ull << 10,
    kWide = 1ull << 11,
    kSync = 1ull << 12,
    kClamp = 1ull << 13,
    kWrap = 1ull << 14,
    kShiftAmount = 1ull << 15,
    kAll = 1ull << 16,
    kAny = 1ull << 17,
    kUni = 1ull << 18,
    kBallot = 1ull << 19,
    kUp = 1ull << 20,
    kDown = 1ull << 21,
    kIndex = 1ull << 22,
    kButterfly = 1ull << 23,
    kForward4 = 1ull << 24,   ///< prmt.f4e
    kBackward4 = 1ull << 25,  ///< prmt.b4e
    kReplicate8 = 1ull << 26, ///< prmt.rc8
    kEdgeLeft = 1ull << 27,
    kEdgeRight = 1ull << 28,
    kReplicate16 = 1ull << 29,
    kOutOfBounds = 1ull << 30, ///< fma.oob
    kLeft = 1ull << 31,
    kRight = 1ull << 32,
    kInteger = 1ull << 33, ///< rounding to an integer: .rni, .rzi, .rmi, .rpi
    kAnd = 1ull << 34,     ///< redux.and; elsewhere these three are Combine
    kOr = 1ull << 35,
    kXor = 1ull << 36,
    kAddition = 1ull << 37,
    kMinimum = 1ull << 38,
    kMaximum = 1ull << 39,
    kFinite = 1ull << 40, ///< testp
    kInfinite = 1ull << 41,
    kNumber = 1ull << 42,
    kNotNumber = 1ull << 43,
    kNormal = 1ull << 44,
    kSubnormal = 1ull << 45,
};

struct Spec {
    static constexpr unsigned kMaxTypes = 4, kMaxOperands = 8;
    Op op = Op::None;
    Kind types[kMaxTypes] = {};
    std::uint8_t typeCount = 0;
    Rounding rounding = Rounding::None;
    Compare compare = Compare::None;
    Combine combine = Combine::None;
    std::uint64_t flags = 0;
    std::uint8_t operands = 0;
    std::uint8_t bytes[kMaxOperands] = {}; ///< a lane of each operand; 0 for predicates and absent ones
    bool predicate[kMaxOperands] = {};
    bool immediate[kMaxOperands] = {};
    std::uint64_t bits[kMaxOperands] = {}; ///< of immediates
    /// mov {…}: number of parts of the destination or of the source; 0 for one register.
    std::uint8_t dstParts = 0, srcParts = 0;

    [[nodiscard]] Kind type() const { return types[0]; }
    [[nodiscard]] bool has(std::uint64_t flag) const { return (flags & flag) != 0; }
    /// Whether all flags are among `known`.
    [[nodiscard]] bool only(std::uint64_t known) const { return (flags & ~known) == 0; }
    /// Whether operands from the destination on are this many bytes wide.
    template <typename... N>
    [[nodiscard]] bool widths(N... n) const {
        unsigned i = 0;
        return operands >= sizeof...(N) && ((bytes[i++] == static_cast<unsigned>(n)) && ...);
    }
};

/// What a family's table answers.
struct Found {
    Handler run = nullptr;
    std::uint16_t flags = 0;
    std::uint64_t imm = 0;
};

} // namespace dormer::emulator::instructions
