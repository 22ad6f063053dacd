// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/operation_parse.h"

#include <algorithm>

namespace dormer::emulator {
namespace {

/// Type of the operand at `index`: most instructions name one type for all, these don't.
Kind operandKind(const Spec& spec, std::size_t index) {
    const Kind first = spec.types[0], second = spec.types[1];
    switch (spec.op) {
    case Op::Shl:
    case Op::Shr:
        return index == 2 ? Kind::U32 : first;
    case Op::Bfe:
        return index >= 2 ? Kind::U32 : first;
    case Op::Bfi:
        return index >= 3 ? Kind::U32 : first;
    case Op::Set:
        return index == 0 || spec.typeCount < 2 ? first : second;
    case Op::Slct:
        return index == 3 && spec.typeCount > 1 ? second : first;
    case Op::Cvt:
        return index == 0 || spec.typeCount < 2 ? first : second;
    case Op::Vote:
        return index == 2 ? Kind::B32 : first;
    case Op::Match:
        return index == 1 ? first : Kind::B32;
    case Op::Popc:
    case Op::Clz:
    case Op::Bfind:
        return index == 0 ? Kind::U32 : first;
    case Op::Mul:
        if (spec.has(kWide) && index == 0) return bytesOf(first) == 4 ? Kind::U64 : Kind::U32;
        return first;
    case Op::Mad:
        if (spec.has(kWide) && (index == 0 || index == 3)) return bytesOf(first) == 4 ? Kind::U64 : Kind::U32;
        return first;
    case Op::Add:
    case Op::Sub:
        return index == 1 && spec.typeCount == 2 ? second : first; // add.f32.f16 d, a, c
    case Op::Fma:
        return (index == 1 || index == 2) && spec.typeCount == 2 ? second : first;
    case Op::CvtPack:
    case Op::Dp2a:
    case Op::Dp4a:
        return Kind::B32;
    default:
        return first;
    }
}

} // namespace

ImmediateShape immediateShape(const ptx::Instruction& instruction, std::size_t index) {
    const auto spec = parseOperation(instruction);
    if (!spec) return {};
    const Kind kind = operandKind(*spec, index);
    const unsigned parts = index == 0 ? spec->dstParts : index == 1 ? spec->srcParts : 0;
    unsigned bytes = bytesOf(kind);
    if (bytes == 0) return {}; // a predicate, or no type at all (elect, activemask): 32 bits
    if (parts > 1) bytes /= parts;
    return {static_cast<std::uint8_t>(std::max(bytes, 2u)), kind == Kind::F32 || kind == Kind::F64};
}

} // namespace dormer::emulator
