// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/indices.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace dormer::kernels::shared {

namespace {

/// Its own shuffle, since the standard's differs between libraries.
void shuffle(std::vector<std::uint32_t>& values, std::mt19937_64& random) {
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[random() % i]);
}

std::vector<std::uint32_t> shuffled(std::uint32_t count, std::mt19937_64& random) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), 0U);
    shuffle(values, random);
    return values;
}

/// How many words of a group fall into its banks, the fullest first, like so many words thrown at random; the
/// banks beyond the list get none.
const std::vector<unsigned>& wordsOfBanks(unsigned bytes) {
    static const std::vector<unsigned> four{4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const std::vector<unsigned> eight{3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const std::vector<unsigned> sixteen{2, 2, 1, 1, 1, 1};
    return bytes == 4 ? four : bytes == 8 ? eight : sixteen;
}

} // namespace

LaneIndices permutation(unsigned bytes, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const unsigned lanes = groupLanes(bytes);
    LaneIndices indices{};
    for (unsigned first = 0; first < kLanes; first += lanes) {
        const std::vector<std::uint32_t> order = shuffled(lanes, random);
        for (unsigned lane = 0; lane < lanes; ++lane)
            indices[first + lane] = first + order[lane];
    }
    return indices;
}

LaneIndices irregular(unsigned bytes, std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const unsigned lanes = groupLanes(bytes); // as many banks
    LaneIndices indices{};
    for (unsigned first = 0; first < kLanes; first += lanes) {
        const std::vector<std::uint32_t> banks = shuffled(lanes, random);
        std::vector<std::uint32_t> words;
        for (std::size_t i = 0; i < wordsOfBanks(bytes).size(); ++i) {
            const std::vector<std::uint32_t> rows = shuffled(elements / lanes, random);
            for (unsigned k = 0; k < wordsOfBanks(bytes)[i]; ++k)
                words.push_back(rows[k] * lanes + banks[i]);
        }
        shuffle(words, random);
        std::ranges::copy(words, indices.begin() + first);
    }
    return indices;
}

unsigned irregularWays(unsigned bytes) {
    return wordsOfBanks(bytes).front();
}

} // namespace dormer::kernels::shared
