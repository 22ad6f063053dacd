// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/look.h"

#include <cstring>

namespace dormer::emulator::exec {

namespace {

/// Bytes of a value that all lanes have together.
std::size_t bytesOf(const program::PollLoop::Value& value) {
    return value.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{value.bytes} * instructions::kLanes;
}

bool differs(const std::byte* now, const std::byte* before, std::size_t bytesPerLane, std::uint32_t mask) {
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if (((mask >> i) & 1) != 0 &&
            std::memcmp(now + i * bytesPerLane, before + i * bytesPerLane, bytesPerLane) != 0)
            return true;
    return false;
}

} // namespace

void Look::begin(WarpState& w, const program::PollLoop& loop, std::uint32_t mask) {
    if (began()) end(w);
    m_loop = &loop;
    m_mask = mask;
    m_paths = w.paths.size();
    m_calls = w.calls.size();
    m_wroteBefore = w.wrote;
    w.wrote = 0;
    m_values.clear();
    for (const program::PollLoop::Value& value : loop.carried) {
        const auto* bytes = w.at<std::byte>(value.place);
        m_values.insert(m_values.end(), bytes, bytes + bytesOf(value));
    }
    m_instructions.clear();
    for (const std::uint32_t index : loop.instructions)
        m_instructions.push_back(w.counts->instructions[index]);
    m_blocks.clear();
    for (const std::uint32_t block : loop.blocks) {
        m_blocks.push_back(w.counts->blockWarps[block]);
        m_blocks.push_back(w.counts->blockLanes[block]);
    }
    m_mark.reset();
    if (w.port != nullptr) m_mark = w.port->mark();
    m_steps = w.steps;
    if (w.trace != nullptr) m_trace = w.trace->mark();
}

bool Look::isOf(const WarpState& w, const program::PollLoop& loop, std::uint32_t mask) const {
    return m_loop == &loop && m_mask == mask && m_paths == w.paths.size() && m_calls == w.calls.size();
}

bool Look::wasInVain(const WarpState& w) const {
    if ((w.wrote & m_mask) != 0) return false;
    const std::byte* before = m_values.data();
    for (const program::PollLoop::Value& value : m_loop->carried) {
        const auto* now = w.at<std::byte>(value.place);
        if (value.bytes == 0) {
            std::uint32_t was = 0, is = 0;
            std::memcpy(&was, before, sizeof was);
            std::memcpy(&is, now, sizeof is);
            if (((was ^ is) & m_mask) != 0) return false;
        } else if (value.bytes == 16) { // all low halves, then all high ones
            constexpr std::size_t kHalf = 8 * instructions::kLanes;
            if (differs(now, before, 8, m_mask) || differs(now + kHalf, before + kHalf, 8, m_mask))
                return false;
        } else if (differs(now, before, value.bytes, m_mask)) {
            return false;
        }
        before += bytesOf(value);
    }
    return true;
}

bool Look::wasNotTheLast(const WarpState& w) const {
    return m_loop->forgets && (w.wrote & m_mask) == 0;
}

void Look::undo(WarpState& w) const {
    for (std::size_t i = 0; i < m_instructions.size(); ++i)
        w.counts->instructions[m_loop->instructions[i]] = m_instructions[i];
    for (std::size_t i = 0; i < m_loop->blocks.size(); ++i) {
        w.counts->blockWarps[m_loop->blocks[i]] = m_blocks[2 * i];
        w.counts->blockLanes[m_loop->blocks[i]] = m_blocks[2 * i + 1];
    }
    if (m_mark) w.port->goBack(*m_mark);
    w.steps = m_steps;
    if (w.trace != nullptr) w.trace->goBack(m_trace);
}

void Look::end(WarpState& w) {
    w.wrote |= m_wroteBefore;
    m_loop = nullptr;
}

} // namespace dormer::emulator::exec
