// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"

#include <numeric>
#include <string>
#include <vector>

/// Sizes and arithmetic of the blocks' collectives, for the kernels and for their known answers. No CUDA in
/// here.
namespace dormer::kernels {

inline constexpr unsigned kTileBlock = 256;
inline constexpr unsigned kSortItems = 4; ///< keys of a thread of radix_sort

inline constexpr Sizes kTileSize{std::size_t{1} << 24, std::size_t{1} << 19};
inline constexpr Sizes kSortSize{std::size_t{1} << 22, std::size_t{1} << 16};

/// Items of a thread in the sweep of exchanges.
inline constexpr unsigned kExchangeItems[] = {1, 2, 3, 4, 5, 8, 16};
/// Whole tiles for each of them: 240 is their least common multiple.
inline constexpr std::size_t kExchangeStep = std::size_t{240} * kTileBlock;
inline constexpr Sizes kExchangeSize{64 * kExchangeStep, 2 * kExchangeStep};

/// Bank conflicts when lane l accesses word `items` x l: the words repeat a bank after 32 / gcd lanes.
constexpr unsigned strideWays(unsigned items) {
    return std::gcd(items, 32U);
}

inline std::vector<std::string> tileParameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kTileBlock), "type=unsigned"};
}

} // namespace dormer::kernels
