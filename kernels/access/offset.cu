// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"
#include "kernels/access/reading.cuh"

#include <initializer_list>
#include <numeric>

namespace dormer::kernels {

namespace {

using namespace access;

struct Offset {
    unsigned by;
    __device__ std::size_t operator()(std::size_t i) const { return i + by; }
};

constexpr unsigned kFarthest = 32;
constexpr std::size_t kWidest = sizeof(uint4);

struct Offsets : Memory {
    explicit Offsets(const Setup& setup)
        : Memory(setup.size, setup.seed, (setup.size + kFarthest) * kWidest, kWidest) {}
};

// cudaMalloc aligns to 256 bytes at least, so that only the offset decides where in a sector a warp begins.
template <typename Word>
unsigned sectorsAt(unsigned offset) {
    const unsigned begin = offset * kBytes<Word> % 32;
    return (begin + 32 * kBytes<Word> + 31) / 32;
}

/// The sector in which a warp ends and the next begins is the only one that can be found in L1: one of
/// bytes + 1 that are loaded, beside as many stored ones as a word has bytes.
template <typename Word>
Expectation mostInL1() {
    return {.metric = "l1_hit_rate",
            .relation = "<=",
            .value = 1.0 / (2 * kBytes<Word> + 1),
            .why = "only the sector that a warp shares with the one before can be in L1 already"};
}

template <Caching kCaching, typename Word>
std::vector<Expectation> answers(std::size_t size, unsigned offset) {
    const bool misaligned = sectorsAt<Word>(offset) > kBytes<Word>;
    std::vector<Expectation> answers =
        readingAnswers(size, kBytes<Word>, sectorsAt<Word>(offset),
                       misaligned ? "a warp's words begin inside a sector, so they end inside one more"
                                  : "a warp's words begin at a multiple of 32 bytes and fill whole sectors");
    if constexpr (kCaching == Caching::L2Only)
        answers.push_back(neverInL1());
    else if (misaligned)
        answers.push_back(mostInL1<Word>());
    return answers;
}

template <Caching kCaching, typename Word, typename Range>
void addSweep(std::vector<Row<Offsets>>& rows, const Range& offsets) {
    const std::string sweep = std::string("offset") + kSuffix<Word> + kCachingSuffix<kCaching>;
    for (const unsigned offset : offsets) {
        const unsigned sectors = sectorsAt<Word>(offset);
        const bool misaligned = sectors > kBytes<Word>;
        rows.push_back(readingRow<kCaching, Word, Offsets>(
            {.name = sweep + "/" + std::to_string(offset),
             .shows = std::to_string(kBytes<Word>) + "-byte loads that begin " + std::to_string(offset) +
                      " elements off: " + std::to_string(sectors) + " sectors per request",
             .knownAnswers = [offset](std::size_t size) { return answers<kCaching, Word>(size, offset); },
             .parameters = {"offset=" + std::to_string(offset)},
             .sweep = sweep,
             .better = misaligned ? "access/" + sweep + "/0" : "",
             .good = !misaligned},
            [offset](const Offsets&) { return Offset{offset}; }));
    }
}

std::vector<Row<Offsets>> rows() {
    std::vector<unsigned> all(kFarthest + 1);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<Row<Offsets>> rows;
    addSweep<Caching::AllLevels, std::uint32_t>(rows, all);
    // Where in a sector a warp begins repeats every 8, 4, 2 elements: a few points tell the rest.
    addSweep<Caching::L2Only, std::uint32_t>(rows,
                                             std::initializer_list<unsigned>{0, 1, 4, 7, 8, 15, 16, 32});
    addSweep<Caching::AllLevels, uint2>(rows, std::initializer_list<unsigned>{0, 1, 2, 3, 4, 5, 8, 16, 32});
    addSweep<Caching::AllLevels, uint4>(rows, std::initializer_list<unsigned>{0, 1, 2, 3, 4, 8, 16, 32});
    return rows;
}

} // namespace

Group accessOffsetGroup() {
    Group group = groupOf<Offsets>(
        rows(), Sizes{std::size_t{1} << 21, std::size_t{1} << 15}, roundToBlocks,
        [](std::size_t size) { return (2 * size + kFarthest) * kWidest; }, parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
