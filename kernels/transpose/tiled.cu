// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/groups.h"
#include "kernels/transpose/tiled.cuh"

namespace dormer::kernels {

namespace {

using namespace transposition;

constexpr int kTile = 32, kRows = 8;

const std::string kRowStores = "a warp stores a tile's row: 32 words in 32 banks";

std::vector<Row<Matrices>> rows() {
    return {
        tiledRow(0,
                 {.name = "tiled",
                  .shows = "turns tiles in shared memory: coalesced, but 32-way bank conflicts",
                  .knownAnswers = {},
                  .better = "transpose/tiled_padded"},
                 transposeTiled<kTile, kRows, Plain>, kTile, kRows,
                 {1, 32, kRowStores, "a warp loads a tile's column: rows of 32 words put it into one bank"},
                 {comparedTo("transpose/tiled_padded", "duration_ns", ">=", 0.95,
                             "the same traffic, and 32 shared-memory wavefronts instead of one")}),
        tiledRow(1,
                 {.name = "tiled_padded",
                  .shows = "tiles with one word of padding a row: coalesced and free of conflicts",
                  .knownAnswers = {},
                  .good = true},
                 transposeTiled<kTile, kRows, Padded>, kTile, kRows,
                 {1, 1, kRowStores, "a warp loads a tile's column: rows of 33 words put it into 32 banks"},
                 {comparedTo("transpose/copy_row", "duration_ns", "<=", 1.25,
                             "nothing is left that a copy doesn't do, too, but shared memory on the way")}),
        tiledRow(
            2,
            {.name = "tiled_swizzled",
             .shows = "tiles whose rows are stored in different orders: no conflicts and no padding",
             .knownAnswers = {},
             .good = true},
            transposeTiled<kTile, kRows, Swizzled>, kTile, kRows,
            {1, 1, kRowStores, "a warp loads a tile's column: column ^ row differs for each of its 32 rows"},
            {comparedTo("transpose/copy_row", "duration_ns", "<=", 1.25,
                        "nothing is left that a copy doesn't do, too, but shared memory on the way")}),
        tiledRow(3,
                 {.name = "diagonal",
                  .shows = "blocks take padded tiles along diagonals, once a remedy for crowded memory "
                           "partitions: addresses are spread over them by hashing now, so nothing is won",
                  .knownAnswers = {},
                  .good = true},
                 transposeTiled<kTile, kRows, Padded, Diagonal>, kTile, kRows,
                 {1, 1, kRowStores, "a warp loads a tile's column: rows of 33 words put it into 32 banks"},
                 {comparedTo("transpose/tiled_padded", "duration_ns", ">=", 0.8,
                             "tiled_padded is as fast as a copy already, whatever its order of tiles")}),
    };
}

} // namespace

Group transposeTiledGroup() {
    return groupOf<Matrices>(
        rows(), kSizes, roundToTiles,
        [](std::size_t size) { return (1 + rows().size()) * size * sizeof(float); },
        [](std::size_t size) { return parameters(size, "32x32", "32x8"); });
}

} // namespace dormer::kernels
