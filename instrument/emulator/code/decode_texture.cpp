// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Reads through texture objects, and accesses to surface objects.

#include "instrument/emulator/accesses/surface_access.h"
#include "instrument/emulator/accesses/texture_fetch.h"
#include "instrument/emulator/code/function_decoder.h"
#include "instrument/emulator/flow/def_use.h"
#include "instrument/emulator/ptx/types.h"

#include <algorithm>
#include <string_view>

namespace dormer::emulator::code {

using namespace flow;

using OperandKind = ptx::Operand::Kind;

namespace {

void addCoordinates(const ptx::Operand& operand, std::vector<ptx::Operand>& out) {
    if (operand.kind != OperandKind::Vector) {
        out.push_back(operand);
        return;
    }
    for (const ptx::Operand& part : operand.parts)
        addCoordinates(part, out);
}

/// The coordinates in "[object, {x, y}]".
std::vector<ptx::Operand> coordinatesOf(const ptx::Operand& address) {
    std::vector<ptx::Operand> all;
    for (const ptx::Operand& part : address.parts)
        addCoordinates(part, all);
    return all;
}

} // namespace

void FunctionDecoder::decodeTexture(const ptx::Instruction& instruction) {
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    program::TextureFetch fetch;
    fetch.cube = has("cube") || has("acube");
    fetch.layered = has("a1d") || has("a2d") || has("acube");
    fetch.dimensions = has("1d") || has("a1d")                 ? 1
                       : has("2d") || has("a2d") || fetch.cube ? 2
                       : has("3d")                             ? 3
                                                               : 0;
    // Every texture here has one level, whatever level or gradients are requested.
    const std::size_t most = has("grad") ? 4 : has("level") ? 3 : 2;
    if (fetch.dimensions == 0 || !has("v4") || instruction.operands.size() != most)
        throw NotSupported{"a texture fetch of this form"};
    if (instruction.opcode == "tld4") {
        constexpr std::string_view kComponents = "rgba";
        for (unsigned k = 0; k < kComponents.size(); ++k)
            if (has(kComponents.substr(k, 1))) fetch.gathers = k;
        if (!fetch.gathers || fetch.dimensions != 2 || fetch.cube)
            throw NotSupported{"a texture gather of this form"};
    }
    fetch.integerCoordinates = instruction.modifiers.back() == "s32";
    const ptx::Operand& address = instruction.operands[1];
    if (address.reg == ptx::kNone) throw NotSupported{"a texture reference: use texture objects"};
    std::vector<instructions::Ref> refs;
    for (const ptx::Operand& part : instruction.operands[0].parts)
        refs.push_back(sourceRef(part, 4));
    refs.resize(4);
    for (const ptx::Operand& coordinate : coordinatesOf(address))
        refs.push_back(sourceRef(coordinate, 4));
    instructions::Inst& inst =
        appendMemory(instruction, counts::MemorySpace::Texture, counts::MemoryOp::Load, 4);
    inst.run = accesses::fetchTexture;
    inst.a = registerRef(address.reg);
    inst.imm = reinterpret_cast<std::uint64_t>(&m_program.textureFetches.emplace_back(fetch));
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

void FunctionDecoder::decodeSurface(const ptx::Instruction& instruction) {
    const auto has = [&](std::string_view modifier) { return hasModifier(instruction, modifier); };
    const bool store = instruction.opcode == "sust";
    program::SurfaceAccess access;
    access.layered = has("a1d") || has("a2d");
    access.dimensions = has("1d") || has("a1d") ? 1 : has("2d") || has("a2d") ? 2 : has("3d") ? 3 : 0;
    if (access.dimensions == 0 || !has("b") || instruction.operands.size() != 2)
        throw NotSupported{"a surface access of this form"};
    access.boundary = has("clamp")  ? program::SurfaceAccess::Boundary::Clamp
                      : has("zero") ? program::SurfaceAccess::Boundary::Zero
                                    : program::SurfaceAccess::Boundary::Trap;
    access.elementBytes = has("b8") ? 1 : has("b16") ? 2 : has("b32") ? 4 : has("b64") ? 8 : 0;
    if (access.elementBytes == 0) throw NotSupported{"a surface access of this type"};
    const ptx::Operand& address = instruction.operands[store ? 0 : 1];
    const ptx::Operand& value = instruction.operands[store ? 1 : 0];
    if (address.reg == ptx::kNone) throw NotSupported{"a surface reference: use surface objects"};
    const std::vector<ptx::Operand> single{value};
    const std::vector<ptx::Operand>& values = value.kind == OperandKind::Vector ? value.parts : single;
    access.elements = static_cast<unsigned>(values.size());
    access.registerBytes = std::max(access.elementBytes, 2U);
    for (const ptx::Operand& each : values)
        if (each.kind == OperandKind::Register) access.registerBytes = bytesOf(each.reg);
    std::vector<instructions::Ref> refs;
    for (const ptx::Operand& each : values)
        refs.push_back(sourceRef(each, static_cast<std::uint8_t>(access.registerBytes)));
    const std::vector<ptx::Operand> coordinates = coordinatesOf(address);
    for (std::size_t k = 0; k < std::min<std::size_t>(coordinates.size(), 4); ++k)
        refs.push_back(sourceRef(coordinates[k], 4));
    instructions::Inst& inst =
        appendMemory(instruction, counts::MemorySpace::Texture,
                     store ? counts::MemoryOp::Store : counts::MemoryOp::Load, access.bytes());
    inst.run = store ? accesses::storeSurface : accesses::loadSurface;
    inst.a = registerRef(address.reg);
    inst.imm = reinterpret_cast<std::uint64_t>(&m_program.surfaceAccesses.emplace_back(access));
    inst.moreCount = static_cast<std::uint8_t>(refs.size());
    inst.more = addRefs(std::move(refs));
}

} // namespace dormer::emulator::code
