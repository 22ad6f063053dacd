// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/groups.h"
#include "kernels/shared/reading.cuh"

#include <array>
#include <vector>

namespace dormer::kernels {

namespace {

using namespace shared;

// The element is a parameter: a number that the compiler knew would let it join the loads of several rounds.
struct Broadcast {
    unsigned element;
    __device__ unsigned operator()(unsigned) const { return element; }
};

// Data decides: the lane's index comes out of global memory.
struct ByIndex {
    const std::uint32_t* indices;
    __device__ unsigned operator()(unsigned lane) const { return indices[lane]; }
};

constexpr std::uint32_t kReach = kElements - kRounds; // an index may be followed by all rounds

/// Orders and tables of all widths, in one array on the device.
struct Indexed : Sums {
    explicit Indexed(const Setup& setup) : Sums(setup), m_indices(2 * kWidths.size() * kLanes) {
        std::vector<std::uint32_t> all;
        for (const unsigned bytes : kWidths)
            for (const LaneIndices& indices :
                 {permutation(bytes, setup.seed), irregular(bytes, kReach, setup.seed)})
                all.insert(all.end(), indices.begin(), indices.end());
        CUDA_CHECK(cudaMemcpy(m_indices.data(), all.data(), m_indices.bytes(), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] ByIndex permuted(unsigned bytes) const { return {m_indices.data() + 2 * placeOf(bytes)}; }
    [[nodiscard]] ByIndex irregularly(unsigned bytes) const {
        return {m_indices.data() + 2 * placeOf(bytes) + kLanes};
    }

private:
    static constexpr std::array<unsigned, 3> kWidths{4, 8, 16};
    static std::size_t placeOf(unsigned bytes) { return bytes / 8 * kLanes; }

    DeviceBuffer<std::uint32_t> m_indices;
};

template <typename Word>
void addRows(std::vector<Row<Indexed>>& rows) {
    constexpr unsigned kWidth = kBytes<Word>;
    const std::string width = std::to_string(kWidth);
    // Two neighbouring groups whose lanes all share one word are served together.
    constexpr unsigned kBroadcast = (groups(kWidth) + 1) / 2;
    rows.push_back(readingRow<Word, Indexed>(
        {.name = std::string("broadcast") + kSuffix<Word>,
         .shows = "all lanes read the same " + width + " bytes: one word serves them all, no conflict",
         .knownAnswers =
             [](std::size_t size) {
                 std::vector<Expectation> answers =
                     readingAnswers(size, kBroadcast, kBroadcast,
                                    "lanes on the same word don't conflict; wider words take a pass for each "
                                    "half of the warp at most");
                 // A kernel's counters can't tell a wide word's second pass from a conflict; lines can.
                 if (kBroadcast > 1)
                     std::erase_if(answers,
                                   [](const Expectation& each) { return each.metric == "shared_load_ways"; });
                 return answers;
             },
         .good = true},
        [](const Indexed&) { return Broadcast{0}; }));
    rows.push_back(readingRow<Word, Indexed>(
        {.name = std::string("random_permutation") + kSuffix<Word>,
         .shows = "lanes read neighbouring " + width + "-byte words in random order: no conflict",
         .knownAnswers =
             [](std::size_t size) {
                 return readingAnswers(size, groups(kWidth), groups(kWidth),
                                       "a permutation of neighbouring words meets each bank once");
             },
         .good = true},
        [](const Indexed& state) { return state.permuted(kWidth); }));
    const std::string ways = std::to_string(irregularWays(kWidth));
    rows.push_back(readingRow<Word, Indexed>(
        {.name = std::string("irregular") + kSuffix<Word>,
         .shows = "lanes look " + width + "-byte words up by random indices: " + ways +
                  " of them fall into the fullest bank",
         .knownAnswers =
             [ways](std::size_t size) {
                 return readingAnswers(size, irregularWays(kWidth) * groups(kWidth), groups(kWidth),
                                       "the indices are drawn so that the fullest bank has " + ways +
                                           " words of every group of lanes");
             },
         .better = std::string("shared/random_permutation") + kSuffix<Word>},
        [](const Indexed& state) { return state.irregularly(kWidth); }));
}

std::vector<Row<Indexed>> rows() {
    std::vector<Row<Indexed>> rows;
    addRows<std::uint32_t>(rows);
    addRows<uint2>(rows);
    addRows<uint4>(rows);
    return rows;
}

} // namespace

Group sharedPatternGroup() {
    Group group = groupOf<Indexed>(
        rows(), kSizes, roundToBlocks, [](std::size_t size) { return size * sizeof(std::uint32_t); },
        parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
