// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/fragment.h"
#include "instrument/emulator/operations/operations.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <vector>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::operations;

namespace {

struct Case {
    const char* mnemonic;
    std::vector<int> widths; ///< -1: a predicate
};

const std::vector<Case> kCases = {
    {"add.s32", {4, 4, 4}},
    {"add.s64", {8, 8, 8}},
    {"mad.lo.s32", {4, 4, 4, 4}},
    {"mul.wide.u32", {8, 4, 4}},
    {"mul.lo.s64", {8, 8, 8}},
    {"and.b32", {4, 4, 4}},
    {"shl.b32", {4, 4, 4}},
    {"shr.u64", {8, 8, 4}},
    {"setp.lt.s32", {-1, 4, 4}},
    {"setp.ne.s64", {-1, 8, 8}},
    {"selp.b32", {4, 4, 4, -1}},
    {"mov.b32", {4, 4}},
    {"cvt.s64.s32", {8, 4}},
    {"cvt.rn.f32.s32", {4, 4}},
    {"cvt.rzi.s32.f32", {4, 4}},
    {"add.f32", {4, 4, 4}},
    {"fma.rn.f32", {4, 4, 4, 4}},
    {"fma.rn.f64", {8, 8, 8, 8}},
    {"div.rn.f32", {4, 4, 4}},
    {"ex2.approx.ftz.f32", {4, 4}},
    {"sin.approx.f32", {4, 4}},
    {"fma.rn.f16x2", {4, 4, 4, 4}},
    {"div.u32", {4, 4, 4}},
    {"div.u64", {8, 8, 8}},
    {"popc.b32", {4, 4}},
    {"prmt.b32", {4, 4, 4, 4}},
    {"shfl.sync.down.b32", {4, 4, 4, 4, 4}},
    {"vote.sync.ballot.b32", {4, -1, 4}},
    {"match.any.sync.b32", {4, 4, 4}},
    {"redux.sync.add.s32", {4, 4, 4}},
};

double nanoseconds(Warp& warp, const Inst& inst) {
    constexpr int kRounds = 20000;
    double best = 1e9;
    for (int attempt = 0; attempt < 5; ++attempt) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kRounds; ++i)
            inst.run(warp, inst);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / kRounds);
    }
    return best;
}

const char* const kMatrices[] = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
};

void measureMatrices(const char* mnemonic, InstructionSet isa, std::byte* memory) {
    dormer::emulator::ptx::Instruction instruction;
    std::istringstream words(mnemonic);
    std::getline(words, instruction.opcode, '.');
    for (std::string word; std::getline(words, word, '.');)
        instruction.modifiers.push_back(word);
    const Operation operation = findOperation(instruction, {}, isa);
    const auto shapes = matrixOperation(instruction);
    if (operation.run == nullptr || !shapes) {
        fmt::print("{:52} not supported\n", mnemonic);
        return;
    }
    Warp warp;
    warp.bases[kRegisters] = memory;
    warp.exec = kAllLanes;
    // The result is no operand of the next one, so that values stay as they are.
    std::vector<Ref> refs;
    for (const FragmentShape* shape : {&shapes->d, &shapes->a, &shapes->b, &shapes->c})
        for (unsigned i = 0; i < fragmentRegisters(*shape); ++i)
            refs.push_back({static_cast<std::uint32_t>(refs.size() * 256)});
    Inst inst;
    inst.run = operation.run;
    inst.imm = operation.imm;
    inst.more = refs.data();
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    fmt::print("{:52} {:8.2f}\n", mnemonic, nanoseconds(warp, inst));
}

void measure(const Case& one, InstructionSet isa, std::byte* memory) {
    dormer::emulator::ptx::Instruction instruction;
    std::istringstream words(one.mnemonic);
    std::getline(words, instruction.opcode, '.');
    for (std::string word; std::getline(words, word, '.');)
        instruction.modifiers.push_back(word);
    instruction.operands.resize(one.widths.size());
    std::vector<OperandShape> shapes;
    for (const int width : one.widths)
        shapes.push_back({static_cast<std::uint8_t>(width < 0 ? 0 : width), width < 0, false, 0});
    const Operation operation = findOperation(instruction, shapes, isa);
    if (operation.run == nullptr) {
        fmt::print("{:24} not supported\n", one.mnemonic);
        return;
    }
    // Member masks, offsets and clamps are the operands of exchanges after the first: all ones do for each.
    if (operation.work == Work::Exchange) std::memset(memory + 2 * 512, 0xFF, 3 * 512);
    Warp warp;
    warp.bases[kRegisters] = memory;
    Inst inst;
    Ref* const refs[] = {&inst.dst, &inst.a, &inst.b, &inst.c, &inst.d};
    for (std::size_t i = 0; i < one.widths.size(); ++i)
        refs[i]->raw = static_cast<std::uint32_t>(i * 512);
    inst.run = operation.run;
    inst.flags = operation.flags;
    inst.imm = operation.imm;
    warp.exec = kAllLanes;
    const double all = nanoseconds(warp, inst);
    warp.exec = 0x0000FFFF;
    fmt::print("{:24} {:8.2f} {:8.2f}\n", one.mnemonic, all, nanoseconds(warp, inst));
}

} // namespace

int main() {
    struct alignas(64) Memory {
        std::byte bytes[40 * 256];
    };
    static Memory memory;
    // Numbers of ordinary size in every type: subnormals would time the processor's slow path.
    for (unsigned i = 0; i < sizeof memory.bytes; i += 4) {
        const std::uint32_t value = 0x3F800000 + i * 977;
        std::memcpy(memory.bytes + i, &value, sizeof value);
    }
    for (const InstructionSet isa : {InstructionSet::Avx2, InstructionSet::Avx512}) {
        if (machineInstructionSet() < isa) continue;
        fmt::print("{} {:>27} {:>8}\n", isa == InstructionSet::Avx2 ? "AVX2   " : "AVX-512", "all, ns",
                   "half, ns");
        for (const Case& one : kCases)
            measure(one, isa, memory.bytes);
        for (const char* mnemonic : kMatrices)
            measureMatrices(mnemonic, isa, memory.bytes);
    }
    return 0;
}
