// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Where the values lie that instructions name: registers, numbers, special registers, addresses.

#include "instrument/emulator/code/function_decoder.h"

#include <bit>

namespace dormer::emulator::code {

using OperandKind = ptx::Operand::Kind;

std::optional<instructions::Ref> FunctionDecoder::constantSource(const ptx::Operand& operand,
                                                                 std::uint8_t bytes) {
    switch (operand.kind) {
    case ptx::Operand::Kind::Integer:
    case ptx::Operand::Kind::Float32:
    case ptx::Operand::Kind::Float64:
        return bytes == 16 ? std::nullopt
                           : std::optional(m_context.tables.bits(immediateBits(operand, bytes), bytes));
    case ptx::Operand::Kind::Special:
        if (const std::optional<program::Special> special = fixedSpecial(operand.name); special && bytes <= 8)
            return m_context.tables.special(*special, bytes);
        if (const std::optional<std::uint32_t> offset = reservedSharedOffset(operand.name))
            return m_context.tables.bits(*offset, bytes);
        return std::nullopt;
    case ptx::Operand::Kind::Symbol: {
        const SymbolPlace place = symbolPlace(operand.name);
        const std::uint64_t value = place.value + static_cast<std::uint64_t>(operand.offset);
        if (place.kind == SymbolPlace::Kind::Local && !isKernel()) return std::nullopt;
        if (place.kind == SymbolPlace::Kind::Parameter)
            throw NotSupported{"the address of a call's parameter"};
        if (place.kind == SymbolPlace::Kind::KernelParameter)
            return m_context.tables.parameterAddress(static_cast<std::uint32_t>(value), bytes);
        return m_context.tables.bits(value, bytes);
    }
    case ptx::Operand::Kind::Register:
        if (m_constant[operand.reg].present() && bytesOf(operand.reg) == bytes)
            return m_constant[operand.reg];
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

std::uint64_t FunctionDecoder::immediateBits(const ptx::Operand& operand, std::uint8_t bytes) const {
    if (operand.kind == ptx::Operand::Kind::Float32 && bytes == 8)
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
    if (operand.kind == ptx::Operand::Kind::Float64 && bytes == 4)
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    return operand.bits;
}

instructions::Ref FunctionDecoder::registerRef(std::uint32_t reg) const {
    return m_constant[reg].present() ? m_constant[reg] : m_frame.places[reg];
}

instructions::Ref FunctionDecoder::sourceRef(const ptx::Operand& operand, std::uint8_t bytes,
                                             bool predicate) {
    if (operand.kind == OperandKind::Register) return registerRef(operand.reg);
    if (operand.kind == OperandKind::Sink) return {};
    if (predicate && operand.kind == OperandKind::Integer)
        return m_context.tables.predicate(operand.bits != 0);
    if (operand.kind == OperandKind::Integer || operand.kind == OperandKind::Float32 ||
        operand.kind == OperandKind::Float64)
        return m_context.tables.bits(immediateBits(operand, bytes), bytes);
    if (const std::optional<instructions::Ref> constant = constantSource(operand, bytes)) return *constant;
    throw NotSupported{operand.kind == OperandKind::Special ? "the special register " + operand.name
                                                            : "an operand of this kind"};
}

FunctionDecoder::SymbolPlace FunctionDecoder::symbolPlace(const std::string& name) const {
    if (const auto local = m_localPlaces.find(name); local != m_localPlaces.end())
        return {SymbolPlace::Kind::Local, local->second};
    if (const auto parameter = m_parameterPlaces.find(name); parameter != m_parameterPlaces.end())
        return {SymbolPlace::Kind::Parameter, parameter->second.offset};
    if (isKernel())
        for (std::size_t k = 0; k < m_function->parameters.size(); ++k)
            if (m_function->parameters[k].name == name)
                return {SymbolPlace::Kind::KernelParameter, m_program.kernelFacts.parameters[k].offset};
    const auto& shared = m_context.sharedOffsets;
    if (auto found = shared.find(sharedName(m_index, name)); found != shared.end())
        return {SymbolPlace::Kind::Shared, found->second};
    if (auto found = shared.find(name); found != shared.end())
        return {SymbolPlace::Kind::Shared, found->second};
    if (auto found = m_context.moduleFunctions.find(name); found != m_context.moduleFunctions.end())
        return {SymbolPlace::Kind::Function, program::kFunctionWindow + std::uint64_t{found->second} * 16};
    if (const std::optional<std::uint64_t> address = m_context.findVariable(name))
        return {SymbolPlace::Kind::Global, *address};
    throw NotSupported{"a reference to " + name + ", which this module does not define"};
}

} // namespace dormer::emulator::code
