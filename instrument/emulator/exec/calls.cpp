// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/calls.h"

#include <bit>
#include <cstring>
#include <utility>

namespace dormer::emulator::exec {

namespace {

void copyPlaces(const WarpState& w, std::uint32_t lanes, std::uint32_t fromBase,
                const std::vector<program::CallOperands::Place>& from, std::uint32_t toBase,
                const std::vector<program::CallOperands::Place>& to) {
    const std::size_t count = std::min(from.size(), to.size());
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        std::byte* area =
            w.parameterArea + static_cast<std::size_t>(std::countr_zero(rest)) * w.parameterStride;
        for (std::size_t k = 0; k < count; ++k)
            std::memmove(area + toBase + to[k].offset, area + fromBase + from[k].offset,
                         std::min(from[k].bytes, to[k].bytes));
    }
}

} // namespace

void enterCall(WarpState& w, std::uint32_t block, std::uint32_t function, std::uint32_t lanes) {
    const program::Program& program = *w.program;
    const std::uint32_t call = program.blocks[block].operands;
    const std::uint32_t callerIndex = w.calls.empty() ? 0 : w.calls.back().function;
    const program::CodeFunction& caller = program.functions[callerIndex];
    const program::CodeFunction& callee = program.functions[function];
    CallFrame frame;
    frame.function = function;
    frame.call = call;
    frame.block = block;
    frame.wrote = std::exchange(w.wrote, 0);
    frame.mask = lanes;
    frame.pathBase = w.paths.size();
    frame.registerOffset = w.registerOffset;
    frame.parameterOffset = w.parameterOffset;
    frame.localOffset = w.localOffset;
    const std::uint32_t registers = w.registerOffset + caller.registerBytes;
    const std::uint32_t parameters = w.parameterOffset + caller.parameterBytes;
    const std::uint32_t local = w.localOffset + caller.localBytes;
    if (registers + callee.registerBytes > w.registerBytes ||
        parameters + callee.parameterBytes > w.parameterStride || local + callee.localBytes > w.localStride)
        throw FaultSignal{memory::Fault::Kind::OutOfMemory, static_cast<unsigned>(std::countr_zero(lanes)), 0,
                          "the call stack is full: calls of " + callee.name + " nest too deeply"};
    copyPlaces(w, lanes, w.parameterOffset, program.calls[call].arguments, parameters, callee.parameters);
    w.calls.push_back(frame);
    w.registerOffset = registers;
    w.parameterOffset = parameters;
    w.localOffset = local;
    w.bases[instructions::kRegisters] = w.registerFile + registers;
    w.paths.push_back({callee.firstBlock, program::kFunctionEnd, lanes});
}

void returnFromCall(WarpState& w) {
    const CallFrame frame = w.calls.back();
    w.calls.pop_back();
    copyPlaces(w, frame.mask & w.alive, w.parameterOffset, w.program->functions[frame.function].results,
               frame.parameterOffset, w.program->calls[frame.call].results);
    w.registerOffset = frame.registerOffset;
    w.parameterOffset = frame.parameterOffset;
    w.localOffset = frame.localOffset;
    w.bases[instructions::kRegisters] = w.registerFile + w.registerOffset;
    w.wrote |= frame.wrote;
}

bool takeBackCall(WarpState& w) {
    CallFrame& frame = w.calls.back();
    std::uint32_t inside = 0;
    for (std::size_t i = frame.pathBase; i < w.paths.size(); ++i) {
        if (w.paths[i].waits != Path::Waits::No) return false;
        inside |= w.paths[i].mask & w.alive;
    }
    if ((w.wrote & inside) != 0) return false;
    const std::uint32_t block = frame.block;
    frame.mask &= ~inside; // only the others have results
    w.paths.resize(frame.pathBase);
    returnFromCall(w);
    // Those that do not repeat it, and those that do not call, are at what follows the call: of repeated
    // calls the path below says so.
    const program::CodeBlock& call = w.program->blocks[block];
    const std::size_t base = w.calls.empty() ? 0 : w.calls.back().pathBase;
    if (w.paths.size() > base + 1 && w.paths.back().pc == w.paths.back().reconverge) w.paths.pop_back();
    w.paths.push_back({block, call.next, inside, call.count});
    --w.counts->blockWarps[block]; // it counts when they come to it again
    w.counts->blockLanes[block] -= static_cast<unsigned>(std::popcount(inside));
    return true;
}

std::uint32_t indirectTarget(const WarpState& w, const program::CallOperands& call, std::uint32_t lanes,
                             std::uint32_t& same) {
    const auto* addresses = w.lanes<std::uint64_t>(call.address);
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t address = addresses[lane];
    const std::uint64_t index = (address - program::kFunctionWindow) / 16;
    const auto& known = w.program->functionOfModule;
    if (address < program::kFunctionWindow || index >= known.size() || known[index] == ptx::kNone)
        throw FaultSignal{memory::Fault::Kind::IllegalAddress, lane, address,
                          "call of an address that is no function"};
    same = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        if (addresses[std::countr_zero(rest)] == address) same |= rest & -rest;
    return known[index];
}

} // namespace dormer::emulator::exec
