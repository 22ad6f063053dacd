// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/groups.h"
#include "kernels/shared/reading.cuh"

#include <numeric>

namespace dormer::kernels {

namespace {

using namespace shared;

struct Strided {
    unsigned by;
    __device__ unsigned operator()(unsigned lane) const { return lane * by; }
};

// A stride that shares a factor g with the number of words in a row of banks meets every g-th of them only.
unsigned waysAt(unsigned stride, unsigned bytes) {
    return std::gcd(stride, groupLanes(bytes));
}

template <typename Word>
void addSweep(std::vector<Row<Sums>>& rows) {
    constexpr unsigned kWidth = kBytes<Word>;
    const std::string sweep = std::string("stride") + kSuffix<Word>;
    for (const unsigned stride : {1U, 2U, 4U, 8U, 16U, 32U, 33U}) {
        const unsigned ways = waysAt(stride, kWidth);
        const std::string inRow = std::to_string(groupLanes(kWidth));
        const std::string why = ways == 1 ? "the stride is odd: the lanes meet each bank in turn"
                                          : "the stride has the factor " + std::to_string(ways) +
                                                " in common with the " + inRow + " words that fill the banks";
        rows.push_back(readingRow<Word, Sums>(
            {.name = sweep + "/" + std::to_string(stride),
             .shows = "lanes read " + std::to_string(kWidth) + "-byte words " + std::to_string(stride) +
                      " apart: " + (ways == 1 ? "no bank conflict" : std::to_string(ways) + "-way conflicts"),
             .knownAnswers =
                 [ways, why](std::size_t size) {
                     return readingAnswers(size, ways * groups(kWidth), groups(kWidth), why);
                 },
             .parameters = {"stride=" + std::to_string(stride)},
             .sweep = sweep,
             .better = ways == 1 ? "" : "shared/" + sweep + "/1",
             .good = ways == 1},
            [stride](const Sums&) { return Strided{stride}; }));
    }
}

std::vector<Row<Sums>> rows() {
    std::vector<Row<Sums>> rows;
    addSweep<std::uint32_t>(rows);
    addSweep<uint2>(rows);
    addSweep<uint4>(rows);
    return rows;
}

} // namespace

Group sharedStrideGroup() {
    Group group = groupOf<Sums>(
        rows(), kSizes, roundToBlocks, [](std::size_t size) { return size * sizeof(std::uint32_t); },
        parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
