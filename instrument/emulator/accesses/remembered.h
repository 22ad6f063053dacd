// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_pattern.h"
#include "instrument/emulator/exec/pattern_memo.h"

#include <bit>

/// Lines and wavefronts from an instruction's memo where its pattern is the last one, moved. Inlined always:
/// the callers are compiled for different vector widths.
namespace dormer::emulator::accesses {

/// Lines of a request whose pattern is not contiguous.
[[gnu::always_inline]] inline unsigned coalesceRemembered(exec::GlobalMemo& memo,
                                                          const std::uint64_t* __restrict addresses,
                                                          std::uint32_t mask, unsigned width,
                                                          access::LineAccess* lines, unsigned& sectors) {
    const std::uint64_t first = addresses[std::countr_zero(mask)];
    if (memo.mask == mask && memo.offsetInLine == first % 128) {
        std::uint64_t differs = 0;
        for (unsigned i = 0; i < instructions::kLanes; ++i) // all ones where lane i is on
            differs |= ((addresses[i] - first) ^ memo.distances[i]) & (std::uint64_t{0} - ((mask >> i) & 1));
        if (differs == 0) {
            for (unsigned k = 0; k < memo.lineCount; ++k)
                lines[k] = {memo.lines[k].line + first / 128, memo.lines[k].sectors, 0};
            sectors = memo.sectors;
            return memo.lineCount;
        }
    }
    const access::Coalesced result = access::coalesce(addresses, mask, width, lines);
    memo.mask = mask;
    memo.offsetInLine = static_cast<std::uint32_t>(first % 128);
    memo.lineCount = result.lines;
    memo.sectors = sectors = result.sectors;
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        memo.distances[i] = addresses[i] - first;
    for (unsigned k = 0; k < result.lines; ++k)
        memo.lines[k] = {lines[k].line - first / 128, lines[k].sectors, 0};
    return result.lines;
}

/// Wavefronts of a load or store whose pattern is not contiguous.
template <bool Store>
[[gnu::always_inline]] inline unsigned wavefrontsRemembered(exec::SharedMemo& memo,
                                                            const std::uint32_t* __restrict offsets,
                                                            std::uint32_t mask, unsigned width) {
    const std::uint32_t first = offsets[std::countr_zero(mask)];
    if (memo.mask == mask && first % 4 == 0) {
        std::uint32_t differs = 0;
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            differs |= ((offsets[i] - first) ^ memo.distances[i]) & (std::uint32_t{0} - ((mask >> i) & 1));
        if (differs == 0) return memo.wavefronts;
    }
    const unsigned wavefronts = Store ? access::sharedStoreWavefronts(offsets, mask, width)
                                      : access::sharedLoadWavefronts(offsets, mask, width);
    memo.mask = first % 4 == 0 ? mask : 0; // within a word, a byte's place matters
    memo.wavefronts = wavefronts;
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        memo.distances[i] = offsets[i] - first;
    return wavefronts;
}

} // namespace dormer::emulator::accesses
