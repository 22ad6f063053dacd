// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/groups.h"
#include "kernels/transpose/tiled.cuh"

namespace dormer::kernels {

namespace {

using namespace transposition;

constexpr int kTile = 16, kRows = 16;

// A warp of a 16 x 16 block has two rows of 16 lanes: it stores two rows of the tile and loads two columns.
std::vector<Row<Matrices>> rows() {
    return {
        tiledRow(
            0,
            {.name = "tiled_16x16",
             .shows = "tiles of 16 x 16: coalesced, but 8-way bank conflicts",
             .knownAnswers = {},
             .better = "transpose/tiled_swizzled_16x16"},
            transposeTiled<kTile, kRows, Plain>, kTile, kRows,
            {1, 8, "a warp stores two rows of 16 words that follow each other: 32 banks",
             "a column's 16 words, 16 apart, lie in two banks, 8 in each; the next column has two others"},
            {}),
        tiledRow(1,
                 {.name = "tiled_padded_16x16",
                  .shows = "a word of padding is not enough here: two rows per warp still meet in one bank",
                  .knownAnswers = {},
                  .better = "transpose/tiled_swizzled_16x16"},
                 transposeTiled<kTile, kRows, Padded>, kTile, kRows,
                 {2, 2, "the unused word moves the last word of the second row into the first one's bank",
                  "the first word of one column and the last of the next are 256 apart, in one bank"},
                 {}),
        tiledRow(2,
                 {.name = "tiled_swizzled_16x16",
                  .shows = "rows stored in different orders: no conflicts, also where a warp has two rows",
                  .knownAnswers = {},
                  .good = true},
                 transposeTiled<kTile, kRows, Swizzled>, kTile, kRows,
                 {1, 1, "a warp stores two rows of 16 words, each in some order: 32 banks",
                  "two columns take the words of even rows from one half of the banks, odd from the other"},
                 {}),
    };
}

} // namespace

Group transposeTiled16Group() {
    return groupOf<Matrices>(
        rows(), kSizes, roundToTiles,
        [](std::size_t size) { return (1 + rows().size()) * size * sizeof(float); },
        [](std::size_t size) { return parameters(size, "16x16", "16x16"); });
}

} // namespace dormer::kernels
