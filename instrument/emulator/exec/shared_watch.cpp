// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/shared_watch.h"

#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/memory/global_watch.h"
#include "instrument/emulator/memory/unwritten.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dormer::emulator::exec {

void SharedWatch::begin(Checks checks, std::uint64_t sharedBytes, std::uint64_t blockNumber,
                        session::Dim3 block, std::vector<Hazard>& found, memory::GlobalWatch* global) {
    m_checks = checks;
    m_blockNumber = blockNumber;
    m_block = block;
    m_found = &found;
    m_global = global;
    if (m_words.size() < (sharedBytes + 3) / 4) m_words.resize((sharedBytes + 3) / 4);
    // Later than all that earlier blocks did: their traces need not be wiped out.
    m_begun = m_latest + 1;
    m_latest = m_begun + 1;
    for (unsigned w = 0; w < kWarps; ++w) {
        m_clocks[w].fill(m_begun);
        m_clocks[w][w] = m_latest;
    }
    m_orders.clear();
}

void SharedWatch::releases(std::uint32_t warp, std::uint64_t key) {
    Clocks& order = m_orders.try_emplace(key, Clocks{}).first->second;
    Clocks& own = m_clocks[warp];
    for (unsigned w = 0; w < kWarps; ++w)
        order[w] = std::max(order[w], own[w]);
    m_latest = std::max(m_latest, ++own[warp]);
}

void SharedWatch::acquires(std::uint32_t warp, std::uint64_t key) {
    const auto order = m_orders.find(key);
    if (order == m_orders.end()) return;
    for (unsigned w = 0; w < kWarps; ++w)
        m_clocks[warp][w] = std::max(m_clocks[warp][w], order->second[w]);
}

void SharedWatch::leaves(std::uint32_t warp, std::uint32_t barrier) {
    acquires(warp, kBarriers - barrier);
    acquires(warp, kExits);
}

inline void SharedWatch::compare(const Seen& before, bool wrote, const Request& request, const Seen& now,
                                 std::uint64_t word) {
    const std::uint32_t warp = before.thread / instructions::kLanes;
    if (before.clock <= m_begun || warp == request.warp || before.clock <= m_clocks[request.warp][warp])
        return;
    if (!m_checks.races || (before.strong && now.strong) || (before.bytes & now.bytes) == 0) return;
    add({Hazard::Kind::Race,
         {before.instruction, before.thread, wrote},
         {now.instruction, now.thread, request.how != Access::Read},
         word * 4 + static_cast<unsigned>(std::countr_zero(unsigned{before.bytes} & now.bytes)),
         m_blockNumber,
         m_block,
         {}});
}

inline void SharedWatch::touch(const Request& request, std::uint32_t thread, std::uint64_t word,
                               std::uint8_t bytes) {
    Word& at = m_words[word];
    const Seen now{m_clocks[request.warp][request.warp], request.instruction,
                   static_cast<std::uint16_t>(thread), bytes, request.strong};
    compare(at.write, true, request, now, word);
    if (request.how == Access::Read) {
        // Of two readers of different warps the later write is compared with both.
        if (at.read.thread / instructions::kLanes != request.warp) at.otherRead = at.read;
        at.read = now;
        return;
    }
    compare(at.read, false, request, now, word);
    compare(at.otherRead, false, request, now, word);
    // An atomic does not hide the same warp's plain write from those that have not seen that.
    const bool hides = now.strong && !at.write.strong && at.write.clock > m_begun &&
                       at.write.thread / instructions::kLanes == request.warp;
    if (!hides || std::ranges::all_of(
                      m_clocks, [&](const Clocks& clocks) { return clocks[request.warp] >= at.write.clock; }))
        at.write = now;
    if (at.begun != m_begun) {
        at.begun = m_begun;
        at.written = 0;
    }
    at.written |= bytes;
}

