// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/instruction.h"
#include "instrument/emulator/memory/textures.h"
#include "instrument/emulator/program/memory_operands.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace dormer::emulator::accesses {

/// Of 16 bits as they lie in memory. Inlined always: its callers are compiled for different vector widths.
[[gnu::always_inline]] inline float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31,
                        fraction = bits & 1023;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
}

/// Addresses that a warp's fetch reads, for the caches, lane by lane. A lane reads 8 texels at most.
struct TexelAddresses {
    std::array<std::uint64_t, std::size_t{8} * instructions::kLanes> all;
    std::size_t count = 0;
};

/// A fetch whose lanes all name one texture.
struct LaneFetch {
    const memory::Texture& texture;
    const program::TextureFetch& kind;
    std::uint32_t mask = 0;                               ///< lanes that fetch
    std::array<const std::uint32_t*, 4> coordinates = {}; ///< lane arrays
    std::array<std::uint32_t*, 4> results = {};           ///< lane arrays; null: not requested
    std::uint64_t begin = 0, end = 0;                     ///< what may be read
    TexelAddresses& addresses;
};

/// Does it for all lanes at once. False, and nothing done, for those that need to be done lane by lane: of
/// cubes, gathers, and reads outside of what may be read.
[[nodiscard]] bool fetchLanes(const LaneFetch& fetch);

} // namespace dormer::emulator::accesses
