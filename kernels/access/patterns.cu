// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"
#include "kernels/access/reading.cuh"

namespace dormer::kernels {

namespace {

using namespace access;

struct Aligned {
    __device__ std::size_t operator()(std::size_t i) const { return i; }
};

// Within a warp's 32 words, 5 * lane + 11 (mod 32) meets each once: 5 and 32 have no common factor.
struct Permuted {
    __device__ std::size_t operator()(std::size_t i) const { return i / 32 * 32 + (5 * i + 11) % 32; }
};

// Every lane of a warp reads the word that its first lane would.
struct SameAddress {
    __device__ std::size_t operator()(std::size_t i) const { return i / 32 * 32; }
};

// Lane L reads anywhere in the L-th of 32 equal parts of the input: no two lanes can meet in a sector.
struct Scattered {
    std::uint64_t seed;
    std::size_t partSize;
    __device__ std::size_t operator()(std::size_t i) const {
        return i % 32 * partSize + mixed(seed, i) % partSize;
    }
};

constexpr std::size_t kWidest = sizeof(uint4);

struct Patterns : Memory {
    explicit Patterns(const Setup& setup) : Memory(setup.size, setup.seed, setup.size * kWidest, kWidest) {}
};

template <Caching kCaching, typename Word>
std::string named(const std::string& pattern) {
    return pattern + kSuffix<Word> + kCachingSuffix<kCaching>;
}

template <Caching kCaching>
std::vector<Expectation> withCaching(std::vector<Expectation> answers) {
    if constexpr (kCaching == Caching::L2Only) answers.push_back(neverInL1());
    return answers;
}

// A warp's words side by side fill as many sectors as a word has bytes: 32 lanes * bytes / 32.
template <Caching kCaching, typename Word>
void addRows(std::vector<Row<Patterns>>& rows) {
    constexpr unsigned kWidth = kBytes<Word>;
    const std::string range = std::to_string(32 * kWidth);
    const std::string best = std::to_string(kWidth);
    rows.push_back(readingRow<kCaching, Word, Patterns>(
        {.name = named<kCaching, Word>("aligned"),
         .shows = "neighbouring lanes read neighbouring words: " + best + " sectors per request, all used",
         .knownAnswers =
             [range](std::size_t size) {
                 return withCaching<kCaching>(
                     readingAnswers(size, kWidth, kWidth, "32 lanes read " + range + " neighbouring bytes"));
             },
         .good = true},
        [](const Patterns&) { return Aligned{}; }));
    rows.push_back(readingRow<kCaching, Word, Patterns>(
        {.name = named<kCaching, Word>("permuted"),
         .shows = "the same words in another order of lanes: still " + best + " sectors, order costs nothing",
         .knownAnswers =
             [range](std::size_t size) {
                 return withCaching<kCaching>(
                     readingAnswers(size, kWidth, kWidth, "32 lanes share the same " + range + " bytes out"));
             },
         .good = true},
        [](const Patterns&) { return Permuted{}; }));
    rows.push_back(readingRow<kCaching, Word, Patterns>(
        {.name = named<kCaching, Word>("same_address"),
         .shows = "all lanes read one word: a single sector, of which " + best + " bytes are used",
         .knownAnswers =
             [](std::size_t size) {
                 return withCaching<kCaching>(readingAnswers(size, kWidth, 1, "32 lanes read the same word"));
             }},
        [](const Patterns&) { return SameAddress{}; }));
    rows.push_back(readingRow<kCaching, Word, Patterns>(
        {.name = named<kCaching, Word>("scattered"),
         .shows = "every lane reads somewhere else: 32 sectors per request, " + best + " of 32 bytes used",
         .knownAnswers =
             [](std::size_t size) {
                 return withCaching<kCaching>(
                     readingAnswers(size, kWidth, kScatteredSectors,
                                    "each lane reads a part of the input that no other lane reads"));
             },
         .better = "access/" + named<kCaching, Word>("aligned")},
        [](const Patterns& p) {
            return Scattered{p.seed, p.input<Word>().size() / 32};
        }));
}

std::vector<Row<Patterns>> rows() {
    std::vector<Row<Patterns>> rows;
    addRows<Caching::AllLevels, std::uint32_t>(rows);
    addRows<Caching::AllLevels, uint2>(rows);
    addRows<Caching::AllLevels, uint4>(rows);
    addRows<Caching::L2Only, std::uint32_t>(rows);
    return rows;
}

} // namespace

Group accessPatternGroup() {
    Group group = groupOf<Patterns>(
        rows(), Sizes{std::size_t{1} << 21, std::size_t{1} << 15}, roundToBlocks,
        [](std::size_t size) { return 2 * size * kWidest; }, parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
