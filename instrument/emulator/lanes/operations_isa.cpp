// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/lanes/operations_isa.h"

#include "instrument/emulator/lanes/lane_loop.h"

namespace dormer::emulator::lanes::DORMER_ISA {
namespace {

/// Arithmetic goes by type.
instructions::Found findArithmetic(const instructions::Spec& s) {
    const instructions::Kind type = s.type();
    if (type == instructions::Kind::F32 && s.typeCount == 1) return findFp32(s);
    if (type == instructions::Kind::F64) return findFp64(s);
    if (instructions::isHalf(type) || (s.typeCount == 2 && instructions::isHalf(s.types[1])))
        return findHalf(s);
    return findInteger(s);
}

} // namespace

instructions::Found findHandler(const instructions::Spec& s) {
    switch (s.op) {
    case instructions::Op::Abs:
    case instructions::Op::Add:
    case instructions::Op::Copysign:
    case instructions::Op::Fma:
    case instructions::Op::Mad:
    case instructions::Op::Max:
    case instructions::Op::Min:
    case instructions::Op::Mul:
    case instructions::Op::Neg:
    case instructions::Op::Rcp:
    case instructions::Op::Sqrt:
    case instructions::Op::Sub:
        return findArithmetic(s);
    case instructions::Op::Addc:
    case instructions::Op::Dp2a:
    case instructions::Op::Dp4a:
    case instructions::Op::Mad24:
    case instructions::Op::Madc:
    case instructions::Op::Mul24:
    case instructions::Op::Sad:
    case instructions::Op::Subc:
        return findInteger(s);
    case instructions::Op::Div:
        return s.type() == instructions::Kind::F32 || s.type() == instructions::Kind::F64 ? findArithmetic(s)
                                                                                          : findDivision(s);
    case instructions::Op::Rem:
        return findDivision(s);
    case instructions::Op::And:
    case instructions::Op::Cnot:
    case instructions::Op::Lop3:
    case instructions::Op::Not:
    case instructions::Op::Or:
    case instructions::Op::Shf:
    case instructions::Op::Shl:
    case instructions::Op::Shr:
    case instructions::Op::Xor:
        return findLogic(s);
    case instructions::Op::Bfe:
    case instructions::Op::Bfi:
    case instructions::Op::Bfind:
    case instructions::Op::Bmsk:
    case instructions::Op::Brev:
    case instructions::Op::Clz:
    case instructions::Op::Fns:
    case instructions::Op::Popc:
    case instructions::Op::Prmt:
    case instructions::Op::Szext:
    case instructions::Op::Vabsdiff2:
    case instructions::Op::Vabsdiff4:
        return findBits(s);
    case instructions::Op::Selp:
    case instructions::Op::Set:
    case instructions::Op::Setp:
    case instructions::Op::Slct:
    case instructions::Op::Testp:
        return findCompare(s);
    case instructions::Op::Cos:
    case instructions::Op::Lg2:
    case instructions::Op::Sin:
        return findSpecial(s);
    case instructions::Op::Ex2:
    case instructions::Op::Tanh:
        return instructions::isHalf(s.type()) ? findHalf(s) : findSpecial(s);
    case instructions::Op::Rsqrt:
        return s.type() == instructions::Kind::F64 ? findFp64(s) : findSpecial(s);
    case instructions::Op::Cvt:
    case instructions::Op::CvtPack:
        return findConvert(s);
    case instructions::Op::Mov:
        return findMove(s);
    case instructions::Op::ActiveMask:
    case instructions::Op::Elect:
    case instructions::Op::Match:
    case instructions::Op::Redux:
    case instructions::Op::Shfl:
    case instructions::Op::Vote:
        return findExchange(s);
    case instructions::Op::None:
        return {};
    }
    return {};
}

} // namespace dormer::emulator::lanes::DORMER_ISA
