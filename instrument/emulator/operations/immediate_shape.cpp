// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/operations/operation_parse.h"

#include <algorithm>

namespace dormer::emulator::operations {
namespace {

/// Type of the operand at `index`: most instructions name one type for all, these don't.
instructions::Kind operandKind(const instructions::Spec& spec, std::size_t index) {
    const instructions::Kind first = spec.types[0], second = spec.types[1];
    switch (spec.op) {
    case instructions::Op::Shl:
    case instructions::Op::Shr:
        return index == 2 ? instructions::Kind::U32 : first;
    case instructions::Op::Bfe:
        return index >= 2 ? instructions::Kind::U32 : first;
    case instructions::Op::Bfi:
        return index >= 3 ? instructions::Kind::U32 : first;
    case instructions::Op::Set:
        return index == 0 || spec.typeCount < 2 ? first : second;
    case instructions::Op::Slct:
        return index == 3 && spec.typeCount > 1 ? second : first;
    case instructions::Op::Cvt:
        return index == 0 || spec.typeCount < 2 ? first : second;
    case instructions::Op::Vote:
        return index == 2 ? instructions::Kind::B32 : first;
    case instructions::Op::Match:
        return index == 1 ? first : instructions::Kind::B32;
    case instructions::Op::Popc:
    case instructions::Op::Clz:
    case instructions::Op::Bfind:
        return index == 0 ? instructions::Kind::U32 : first;
    case instructions::Op::Mul:
        if (spec.has(instructions::kWide) && index == 0)
            return instructions::bytesOf(first) == 4 ? instructions::Kind::U64 : instructions::Kind::U32;
        return first;
    case instructions::Op::Mad:
        if (spec.has(instructions::kWide) && (index == 0 || index == 3))
            return instructions::bytesOf(first) == 4 ? instructions::Kind::U64 : instructions::Kind::U32;
        return first;
    case instructions::Op::Add:
    case instructions::Op::Sub:
        return index == 1 && spec.typeCount == 2 ? second : first; // add.f32.f16 d, a, c
    case instructions::Op::Fma:
        return (index == 1 || index == 2) && spec.typeCount == 2 ? second : first;
    case instructions::Op::CvtPack:
    case instructions::Op::Dp2a:
    case instructions::Op::Dp4a:
        return instructions::Kind::B32;
    default:
        return first;
    }
}

} // namespace

ImmediateShape immediateShape(const ptx::Instruction& instruction, std::size_t index) {
    const auto spec = parseOperation(instruction);
    if (!spec) return {};
    const instructions::Kind kind = operandKind(*spec, index);
    const unsigned parts = index == 0 ? spec->dstParts : index == 1 ? spec->srcParts : 0;
    unsigned bytes = instructions::bytesOf(kind);
    if (bytes == 0) return {}; // a predicate, or no type at all (elect, activemask): 32 bits
    if (parts > 1) bytes /= parts;
    return {static_cast<std::uint8_t>(std::max(bytes, 2u)),
            kind == instructions::Kind::F32 || kind == instructions::Kind::F64};
}

} // namespace dormer::emulator::operations
