// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/operation_parse.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator {
namespace {

template <typename T>
using Words = std::unordered_map<std::string_view, T>;

const Words<Op> kOpcodes = {
    {"abs", Op::Abs},
    {"activemask", Op::ActiveMask},
    {"add", Op::Add},
    {"addc", Op::Addc},
    {"and", Op::And},
    {"bfe", Op::Bfe},
    {"bfi", Op::Bfi},
    {"bfind", Op::Bfind},
    {"bmsk", Op::Bmsk},
    {"brev", Op::Brev},
    {"clz", Op::Clz},
    {"cnot", Op::Cnot},
    {"cos", Op::Cos},
    {"copysign", Op::Copysign},
    {"cvt", Op::Cvt},
    {"div", Op::Div},
    {"dp2a", Op::Dp2a},
    {"dp4a", Op::Dp4a},
    {"elect", Op::Elect},
    {"ex2", Op::Ex2},
    {"fma", Op::Fma},
    {"fns", Op::Fns},
    {"lg2", Op::Lg2},
    {"lop3", Op::Lop3},
    {"mad", Op::Mad},
    {"mad24", Op::Mad24},
    {"madc", Op::Madc},
    {"match", Op::Match},
    {"max", Op::Max},
    {"min", Op::Min},
    {"mov", Op::Mov},
    {"mul", Op::Mul},
    {"mul24", Op::Mul24},
    {"neg", Op::Neg},
    {"not", Op::Not},
    {"or", Op::Or},
    {"popc", Op::Popc},
    {"prmt", Op::Prmt},
    {"rcp", Op::Rcp},
    {"redux", Op::Redux},
    {"rem", Op::Rem},
    {"rsqrt", Op::Rsqrt},
    {"sad", Op::Sad},
    {"selp", Op::Selp},
    {"set", Op::Set},
    {"setp", Op::Setp},
    {"shf", Op::Shf},
    {"shfl", Op::Shfl},
    {"shl", Op::Shl},
    {"shr", Op::Shr},
    {"sin", Op::Sin},
    {"slct", Op::Slct},
    {"sqrt", Op::Sqrt},
    {"sub", Op::Sub},
    {"subc", Op::Subc},
    {"szext", Op::Szext},
    {"tanh", Op::Tanh},
    {"testp", Op::Testp},
    {"vabsdiff2", Op::Vabsdiff2},
    {"vabsdiff4", Op::Vabsdiff4},
    {"vote", Op::Vote},
    {"xor", Op::Xor},
};

const Words<Kind> kKinds = {
    {"pred", Kind::Pred}, {"b8", Kind::B8},         {"b16", Kind::B16},       {"b32", Kind::B32},
    {"b64", Kind::B64},   {"b128", Kind::B128},     {"u8", Kind::U8},         {"u16", Kind::U16},
    {"u32", Kind::U32},   {"u64", Kind::U64},       {"s8", Kind::S8},         {"s16", Kind::S16},
    {"s32", Kind::S32},   {"s64", Kind::S64},       {"u16x2", Kind::U16x2},   {"s16x2", Kind::S16x2},
    {"f16", Kind::F16},   {"f16x2", Kind::F16x2},   {"bf16", Kind::BF16},     {"bf16x2", Kind::BF16x2},
    {"tf32", Kind::TF32}, {"f32", Kind::F32},       {"f64", Kind::F64},       {"e4m3", Kind::E4M3},
    {"e5m2", Kind::E5M2}, {"e4m3x2", Kind::E4M3x2}, {"e5m2x2", Kind::E5M2x2},
};

const Words<std::uint64_t> kFlags = {
    {"ftz", kFtz},
    {"sat", kSat},
    {"satfinite", kSatfinite},
    {"relu", kRelu},
    {"NaN", kNanResult},
    {"approx", kApprox},
    {"full", kFull},
    {"cc", kCarryOut},
    {"lo", kLow},
    {"hi", kHigh},
    {"wide", kWide},
    {"sync", kSync},
    {"clamp", kClamp},
    {"wrap", kWrap},
    {"shiftamt", kShiftAmount},
    {"all", kAll},
    {"any", kAny},
    {"uni", kUni},
    {"ballot", kBallot},
    {"up", kUp},
    {"down", kDown},
    {"idx", kIndex},
    {"bfly", kButterfly},
    {"f4e", kForward4},
    {"b4e", kBackward4},
    {"rc8", kReplicate8},
    {"ecl", kEdgeLeft},
    {"ecr", kEdgeRight},
    {"rc16", kReplicate16},
    {"oob", kOutOfBounds},
    {"l", kLeft},
    {"r", kRight},
    {"and", kAnd},
    {"or", kOr},
    {"xor", kXor},
    {"add", kAddition},
    {"min", kMinimum},
    {"max", kMaximum},
    {"finite", kFinite},
    {"infinite", kInfinite},
    {"number", kNumber},
    {"notanumber", kNotNumber},
    {"normal", kNormal},
    {"subnormal", kSubnormal},
};

const Words<Rounding> kRoundings = {
    {"rn", Rounding::Nearest}, {"rz", Rounding::Zero},  {"rm", Rounding::Down},
    {"rp", Rounding::Up},      {"rna", Rounding::Away},
};
const Words<Rounding> kIntegerRoundings = {
    {"rni", Rounding::Nearest},
    {"rzi", Rounding::Zero},
    {"rmi", Rounding::Down},
    {"rpi", Rounding::Up},
};

const Words<Compare> kCompares = {
    {"eq", Compare::Eq},   {"ne", Compare::Ne},   {"lt", Compare::Lt},   {"le", Compare::Le},
    {"gt", Compare::Gt},   {"ge", Compare::Ge},   {"lo", Compare::Lt},   {"ls", Compare::Le},
    {"hi", Compare::Gt},   {"hs", Compare::Ge},   {"equ", Compare::Equ}, {"neu", Compare::Neu},
    {"ltu", Compare::Ltu}, {"leu", Compare::Leu}, {"gtu", Compare::Gtu}, {"geu", Compare::Geu},
    {"num", Compare::Num}, {"nan", Compare::Nan},
};
const Words<Combine> kCombines = {{"and", Combine::And}, {"or", Combine::Or}, {"xor", Combine::Xor}};

template <typename T>
bool look(const Words<T>& words, std::string_view word, T& out) {
    const auto found = words.find(word);
    if (found == words.end()) return false;
    out = found->second;
    return true;
}

bool readModifier(Spec& spec, std::string_view word) {
    const bool compares = spec.op == Op::Set || spec.op == Op::Setp;
    if (compares && spec.compare == Compare::None) return look(kCompares, word, spec.compare);
    if (compares && look(kCombines, word, spec.combine)) return true;
    Kind kind = Kind::None;
    if (look(kKinds, word, kind)) {
        if (spec.typeCount == Spec::kMaxTypes) return false;
        spec.types[spec.typeCount++] = kind;
        return true;
    }
    if (look(kRoundings, word, spec.rounding)) return true;
    if (look(kIntegerRoundings, word, spec.rounding)) {
        spec.flags |= kInteger;
        return true;
    }
    std::uint64_t flag = 0;
    if (!look(kFlags, word, flag)) return false;
    spec.flags |= flag;
    return true;
}

std::uint8_t parts(const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::Vector ? static_cast<std::uint8_t>(operand.parts.size()) : 0;
}

} // namespace

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

