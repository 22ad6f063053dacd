// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/operations/operations.h"

#include "instrument/emulator/lanes/operations_isa.h"
#include "instrument/emulator/operations/operation_parse.h"

#include <algorithm>

namespace dormer::emulator::operations {

instructions::TensorFormat tensorFormatOf(instructions::Kind element) {
    switch (element) {
    case instructions::Kind::BF16:
        return instructions::TensorFormat::Bf16;
    case instructions::Kind::TF32:
        return instructions::TensorFormat::Tf32;
    case instructions::Kind::F64:
        return instructions::TensorFormat::Fp64;
    case instructions::Kind::E4M3:
    case instructions::Kind::E5M2:
        return instructions::TensorFormat::Fp8;
    case instructions::Kind::S8:
    case instructions::Kind::U8:
        return instructions::TensorFormat::Int8;
    default:
        return instructions::TensorFormat::Fp16;
    }
}

namespace {

instructions::Operation findTensorOperation(const ptx::Instruction& instruction, InstructionSet isa) {
    instructions::Operation operation;
    const instructions::TensorPlan* plan = instructions::tensorPlan(instruction);
    if (plan == nullptr) return operation;
    operation.run =
        isa == InstructionSet::Avx512 ? lanes::v4::findTensor(*plan) : lanes::v3::findTensor(*plan);
    operation.imm = reinterpret_cast<std::uint64_t>(plan);
    operation.work = instructions::Work::Tensor;
    operation.tensorMacs = plan->m * plan->n * plan->k;
    operation.tensorFormat = tensorFormatOf(plan->a.element);
    // One HMMA, IMMA or DMMA for each 16x8 tile.
    operation.instructions = static_cast<float>(std::max(plan->m * plan->n / (16 * 8), 1u));
    operation.latency = 33; // m16n8k16 on sm_80 and sm_90
    return operation;
}

} // namespace

InstructionSet machineInstructionSet() {
    static const InstructionSet found = [] {
        if (__builtin_cpu_supports("x86-64-v4") != 0) return InstructionSet::Avx512;
        if (__builtin_cpu_supports("x86-64-v3") != 0) return InstructionSet::Avx2;
        return InstructionSet::None;
    }();
    return found;
}

std::string processorProblem(InstructionSet isa) {
    if (isa != InstructionSet::None) return {};
    return "the emulator needs a processor with AVX2 (x86-64-v3, Intel Haswell or AMD Zen and later), which "
           "this one "
           "lacks";
}

instructions::Operation findOperation(const ptx::Instruction& instruction,
                                      std::span<const OperandShape> shapes) {
    return findOperation(instruction, shapes, machineInstructionSet());
}

instructions::Operation findOperation(const ptx::Instruction& instruction,
                                      std::span<const OperandShape> shapes, InstructionSet isa) {
    instructions::Operation operation;
    if (isa == InstructionSet::None) return operation;
    if (instruction.opcode == "mma" || instruction.opcode == "wmma")
        return findTensorOperation(instruction, isa);
    const auto spec = parseOperation(instruction, shapes);
    if (!spec) return operation;
    const instructions::Found found =
        isa == InstructionSet::Avx512 ? lanes::v4::findHandler(*spec) : lanes::v3::findHandler(*spec);
    if (found.run == nullptr) return operation;
    operation.run = found.run;
    operation.flags = found.flags;
    operation.imm = found.imm;
    estimateCost(*spec, operation);
    return operation;
}

} // namespace dormer::emulator::operations
