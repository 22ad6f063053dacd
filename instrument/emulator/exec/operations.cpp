// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/operations.h"

#include "instrument/emulator/exec/operation_parse.h"
#include "instrument/emulator/exec/operations_isa.h"

#include <algorithm>

namespace dormer::emulator {
namespace {

TensorFormat formatOf(Kind element) {
    switch (element) {
    case Kind::BF16:
        return TensorFormat::Bf16;
    case Kind::TF32:
        return TensorFormat::Tf32;
    case Kind::F64:
        return TensorFormat::Fp64;
    case Kind::E4M3:
    case Kind::E5M2:
        return TensorFormat::Fp8;
    case Kind::S8:
    case Kind::U8:
        return TensorFormat::Int8;
    default:
        return TensorFormat::Fp16;
    }
}

Operation findTensorOperation(const ptx::Instruction& instruction, InstructionSet isa) {
    Operation operation;
    const TensorPlan* plan = tensorPlan(instruction);
    if (plan == nullptr) return operation;
    operation.run = isa == InstructionSet::Avx512 ? v4::findTensor(*plan) : v3::findTensor(*plan);
    operation.imm = reinterpret_cast<std::uint64_t>(plan);
    operation.work = Work::Tensor;
    operation.tensorMacs = plan->m * plan->n * plan->k;
    operation.tensorFormat = formatOf(plan->a.element);
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

Operation findOperation(const ptx::Instruction& instruction, std::span<const OperandShape> shapes) {
    return findOperation(instruction, shapes, machineInstructionSet());
}

Operation findOperation(const ptx::Instruction& instruction, std::span<const OperandShape> shapes,
                        InstructionSet isa) {
    Operation operation;
    if (isa == InstructionSet::None) return operation;
    if (instruction.opcode == "mma" || instruction.opcode == "wmma")
        return findTensorOperation(instruction, isa);
    const auto spec = parseOperation(instruction, shapes);
    if (!spec) return operation;
    const Found found = isa == InstructionSet::Avx512 ? v4::findHandler(*spec) : v3::findHandler(*spec);
    if (found.run == nullptr) return operation;
    operation.run = found.run;
    operation.flags = found.flags;
    operation.imm = found.imm;
    estimateCost(*spec, operation);
    return operation;
}

} // namespace dormer::emulator
