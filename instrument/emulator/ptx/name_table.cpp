// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/name_table.h"

#include "instrument/emulator/ptx/module.h"

namespace dormer::emulator::ptx {
namespace {

constexpr std::size_t kInitialSlots = 64;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

// FNV-1a; the last step spreads the high bits into those that choose the slot.
std::uint64_t NameTable::hashOf(std::string_view name, bool isRange) {
    std::uint64_t hash = isRange ? 0x84222325CBF29CE4ull : 0xCBF29CE484222325ull;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return hash ^ (hash >> 32);
}

void NameTable::clear() {
    m_slots.assign(kInitialSlots, 0);
    m_keys.clear();
    m_declarations.clear();
    m_scopes.clear();
    m_percentNames = 0;
}

void NameTable::open() {
    m_scopes.push_back(m_declarations.size());
}

void NameTable::close() {
    for (; m_declarations.size() > m_scopes.back(); m_declarations.pop_back()) {
        const Declaration& last = m_declarations.back();
        Key& key = m_keys[last.key];
        key.top = last.hidden;
        if (!key.isRange && key.name.starts_with('%')) --m_percentNames;
    }
    m_scopes.pop_back();
}

void NameTable::grow() {
    m_slots.assign(m_slots.size() * 4, 0);
    for (std::uint32_t i = 0; i < m_keys.size(); ++i) {
        std::size_t slot = m_keys[i].hash & (m_slots.size() - 1);
        while (m_slots[slot] != 0)
            slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = i + 1;
    }
}

std::uint32_t NameTable::keyOf(std::string_view name, bool isRange) {
    if (m_keys.size() * 2 >= m_slots.size()) grow();
    const std::uint64_t hash = hashOf(name, isRange);
    std::size_t slot = hash & (m_slots.size() - 1);
    for (; m_slots[slot] != 0; slot = (slot + 1) & (m_slots.size() - 1)) {
        const Key& key = m_keys[m_slots[slot] - 1];
        if (key.hash == hash && key.isRange == isRange && key.name == name) return m_slots[slot] - 1;
    }
    m_keys.push_back({name, hash, isRange, kNone});
    m_slots[slot] = static_cast<std::uint32_t>(m_keys.size());
    return m_slots[slot] - 1;
}

const NameTable::Declaration* NameTable::top(std::string_view name, bool isRange) const {
    const std::uint64_t hash = hashOf(name, isRange);
    for (std::size_t slot = hash & (m_slots.size() - 1); m_slots[slot] != 0;
         slot = (slot + 1) & (m_slots.size() - 1)) {
        const Key& key = m_keys[m_slots[slot] - 1];
        if (key.hash == hash && key.isRange == isRange && key.name == name)
            return key.top == kNone ? nullptr : &m_declarations[key.top];
    }
    return nullptr;
}

bool NameTable::declare(std::string_view name, const Symbol& symbol) {
    const bool isRange = symbol.kind == Symbol::Kind::RegisterRange;
    const std::uint32_t index = keyOf(name, isRange);
    Key& key = m_keys[index];
    const auto depth = static_cast<std::uint32_t>(m_scopes.size());
    if (key.top != kNone && m_declarations[key.top].depth == depth) return false;
    m_declarations.push_back({index, key.top, depth, symbol});
    key.top = static_cast<std::uint32_t>(m_declarations.size() - 1);
    if (!isRange && name.starts_with('%')) ++m_percentNames;
    return true;
}

const Symbol* NameTable::find(std::string_view name) const {
    const Declaration* found = top(name, false);
    return found != nullptr ? &found->symbol : nullptr;
}

const Symbol* NameTable::findHere(std::string_view name) const {
    const Declaration* found = top(name, false);
    return found != nullptr && found->depth == m_scopes.size() ? &found->symbol : nullptr;
}

std::uint32_t NameTable::findRegister(std::string_view name) const {
    const Declaration* single = nullptr;
    if (m_percentNames > 0 || !name.starts_with('%')) {
        single = top(name, false);
        if (single != nullptr && single->symbol.kind != Symbol::Kind::Register) return kNone;
    }
    std::size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1]))
        --digits;
    const std::string_view number = name.substr(digits);
    // %r<10> declares %r0 … %r9, so no leading zeros; counts have at most seven digits.
    if (!number.empty() && number.size() <= 9 && (number[0] != '0' || number.size() == 1)) {
        const Declaration* range = top(name.substr(0, digits), true);
        if (range != nullptr && (single == nullptr || single->depth < range->depth)) {
            std::uint32_t n = 0;
            for (const char c : number)
                n = n * 10 + static_cast<std::uint32_t>(c - '0');
            if (n < range->symbol.count) return range->symbol.index + n;
        }
    }
    return single != nullptr ? single->symbol.index : kNone;
}

} // namespace dormer::emulator::ptx
