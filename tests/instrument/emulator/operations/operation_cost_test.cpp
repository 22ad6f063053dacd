// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

using namespace dormer::emulator::test;

namespace {

Operation operationOf(const std::string& mnemonic, std::vector<int> widths) {
    OperationRig rig(mnemonic, widths, machineInstructionSet());
    INFO(mnemonic);
    REQUIRE(rig.prepare());
    return rig.operation;
}

dormer::emulator::ptx::Instruction instruction(const std::string& opcode, std::vector<std::string> modifiers,
                                               std::size_t operands) {
    dormer::emulator::ptx::Instruction result;
    result.opcode = opcode;
    result.modifiers = std::move(modifiers);
    result.operands.resize(operands);
    return result;
}

} // namespace

TEST_CASE("Work tells FLOPs by precision") {
    CHECK(operationOf("add.f32", {4, 4, 4}).work == Work::Fp32Add);
    CHECK(operationOf("sub.rn.ftz.f32", {4, 4, 4}).work == Work::Fp32Add);
    CHECK(operationOf("mul.f32", {4, 4, 4}).work == Work::Fp32Mul);
    CHECK(operationOf("fma.rn.f32", {4, 4, 4, 4}).work == Work::Fp32Fma);
    CHECK(operationOf("div.rn.f32", {4, 4, 4}).work == Work::Fp32Mul);
    CHECK(operationOf("div.approx.f32", {4, 4, 4}).work == Work::Special);
    CHECK(operationOf("min.f32", {4, 4, 4}).work == Work::Fp32Other);
    CHECK(operationOf("setp.lt.f32", {kPredicate, 4, 4}).work == Work::Fp32Other);
    CHECK(operationOf("add.f64", {8, 8, 8}).work == Work::Fp64Add);
    CHECK(operationOf("fma.rn.f64", {8, 8, 8, 8}).work == Work::Fp64Fma);
    CHECK(operationOf("div.rn.f64", {8, 8, 8}).work == Work::Fp64Mul);
    CHECK(operationOf("fma.rn.f16x2", {4, 4, 4, 4}).work == Work::Fp16Fma);
    CHECK(operationOf("add.bf16", {2, 2, 2}).work == Work::Fp16Add);
    CHECK(operationOf("ex2.approx.ftz.f32", {4, 4}).work == Work::Special);
    CHECK(operationOf("add.s32", {4, 4, 4}).work == Work::Int);
    CHECK(operationOf("mad.lo.s32", {4, 4, 4, 4}).work == Work::IntMul);
    CHECK(operationOf("shfl.sync.bfly.b32", {4, 4, 4, 4, 4}).work == Work::Exchange);
    CHECK(operationOf("popc.b32", {4, 4}).work == Work::Bits);
    CHECK(operationOf("cvt.rn.f32.s32", {4, 4}).work == Work::Conversion);
    CHECK(operationOf("mov.u32", {4, 4}).work == Work::Move);
}

TEST_CASE("Hardware instructions are estimated as ptxas makes them") {
    CHECK(operationOf("mov.b64", {8, 8}).instructions == 0);
    CHECK(operationOf("cvt.u32.u64", {4, 8}).instructions == 0);
    CHECK(operationOf("cvt.u64.u32", {8, 4}).instructions == 0);
    CHECK(operationOf("cvt.s64.s32", {8, 4}).instructions == 1);
    CHECK(operationOf("add.s32", {4, 4, 4}).instructions == 1);
    CHECK(operationOf("add.s64", {8, 8, 8}).instructions == 2);
    CHECK(operationOf("mul.wide.s32", {8, 4, 4}).instructions == 1);
    CHECK(operationOf("mul.lo.s64", {8, 8, 8}).instructions == 4);
}

TEST_CASE("A processor without AVX2 is told so") {
    CHECK(processorProblem(InstructionSet::Avx2).empty());
    CHECK(processorProblem(InstructionSet::Avx512).empty());
    CHECK(processorProblem(InstructionSet::None).find("needs a processor with AVX2") != std::string::npos);
    CHECK(findOperation(instruction("add", {"s32"}, 3), std::vector<OperandShape>(3, {4, false, false, 0}),
                        InstructionSet::None)
              .run == nullptr);
}

TEST_CASE("Immediates take the width of the operand they are") {
    const auto shape = [](const dormer::emulator::ptx::Instruction& i, std::size_t index) {
        const ImmediateShape s = immediateShape(i, index);
        return std::pair{unsigned(s.bytes), s.isFloat};
    };
    using P = std::pair<unsigned, bool>;
    CHECK(shape(instruction("shl", {"b64"}, 3), 2) == P{4, false});
    CHECK(shape(instruction("shl", {"b64"}, 3), 1) == P{8, false});
    CHECK(shape(instruction("add", {"f32"}, 3), 2) == P{4, true});
    CHECK(shape(instruction("add", {"s16"}, 3), 2) == P{2, false});
    CHECK(shape(instruction("mad", {"wide", "s32"}, 4), 3) == P{8, false});
    CHECK(shape(instruction("mad", {"wide", "s32"}, 4), 2) == P{4, false});
    CHECK(shape(instruction("setp", {"lt", "f64"}, 3), 2) == P{8, true});
    CHECK(shape(instruction("set", {"lt", "u32", "f64"}, 3), 1) == P{8, true});
    CHECK(shape(instruction("cvt", {"rn", "f32", "u64"}, 2), 1) == P{8, false});
    CHECK(shape(instruction("cvt", {"u16", "u8"}, 2), 1) == P{2, false});
    CHECK(shape(instruction("selp", {"f64"}, 4), 2) == P{8, true});
    CHECK(shape(instruction("bfe", {"u64"}, 4), 3) == P{4, false});
    CHECK(shape(instruction("slct", {"f64", "s32"}, 4), 3) == P{4, false});
    CHECK(shape(instruction("shfl", {"sync", "down", "b32"}, 5), 4) == P{4, false});
    CHECK(shape(instruction("match", {"any", "sync", "b64"}, 3), 2) == P{4, false});
    CHECK(shape(instruction("mov", {"pred"}, 2), 1) == P{4, false});
}
