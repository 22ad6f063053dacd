// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/operations/operation_parse.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace dormer::emulator::operations {
namespace {

template <typename T>
using Words = std::unordered_map<std::string_view, T>;

const Words<instructions::Op> kOpcodes = {
    {"abs", instructions::Op::Abs},
    {"activemask", instructions::Op::ActiveMask},
    {"add", instructions::Op::Add},
    {"addc", instructions::Op::Addc},
    {"and", instructions::Op::And},
    {"bfe", instructions::Op::Bfe},
    {"bfi", instructions::Op::Bfi},
    {"bfind", instructions::Op::Bfind},
    {"bmsk", instructions::Op::Bmsk},
    {"brev", instructions::Op::Brev},
    {"clz", instructions::Op::Clz},
    {"cnot", instructions::Op::Cnot},
    {"cos", instructions::Op::Cos},
    {"copysign", instructions::Op::Copysign},
    {"cvt", instructions::Op::Cvt},
    {"div", instructions::Op::Div},
    {"dp2a", instructions::Op::Dp2a},
    {"dp4a", instructions::Op::Dp4a},
    {"elect", instructions::Op::Elect},
    {"ex2", instructions::Op::Ex2},
    {"fma", instructions::Op::Fma},
    {"fns", instructions::Op::Fns},
    {"lg2", instructions::Op::Lg2},
    {"lop3", instructions::Op::Lop3},
    {"mad", instructions::Op::Mad},
    {"mad24", instructions::Op::Mad24},
    {"madc", instructions::Op::Madc},
    {"match", instructions::Op::Match},
    {"max", instructions::Op::Max},
    {"min", instructions::Op::Min},
    {"mov", instructions::Op::Mov},
    {"mul", instructions::Op::Mul},
    {"mul24", instructions::Op::Mul24},
    {"neg", instructions::Op::Neg},
    {"not", instructions::Op::Not},
    {"or", instructions::Op::Or},
    {"popc", instructions::Op::Popc},
    {"prmt", instructions::Op::Prmt},
    {"rcp", instructions::Op::Rcp},
    {"redux", instructions::Op::Redux},
    {"rem", instructions::Op::Rem},
    {"rsqrt", instructions::Op::Rsqrt},
    {"sad", instructions::Op::Sad},
    {"selp", instructions::Op::Selp},
    {"set", instructions::Op::Set},
    {"setp", instructions::Op::Setp},
    {"shf", instructions::Op::Shf},
    {"shfl", instructions::Op::Shfl},
    {"shl", instructions::Op::Shl},
    {"shr", instructions::Op::Shr},
    {"sin", instructions::Op::Sin},
    {"slct", instructions::Op::Slct},
    {"sqrt", instructions::Op::Sqrt},
    {"sub", instructions::Op::Sub},
    {"subc", instructions::Op::Subc},
    {"szext", instructions::Op::Szext},
    {"tanh", instructions::Op::Tanh},
    {"testp", instructions::Op::Testp},
    {"vabsdiff2", instructions::Op::Vabsdiff2},
    {"vabsdiff4", instructions::Op::Vabsdiff4},
    {"vote", instructions::Op::Vote},
    {"xor", instructions::Op::Xor},
};

const Words<instructions::Kind> kKinds = {
    {"pred", instructions::Kind::Pred},     {"b8", instructions::Kind::B8},
    {"b16", instructions::Kind::B16},       {"b32", instructions::Kind::B32},
    {"b64", instructions::Kind::B64},       {"b128", instructions::Kind::B128},
    {"u8", instructions::Kind::U8},         {"u16", instructions::Kind::U16},
    {"u32", instructions::Kind::U32},       {"u64", instructions::Kind::U64},
    {"s8", instructions::Kind::S8},         {"s16", instructions::Kind::S16},
    {"s32", instructions::Kind::S32},       {"s64", instructions::Kind::S64},
    {"u16x2", instructions::Kind::U16x2},   {"s16x2", instructions::Kind::S16x2},
    {"f16", instructions::Kind::F16},       {"f16x2", instructions::Kind::F16x2},
    {"bf16", instructions::Kind::BF16},     {"bf16x2", instructions::Kind::BF16x2},
    {"tf32", instructions::Kind::TF32},     {"f32", instructions::Kind::F32},
    {"f64", instructions::Kind::F64},       {"e4m3", instructions::Kind::E4M3},
    {"e5m2", instructions::Kind::E5M2},     {"e4m3x2", instructions::Kind::E4M3x2},
    {"e5m2x2", instructions::Kind::E5M2x2},
};

const Words<std::uint64_t> kFlags = {
    {"ftz", instructions::kFtz},
    {"sat", instructions::kSat},
    {"satfinite", instructions::kSatfinite},
    {"relu", instructions::kRelu},
    {"NaN", instructions::kNanResult},
    {"approx", instructions::kApprox},
    {"full", instructions::kFull},
    {"cc", instructions::kCarryOut},
    {"lo", instructions::kLow},
    {"hi", instructions::kHigh},
    {"wide", instructions::kWide},
    {"sync", instructions::kSync},
    {"clamp", instructions::kClamp},
    {"wrap", instructions::kWrap},
    {"shiftamt", instructions::kShiftAmount},
    {"all", instructions::kAll},
    {"any", instructions::kAny},
    {"uni", instructions::kUni},
    {"ballot", instructions::kBallot},
    {"up", instructions::kUp},
    {"down", instructions::kDown},
    {"idx", instructions::kIndex},
    {"bfly", instructions::kButterfly},
    {"f4e", instructions::kForward4},
    {"b4e", instructions::kBackward4},
    {"rc8", instructions::kReplicate8},
    {"ecl", instructions::kEdgeLeft},
    {"ecr", instructions::kEdgeRight},
    {"rc16", instructions::kReplicate16},
    {"oob", instructions::kOutOfBounds},
    {"l", instructions::kLeft},
    {"r", instructions::kRight},
    {"and", instructions::kAnd},
    {"or", instructions::kOr},
    {"xor", instructions::kXor},
    {"add", instructions::kAddition},
    {"min", instructions::kMinimum},
    {"max", instructions::kMaximum},
    {"finite", instructions::kFinite},
    {"infinite", instructions::kInfinite},
    {"number", instructions::kNumber},
    {"notanumber", instructions::kNotNumber},
    {"normal", instructions::kNormal},
    {"subnormal", instructions::kSubnormal},
};

const Words<instructions::Rounding> kRoundings = {
    {"rn", instructions::Rounding::Nearest}, {"rz", instructions::Rounding::Zero},
    {"rm", instructions::Rounding::Down},    {"rp", instructions::Rounding::Up},
    {"rna", instructions::Rounding::Away},
};
const Words<instructions::Rounding> kIntegerRoundings = {
    {"rni", instructions::Rounding::Nearest},
    {"rzi", instructions::Rounding::Zero},
    {"rmi", instructions::Rounding::Down},
    {"rpi", instructions::Rounding::Up},
};

const Words<instructions::Compare> kCompares = {
    {"eq", instructions::Compare::Eq},   {"ne", instructions::Compare::Ne},
    {"lt", instructions::Compare::Lt},   {"le", instructions::Compare::Le},
    {"gt", instructions::Compare::Gt},   {"ge", instructions::Compare::Ge},
    {"lo", instructions::Compare::Lt},   {"ls", instructions::Compare::Le},
    {"hi", instructions::Compare::Gt},   {"hs", instructions::Compare::Ge},
    {"equ", instructions::Compare::Equ}, {"neu", instructions::Compare::Neu},
    {"ltu", instructions::Compare::Ltu}, {"leu", instructions::Compare::Leu},
    {"gtu", instructions::Compare::Gtu}, {"geu", instructions::Compare::Geu},
    {"num", instructions::Compare::Num}, {"nan", instructions::Compare::Nan},
};
const Words<instructions::Combine> kCombines = {{"and", instructions::Combine::And},
                                                {"or", instructions::Combine::Or},
                                                {"xor", instructions::Combine::Xor}};

template <typename T>
bool look(const Words<T>& words, std::string_view word, T& out) {
    const auto found = words.find(word);
    if (found == words.end()) return false;
    out = found->second;
    return true;
}

bool readModifier(instructions::Spec& spec, std::string_view word) {
    const bool compares = spec.op == instructions::Op::Set || spec.op == instructions::Op::Setp;
    if (compares && spec.compare == instructions::Compare::None) return look(kCompares, word, spec.compare);
    if (compares && look(kCombines, word, spec.combine)) return true;
    instructions::Kind kind = instructions::Kind::None;
    if (look(kKinds, word, kind)) {
        if (spec.typeCount == instructions::Spec::kMaxTypes) return false;
        spec.types[spec.typeCount++] = kind;
        return true;
    }
    if (look(kRoundings, word, spec.rounding)) return true;
    if (look(kIntegerRoundings, word, spec.rounding)) {
        spec.flags |= instructions::kInteger;
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

std::optional<instructions::Spec> parseOperation(const ptx::Instruction& instruction) {
    instructions::Spec spec;
    if (!look(kOpcodes, instruction.opcode, spec.op)) return std::nullopt;
    const auto& modifiers = instruction.modifiers;
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
        if (spec.op == instructions::Op::Cvt && modifiers[i] == "pack") {
            spec.op = instructions::Op::CvtPack;
        } else if (modifiers[i] == "xorsign" && i + 1 < modifiers.size() && modifiers[i + 1] == "abs") {
            spec.flags |= instructions::kXorSignAbs;
            ++i;
        } else if (!readModifier(spec, modifiers[i])) {
            return std::nullopt;
        }
    }
    if (instruction.operands.size() > instructions::Spec::kMaxOperands) return std::nullopt;
    spec.operands = static_cast<std::uint8_t>(instruction.operands.size());
    if (spec.op == instructions::Op::Mov && spec.operands == 2) {
        spec.dstParts = parts(instruction.operands[0]);
        spec.srcParts = parts(instruction.operands[1]);
    }
    return spec;
}

std::optional<instructions::Spec> parseOperation(const ptx::Instruction& instruction,
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

} // namespace dormer::emulator::operations
