// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/tiles.h"

#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/tile_scan/groups.h"

#include <algorithm>

namespace dormer::kernels {

namespace {

/// 0 .. 255: no tile's sum overflows.
struct Bytes {
    std::uint64_t seed;
    __device__ int operator()(std::size_t i) const { return static_cast<int>(mixed(seed, i) >> 56); }
};

struct IsScannedTile {
    const int *in, *out;
    std::size_t tileSize;
    __device__ bool operator()(std::size_t i) const {
        const int before = i % tileSize == 0 ? 0 : out[i - 1];
        return out[i] == before + in[i];
    }
};

CheckResult checkTiles(const Tiles& tiles, int tileSize) {
    return checkEach(tiles.in.size(),
                     IsScannedTile{tiles.in.data(), tiles.out.data(), static_cast<std::size_t>(tileSize)},
                     "out[i] is in[i] added to the sum before it in its tile of " + std::to_string(tileSize));
}

const char* nameOf(TileAccess access) {
    switch (access) {
    case TileAccess::Direct:
        return "direct";
    case TileAccess::Vectorize:
        return "vectorize";
    case TileAccess::Transpose:
        return "transpose";
    case TileAccess::WarpTranspose:
        return "warp_transpose";
    }
    return "";
}

const char* nameOf(TileModifier modifier) {
    switch (modifier) {
    case TileModifier::Default:
        return "default";
    case TileModifier::Ldg:
        return "ldg";
    case TileModifier::Cg:
        return "cg";
    case TileModifier::Cs:
        return "cs";
    }
    return "";
}

const char* nameOf(TileScan scan) {
    switch (scan) {
    case TileScan::Raking:
        return "raking";
    case TileScan::Memoize:
        return "memoize";
    case TileScan::WarpScans:
        return "warp_scans";
    }
    return "";
}

bool isStriped(const TileTuning& tuning) {
    return tuning.access == TileAccess::Transpose || tuning.access == TileAccess::WarpTranspose;
}

/// Words that one load of a lane takes: CUB's vectors are as wide as divides the items.
int wordsOfLane(const TileTuning& tuning) {
    if (tuning.access != TileAccess::Vectorize) return 1;
    return tuning.items % 4 == 0 ? 4 : tuning.items % 2 == 0 ? 2 : 1;
}

std::vector<Expectation> answers(const TileTuning& tuning) {
    const double sectors = tileSectors(tuning);
    const std::string why =
        isStriped(tuning)
            ? std::string("a warp's request covers 128 neighbouring bytes; the items are "
                          "exchanged in shared memory")
            : "the lanes are " + std::to_string(tuning.items) + " items of 4 bytes apart: a warp spans " +
                  std::to_string(4 * tuning.items) + " sectors and touches at most one per lane";
    std::vector<Expectation> answers = globalSectors(sectors, why, sectors, why);
    TileTuning striped = tuning;
    striped.access = TileAccess::Transpose;
    // Eight words apart, each stored word costs a sector of its own on its way to L2.
    if (tuning.access == TileAccess::Direct && tuning.items >= 8)
        answers.push_back(comparedTo("tile_scan/" + nameOf(striped), "duration_ns", ">=", 1,
                                     "every sector crosses to L2 once for each of its words"));
    return answers;
}

/// Least common multiple of all points' tiles: 512 x 16, 128 x 7 and 128 x 12.
constexpr std::size_t kStep = std::size_t{512} * 16 * 7 * 3;

std::vector<Row<Tiles>> rows() {
    std::vector<Row<Tiles>> all;
    for (auto* part : {tileSizeRows, tileAccessRows, tileModifierRows, tileScanRows})
        for (Row<Tiles>& row : part())
            all.push_back(std::move(row));
    return all;
}

} // namespace

std::string nameOf(const TileTuning& tuning) {
    return std::to_string(tuning.block) + "x" + std::to_string(tuning.items) + "_" + nameOf(tuning.access) +
           "_" + nameOf(tuning.modifier) + "_" + nameOf(tuning.scan);
}

double tileSectors(const TileTuning& tuning) {
    return isStriped(tuning) ? kCoalescedSectors : std::min(kScatteredSectors, 4.0 * tuning.items);
}

Tiles::Tiles(const Setup& setup) : in(setup.size), out(setup.size) {
    fill(in, Bytes{setup.seed});
}

Row<Tiles> tileRow(const TileTuning& tuning, std::function<void(Tiles&)> launch) {
    const int tileSize = tuning.block * tuning.items;
    Variant variant{
        .name = nameOf(tuning),
        .shows = "tiles of " + std::to_string(tileSize) + ": " + std::to_string(tuning.block) +
                 " threads of " + std::to_string(tuning.items) + " items, access " + nameOf(tuning.access) +
                 " with modifier " + nameOf(tuning.modifier) + ", scan " + nameOf(tuning.scan),
        .knownAnswers = [tuning](std::size_t) { return answers(tuning); },
        .parameters = {"block=" + std::to_string(tuning.block), "items=" + std::to_string(tuning.items),
                       std::string("load=") + nameOf(tuning.access),
                       std::string("modifier=") + nameOf(tuning.modifier),
                       std::string("scan=") + nameOf(tuning.scan)},
        .sweep = "tuning"};
    if (tileSectors(tuning) > kCoalescedSectors * wordsOfLane(tuning)) {
        TileTuning striped = tuning;
        striped.access = TileAccess::Transpose;
        variant.better = "tile_scan/" + nameOf(striped);
    }
    const auto check = [launch, tileSize](Tiles& tiles) {
        // The points share the output: only this one's may be in it.
        CUDA_CHECK(cudaMemset(tiles.out.data(), 0xFF, tiles.out.bytes()));
        launch(tiles);
        CUDA_CHECK(cudaGetLastError());
        return checkTiles(tiles, tileSize);
    };
    return {std::move(variant), launch, check};
}

Group tileScanGroup() {
    return groupOf<Tiles>(
        rows(), Sizes{98 * kStep, 3 * kStep}, [](std::size_t wanted) { return roundUp(wanted, kStep); },
        [](std::size_t size) { return 2 * size * sizeof(int); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=int"};
        });
}

} // namespace dormer::kernels
