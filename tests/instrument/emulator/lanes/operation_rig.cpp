// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <limits>
#include <sstream>

namespace dormer::emulator::test {

std::vector<InstructionSet> instructionSets() {
    switch (machineInstructionSet()) {
    case InstructionSet::None:
        return {};
    case InstructionSet::Avx2:
        return {InstructionSet::Avx2};
    case InstructionSet::Avx512:
        break;
    }
    return {InstructionSet::Avx2, InstructionSet::Avx512};
}

OperationRig::OperationRig(const std::string& mnemonic, std::vector<int> widths, InstructionSet isa)
    : m_isa(isa) {
    std::istringstream words(mnemonic);
    std::getline(words, m_instruction.opcode, '.');
    for (std::string word; std::getline(words, word, '.');)
        m_instruction.modifiers.push_back(word);
    m_instruction.operands.resize(widths.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        m_instruction.operands[i].kind = ptx::Operand::Kind::Register;
        OperandShape shape;
        shape.predicate = widths[i] == kPredicate;
        shape.bytes = shape.predicate ? u8(0) : u8(widths[i]);
        m_shapes.push_back(shape);
    }
    m_warp.bases[kRegisters] = m_memory->bytes.data();
    m_warp.active = m_warp.alive = kAllLanes;
}

void OperationRig::immediate(unsigned operand, u64 bits) {
    m_shapes[operand].immediate = true;
    m_shapes[operand].bits = bits;
    m_instruction.operands[operand].kind = ptx::Operand::Kind::Integer;
}

void OperationRig::vector(unsigned operand, unsigned parts, int width) {
    auto& target = m_instruction.operands[operand];
    target.kind = ptx::Operand::Kind::Vector;
    target.parts.resize(parts);
    m_shapes[operand].bytes = u8(width);
    // Flattened: for an unpacking mov the parts come first, for a packing one the destination.
    m_more.clear();
    if (operand == 1) m_more.push_back(ref(0));
    for (unsigned i = 0; i < parts; ++i)
        m_more.push_back(ref(kFirstPart + i));
    if (operand == 0) m_more.push_back(ref(1));
}

void OperationRig::allInMore(unsigned registers) {
    for (unsigned i = 0; i < registers; ++i)
        m_more.push_back(ref(kFirstPart + i));
}

bool OperationRig::prepare() {
    operation = findOperation(m_instruction, m_shapes, m_isa);
    if (operation.run == nullptr) return false;
    const auto place = [&](unsigned operand) { return operand < m_shapes.size() ? ref(operand) : Ref{}; };
    inst.run = operation.run;
    inst.dst = m_alias != 0 ? ref(m_alias) : place(0);
    if (m_second != 0) inst.dst2 = ref(kSecond);
    inst.a = place(1);
    inst.b = place(2);
    inst.c = place(3);
    inst.d = place(4);
    inst.flags = operation.flags;
    inst.imm = operation.imm;
    inst.more = m_more.data();
    inst.moreCount = u8(m_more.size());
    return true;
}

void OperationRig::run(u32 exec) {
    m_warp.exec = exec;
    inst.run(m_warp, inst);
}

bool refused(const std::string& mnemonic, std::vector<int> widths) {
    for (const InstructionSet isa : instructionSets())
        if (OperationRig rig(mnemonic, widths, isa); rig.prepare()) return false;
    return true;
}

namespace {

template <typename T>
std::vector<T> integers() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values = {T(0),
                             T(1),
                             T(2),
                             T(3),
                             T(7),
                             T(-1),
                             T(-2),
                             T(-7),
                             Limits::min(),
                             Limits::max(),
                             T(Limits::min() + 1),
                             T(Limits::max() - 1),
                             T(Limits::max() / 2),
                             T(31),
                             T(32),
                             T(33),
                             T(63),
                             T(64),
                             T(100),
                             T(0x80),
                             T(0xFF)};
    std::mt19937_64 random(11);
    for (int i = 0; i < 24; ++i)
        values.push_back(T(random() >> (random() % 64)));
    return values;
}

template <typename T, typename U>
std::vector<T> floats() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const T v : {T(0),
                      Limits::denorm_min(),
                      T(Limits::min() / 2),
                      T(Limits::min()),
                      T(1),
                      T(1.5),
                      T(2),
                      T(3),
                      T(0.5),
                      T(1) + Limits::epsilon(),
                      T(1) - Limits::epsilon() / 2,
                      Limits::max(),
                      Limits::infinity(),
                      T(1) / T(3),
                      T(1e10),
                      T(2.5),
                      T(0x1p23),
                      T(0x1p31),
                      T(0x1p63),
                      T(1e-20)}) {
        values.push_back(v);
        values.push_back(-v);
    }
    values.push_back(Limits::quiet_NaN());
    values.push_back(std::bit_cast<T>(U(std::bit_cast<U>(-Limits::quiet_NaN()) | 0x1234)));
    std::mt19937_64 random(13);
    for (int i = 0; i < 16; ++i)
        values.push_back(std::bit_cast<T>(U(random())));
    std::normal_distribution<T> normal;
    for (int i = 0; i < 16; ++i)
        values.push_back(normal(random) * T(10));
    return values;
}

} // namespace

template <>
std::vector<u8> interesting<u8>() {
    return integers<u8>();
}
template <>
std::vector<u16> interesting<u16>() {
    return integers<u16>();
}
template <>
std::vector<s16> interesting<s16>() {
    return integers<s16>();
}
template <>
std::vector<u32> interesting<u32>() {
    return integers<u32>();
}
template <>
std::vector<s32> interesting<s32>() {
    return integers<s32>();
}
template <>
std::vector<u64> interesting<u64>() {
    return integers<u64>();
}
template <>
std::vector<s64> interesting<s64>() {
    return integers<s64>();
}
template <>
std::vector<float> interesting<float>() {
    return floats<float, u32>();
}
template <>
std::vector<double> interesting<double>() {
    return floats<double, u64>();
}

} // namespace dormer::emulator::test