std::optional<Spec> parseOperation(const ptx::Instruction& instruction) {
    Spec spec;
    if (!look(kOpcodes, instruction.opcode, spec.op)) return std::nullopt;
    const auto& modifiers = instruction.modifiers;
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
        if (spec.op == Op::Cvt && modifiers[i] == "pack") {
            spec.op = Op::CvtPack;
        } else if (modifiers[i] == "xorsign" && i + 1 < modifiers.size() && modifiers[i + 1] == "abs") {
            spec.flags |= kXorSignAbs;
            ++i;
        } else if (!readModifier(spec, modifiers[i])) {
            return std::nullopt;
        }
    }
    if (instruction.operands.size() > Spec::kMaxOperands) return std::nullopt;
    spec.operands = static_cast<std::uint8_t>(instruction.operands.size());
    if (spec.op == Op::Mov && spec.operands == 2) {
        spec.dstParts = parts(instruction.operands[0]);
        spec.srcParts = parts(instruction.operands[1]);
    }
    return spec;
}

std::optional<Spec> parseOperation(const ptx::Instruction& instruction,
                                   std::span<const OperandShape> shapes) {
    auto spec = parseOperation(instruction);
    if (!spec || shapes.size() != spec->operands) return std::nullopt;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        spec->bytes[i] = shapes[i].predicate ? 0 : shapes[i].bytes;
        spec->predicate[i] = shapes[i].predicate;
        spec->immediate[i] = shapes[i].immediate;
        spec->bits[i] = shapes[i].bits;
    }
    return spec;
}

} // namespace dormer::emulator
