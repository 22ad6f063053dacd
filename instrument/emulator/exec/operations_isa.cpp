// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/operations_isa.h"

#include "instrument/emulator/exec/lane_loop.h"

namespace dormer::emulator::DORMER_ISA {
namespace {

/// Arithmetic goes by type.
Found findArithmetic(const Spec& s) {
    const Kind type = s.type();
    if (type == Kind::F32 && s.typeCount == 1) return findFp32(s);
    if (type == Kind::F64) return findFp64(s);
    if (isHalf(type) || (s.typeCount == 2 && isHalf(s.types[1]))) return findHalf(s);
    return findInteger(s);
}

} // namespace

Found findHandler(const Spec& s) {
    switch (s.op) {
    case Op::Abs:
    case Op::Add:
    case Op::Copysign:
    case Op::Fma:
    case Op::Mad:
    case Op::Max:
    case Op::Min:
    case Op::Mul:
    case Op::Neg:
    case Op::Rcp:
    case Op::Sqrt:
    case Op::Sub:
        return findArithmetic(s);
    case Op::Addc:
    case Op::Dp2a:
    case Op::Dp4a:
    case Op::Mad24:
    case Op::Madc:
    case Op::Mul24:
    case Op::Sad:
    case Op::Subc:
        return findInteger(s);
    case Op::Div:
        return s.type() == Kind::F32 || s.type() == Kind::F64 ? findArithmetic(s) : findDivision(s);
    case Op::Rem:
        return findDivision(s);
    case Op::And:
    case Op::Cnot:
    case Op::Lop3:
    case Op::Not:
    case Op::Or:
    case Op::Shf:
    case Op::Shl:
    case Op::Shr:
    case Op::Xor:
        return findLogic(s);
    case Op::Bfe:
    case Op::Bfi:
    case Op::Bfind:
    case Op::Bmsk:
    case Op::Brev:
    case Op::Clz:
    case Op::Fns:
    case Op::Popc:
    case Op::Prmt:
    case Op::Szext:
    case Op::Vabsdiff2:
    case Op::Vabsdiff4:
        return findBits(s);
    case Op::Selp:
    case Op::Set:
    case Op::Setp:
    case Op::Slct:
    case Op::Testp:
        return findCompare(s);
    case Op::Cos:
    case Op::Lg2:
    case Op::Sin:
        return findSpecial(s);
    case Op::Ex2:
    case Op::Tanh:
        return isHalf(s.type()) ? findHalf(s) : findSpecial(s);
    case Op::Rsqrt:
        return s.type() == Kind::F64 ? findFp64(s) : findSpecial(s);
    case Op::Cvt:
    case Op::CvtPack:
        return findConvert(s);
    case Op::Mov:
        return findMove(s);
    case Op::ActiveMask:
    case Op::Elect:
    case Op::Match:
    case Op::Redux:
    case Op::Shfl:
    case Op::Vote:
        return findExchange(s);
    case Op::None:
        return {};
    }
    return {};
}

} // namespace dormer::emulator::DORMER_ISA
