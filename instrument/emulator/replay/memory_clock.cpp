// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/memory_clock.h"

#include <algorithm>
#include <bit>

namespace dormer::emulator::replay {

namespace {

constexpr unsigned kSectors = 0xF;

/// A number from 0 to 1 that looks like chance and is the same in every run.
double chance(std::uint64_t line) {
    line ^= line >> 31;
    line *= 0x7FB5D329728EA185;
    line ^= line >> 27;
    line *= 0x81DADEF4BC2DD44D;
    return static_cast<double>(line >> 11) * 0x1p-53;
}

} // namespace

MemoryClock::Line& MemoryClock::take(std::uint64_t line) {
    const auto [found, isNew] = m_l1.try_emplace(line);
    if (isNew) {
        m_order.push_back(line);
        if (m_order.size() > m_share.l1Lines) {
            m_l1.erase(m_order.front());
            m_order.pop_front();
        }
    }
    return found->second;
}

double MemoryClock::fetch(std::uint64_t line, unsigned sectors, double now) {
    unsigned& seen = m_seen[line];
    const auto wanted = static_cast<double>(std::popcount(sectors));
    const auto first = static_cast<double>(std::popcount(sectors & ~seen));
    seen |= sectors;
    m_first += first;
    m_missed += wanted;
    m_l2Free = std::max(m_l2Free, now) + wanted / m_share.l2Sectors;
    m_dramFree = std::max(m_dramFree, now) + wanted * m_share.dramReads / m_share.dramSectors;
    bool fromDram = first > 0;
    if (fromDram && !m_firstWave) fromDram = chance(line) * m_first < m_share.dramReads * m_missed;
    return fromDram ? std::max(m_l2Free, m_dramFree) + m_share.dramCycles : m_l2Free + m_share.l2Cycles;
}

double MemoryClock::load(std::span<const std::uint64_t> lines, double now, bool pastL1) {
    double ready = now;
    for (const std::uint64_t packed : lines) {
        const std::uint64_t number = packed >> 4;
        const auto sectors = static_cast<unsigned>(packed & kSectors);
        if (pastL1) {
            ready = std::max(ready, fetch(number, sectors, now));
            continue;
        }
        Line& line = take(number);
        if (const unsigned missing = sectors & ~line.sectors; missing != 0) {
            line.sectors |= missing;
            line.ready = std::max(line.ready, fetch(number, missing, now));
        }
        ready = std::max({ready, line.ready, now + m_share.l1Cycles});
    }
    return ready;
}

void MemoryClock::store(std::span<const std::uint64_t> lines, double now, bool keepsInL1) {
    for (const std::uint64_t packed : lines) {
        const auto sectors = static_cast<unsigned>(packed & kSectors);
        const auto count = static_cast<double>(std::popcount(sectors));
        m_l2Free = std::max(m_l2Free, now) + count / m_share.l2Sectors;
        m_dramFree = std::max(m_dramFree, now) + count * m_share.dramWrites / m_share.dramSectors;
        m_seen[packed >> 4] |= sectors;
        if (keepsInL1) take(packed >> 4).sectors |= sectors;
    }
}

double MemoryClock::atomic(std::span<const std::uint64_t> lines, double now) {
    store(lines, now, false);
    return m_l2Free + m_share.l2Cycles;
}

} // namespace dormer::emulator::replay