void SharedWatch::access(const Request& request, const std::uint64_t* offsets) {
    const bool onlyReads = request.how == Access::Read && !request.acquires && !request.releases;
    std::uint64_t before = ~std::uint64_t{0}; // where the lane before reads
    for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint32_t thread = request.warp * instructions::kLanes + lane;
        const std::uint64_t begin = offsets[lane], end = begin + request.width;
        if (onlyReads && begin == std::exchange(before, begin)) { // only the reader is another
            for (std::uint64_t word = begin / 4; word * 4 < end; ++word)
                m_words[word].read.thread = static_cast<std::uint16_t>(thread);
            continue;
        }
        if (request.acquires) acquires(request.warp, begin / 4);
        bool anyWritten = false;
        for (std::uint64_t word = begin / 4; word * 4 < end; ++word) {
            const unsigned from = word * 4 < begin ? static_cast<unsigned>(begin % 4) : 0;
            const unsigned to = static_cast<unsigned>(std::min<std::uint64_t>(4, end - word * 4));
            const auto bytes = static_cast<std::uint8_t>((1u << to) - (1u << from));
            const Word& at = m_words[word];
            anyWritten = anyWritten || (at.begun == m_begun && (at.written & bytes) != 0);
            touch(request, thread, word, bytes);
        }
        if (m_checks.initialized && !anyWritten && request.how != Access::Write)
            add({Hazard::Kind::Uninitialized,
                 {},
                 {request.instruction, thread, false},
                 begin,
                 m_blockNumber,
                 m_block,
                 {}});
        if (request.releases) releases(request.warp, begin / 4);
    }
}

void SharedWatch::accessGlobal(const Request& request, const std::uint64_t* addresses) {
    if (m_global == nullptr) return;
    for (std::uint32_t rest = request.mask; m_checks.initialized && rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t begin = addresses[lane];
        bool unwritten = request.how != Access::Write;
        for (std::uint64_t word = begin / 4; unwritten && word * 4 < begin + request.width; ++word)
            unwritten = memory::isUnwritten(word * 4);
        if (unwritten)
            add({Hazard::Kind::Uninitialized,
                 {},
                 {request.instruction, request.warp * instructions::kLanes + lane, false},
                 begin,
                 m_blockNumber,
                 m_block,
                 {}});
    }
    if (!m_checks.races) return;
    if (request.acquires) m_global->synchronize(m_blockNumber);
    for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        memory::GlobalWatch::Access now;
        now.block = m_blockNumber;
        now.instruction = request.instruction;
        now.thread = request.warp * instructions::kLanes + lane;
        now.clock = m_clocks[request.warp][request.warp];
        now.strong = request.strong;
        now.writes = request.how != Access::Read;
        now.place = {m_block.x, m_block.y, m_block.z};
        const std::uint64_t begin = addresses[lane], end = begin + request.width;
        for (std::uint64_t word = begin / 4; word * 4 < end; ++word) {
            const unsigned from = word * 4 < begin ? static_cast<unsigned>(begin % 4) : 0;
            const unsigned to = static_cast<unsigned>(std::min<std::uint64_t>(4, end - word * 4));
            now.bytes = static_cast<std::uint8_t>((1u << to) - (1u << from));
            const auto before = m_global->access(word, now, m_clocks[request.warp].data());
            if (!before) continue;
            add({Hazard::Kind::GlobalRace,
                 {before->instruction, before->thread, before->writes},
                 {now.instruction, now.thread, now.writes},
                 word * 4 + static_cast<unsigned>(std::countr_zero(unsigned{before->bytes} & now.bytes)),
                 m_blockNumber,
                 m_block,
                 {before->place[0], before->place[1], before->place[2]}});
        }
    }
}

void SharedWatch::clash(std::uint32_t warp, std::uint32_t instruction, unsigned one, unsigned other,
                        std::uint64_t address) {
    if (!m_checks.races) return;
    add({Hazard::Kind::Clash,
         {instruction, warp * instructions::kLanes + one, true},
         {instruction, warp * instructions::kLanes + other, true},
         address,
         m_blockNumber,
         m_block,
         {}});
}

void SharedWatch::add(const Hazard& hazard) {
    if (std::ranges::any_of(*m_found, [&](const Hazard& known) { return known.isLike(hazard); })) return;
    m_found->push_back(hazard);
}

} // namespace dormer::emulator::exec
