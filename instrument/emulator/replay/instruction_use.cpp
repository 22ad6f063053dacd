// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/instruction_use.h"

namespace dormer::emulator::replay {

using instructions::Work;

PipeUse pipeOf(Work work, const device::Architecture& a) {
    switch (work) {
    case Work::Fp32Add:
    case Work::Fp32Mul:
    case Work::Fp32Fma:
        return {Pipe::Fma, a.fp32};
    case Work::IntMul:
        return {Pipe::HeavyFma, a.int32Mad};
    case Work::Int:
    case Work::Fp32Other:
    case Work::Move:
        return {Pipe::Alu, a.int32Add};
    case Work::Fp64Add:
    case Work::Fp64Mul:
    case Work::Fp64Fma:
    case Work::Fp64Other:
        return {Pipe::Fp64, a.fp64};
    case Work::Fp16Add:
    case Work::Fp16Mul:
    case Work::Fp16Fma:
    case Work::Fp16Other:
        return {Pipe::Fp16, a.fp16 / 2};
    case Work::Special:
        return {Pipe::Special, 16};
    case Work::Conversion:
        return {Pipe::Conversion, a.computeCapabilityMajor >= 9 ? 64.0 : 16.0};
    case Work::Bits:
        return {Pipe::Bits, 16};
    default:
        return {};
    }
}

int threeWay(const std::string& text) {
    if (text == "add.s32" || text == "add.u32" || text == "sub.s32") return 1;
    if (text == "and.b32" || text == "or.b32" || text == "xor.b32" || text == "not.b32") return 2;
    return 0;
}

bool isOfWarpGroup(const program::InstructionFacts& facts) {
    return facts.text.starts_with("wgmma");
}

bool isFence(const std::string& text) {
    return (text.starts_with("membar") || text.starts_with("fence")) &&
           text.find("cta") == std::string::npos && text.find("proxy") == std::string::npos &&
           text.find("mbarrier") == std::string::npos;
}

counts::Stall waitOf(const program::InstructionFacts& facts, const device::Architecture& architecture) {
    using counts::Stall;
    if (isOfWarpGroup(facts)) return Stall::Gmma;
    if (facts.isMemory) {
        const bool isNear =
            facts.space == counts::MemorySpace::Shared || facts.space == counts::MemorySpace::Constant;
        return isNear ? Stall::ShortScoreboard : Stall::LongScoreboard;
    }
    switch (facts.work) {
    case Work::Special:
    case Work::Conversion:
    case Work::Bits:
    case Work::Exchange:
        return Stall::ShortScoreboard;
    case Work::Fp64Add:
    case Work::Fp64Mul:
    case Work::Fp64Fma:
    case Work::Fp64Other:
        // Chips with few FP64 lanes have them in a unit of their own.
        return architecture.fp64 < architecture.fp32 / 2 ? Stall::ShortScoreboard : Stall::Wait;
    default:
        return Stall::Wait;
    }
}

counts::Stall throttleOf(const program::InstructionFacts& facts, Pipe pipe) {
    using counts::Stall;
    if (facts.isMemory) {
        if (facts.space == counts::MemorySpace::Texture) return Stall::TexThrottle;
        const bool isNear =
            facts.space == counts::MemorySpace::Shared || facts.space == counts::MemorySpace::Constant;
        return isNear ? Stall::MioThrottle : Stall::LgThrottle;
    }
    const bool behindQueue = facts.work == Work::Exchange || pipe == Pipe::Special ||
                             pipe == Pipe::Conversion || pipe == Pipe::Bits;
    return behindQueue ? Stall::MioThrottle : Stall::MathPipeThrottle;
}

} // namespace dormer::emulator::replay
