// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/operation_spec.h"

namespace dormer::emulator::instructions {

unsigned bytesOf(Kind kind) {
    switch (kind) {
    case Kind::None:
    case Kind::Pred:
        return 0;
    case Kind::B8:
    case Kind::U8:
    case Kind::S8:
    case Kind::E4M3:
    case Kind::E5M2:
        return 1;
    case Kind::B16:
    case Kind::U16:
    case Kind::S16:
    case Kind::F16:
    case Kind::BF16:
    case Kind::E4M3x2:
    case Kind::E5M2x2:
        return 2;
    case Kind::B64:
    case Kind::U64:
    case Kind::S64:
    case Kind::F64:
        return 8;
    case Kind::B128:
        return 16;
    default:
        return 4;
    }
}

bool isSigned(Kind kind) {
    return kind == Kind::S8 || kind == Kind::S16 || kind == Kind::S32 || kind == Kind::S64 ||
           kind == Kind::S16x2;
}

bool isInteger(Kind kind) {
    return kind >= Kind::B8 && kind <= Kind::S64;
}

bool isHalf(Kind kind) {
    return kind >= Kind::F16 && kind <= Kind::BF16x2;
}

bool isPair(Kind kind) {
    return kind == Kind::F16x2 || kind == Kind::BF16x2 || kind == Kind::U16x2 || kind == Kind::S16x2;
}

} // namespace dormer::emulator::instructions
