// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"
#include "kernels/access/reading.cuh"

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace dormer::kernels {

namespace {

using namespace access;

struct Strided {
    unsigned by;
    __device__ std::size_t operator()(std::size_t i) const { return i * by; }
};

constexpr unsigned kWidestStride = 32; // elements of 4 bytes
constexpr std::size_t kInBytes = kWidestStride * sizeof(std::uint32_t);
constexpr std::size_t kWidest = sizeof(uint4);

struct Strides : Memory {
    explicit Strides(const Setup& setup) : Memory(setup.size, setup.seed, setup.size * kInBytes, kWidest) {}
};

// Lanes no more than a sector apart leave no sector out between the first and the last; farther apart each
// has one of its own.
unsigned sectorsAt(unsigned strideBytes) {
    return std::min(31 * strideBytes / 32 + 1, 32U);
}

std::vector<Expectation> answers(std::size_t size, unsigned bytes, unsigned stride) {
    return readingAnswers(size, bytes, sectorsAt(stride * bytes),
                          stride * bytes < 32
                              ? "the lanes leave out no sector between the first and the last"
                              : "the lanes are 32 bytes or more apart, each in a sector of its own");
}

template <typename Word, typename Range>
void addSweep(std::vector<Row<Strides>>& rows, const Range& strides) {
    constexpr unsigned kWidth = kBytes<Word>;
    const std::string sweep = std::string("stride") + kSuffix<Word>;
    for (const unsigned stride : strides) {
        rows.push_back(readingRow<Caching::AllLevels, Word, Strides>(
            {.name = sweep + "/" + std::to_string(stride),
             .shows = "lanes read " + std::to_string(kWidth) + "-byte words " + std::to_string(stride) +
                      " apart: " + std::to_string(sectorsAt(stride * kWidth)) + " sectors per request",
             .knownAnswers = [stride](std::size_t size) { return answers(size, kWidth, stride); },
             .parameters = {"stride=" + std::to_string(stride)},
             .sweep = sweep,
             .better = stride > 1 ? "access/" + sweep + "/1" : "",
             .good = stride == 1},
            [stride](const Strides&) { return Strided{stride}; }));
    }
}

std::vector<Row<Strides>> rows() {
    std::vector<unsigned> all(kWidestStride);
    std::iota(all.begin(), all.end(), 1U);
    std::vector<Row<Strides>> rows;
    addSweep<std::uint32_t>(rows, all);
    addSweep<uint2>(rows, std::initializer_list<unsigned>{1, 2, 3, 4, 8, 16});
    addSweep<uint4>(rows, std::initializer_list<unsigned>{1, 2, 3, 4, 8});
    return rows;
}

} // namespace

Group accessStrideGroup() {
    // 2^20 threads that read 128 bytes apart: 32 MB of sectors out of 128 MB.
    Group group = groupOf<Strides>(
        rows(), Sizes{std::size_t{1} << 20, std::size_t{1} << 14}, roundToBlocks,
        [](std::size_t size) { return size * (kInBytes + kWidest); }, parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
