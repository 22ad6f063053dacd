// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/transpose/matrices.cuh"

#include <utility>

/// Copies and transposes without shared memory, for blocks of kTile x kRows threads that move a tile of kTile
/// x kTile. Lanes follow each other in x: an access with x last runs along a row, one with x first down a
/// column.
namespace dormer::kernels::transposition {

/// Whether loads may find their data in L1. Stores are the same either way.
enum class Loads {
    Cached, ///< ld.global.ca
    PastL1  ///< ld.global.cg, as all loads are with nvcc -Xptxas -dlcm=cg
};

template <Loads kLoads>
__device__ float load(const float& element) {
    if constexpr (kLoads == Loads::PastL1)
        return __ldcg(&element);
    else
        return element;
}

template <int kTile, int kRows, Loads kLoads>
__global__ void copyRow(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out(y + j, x) = load<kLoads>(in(y + j, x));
}

template <int kTile, int kRows, Loads kLoads>
__global__ void copyColumn(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out(x, y + j) = load<kLoads>(in(x, y + j));
}

// Reads along rows and writes down columns: the lanes of a store are a whole row apart.
template <int kTile, int kRows, Loads kLoads>
__global__ void transposeNaiveRow(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out(x, y + j) = load<kLoads>(in(y + j, x));
}

// Reads down columns and writes along rows: the lanes of a load are a whole row apart.
template <int kTile, int kRows, Loads kLoads>
__global__ void transposeNaiveColumn(Matrix<const float> in, Matrix<float> out) {
    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out(y + j, x) = load<kLoads>(in(x, y + j));
}

/// What a warp's accesses and a block's tile come to.
struct TileFacts {
    int tile, rows;
    /// Columns of a tile that a warp takes side by side when its lanes go down columns.
    [[nodiscard]] int columnsOfWarp() const { return 32 / tile; }
    /// A warp along rows: its pieces fill whole sectors.
    [[nodiscard]] static double rowSectors() { return kCoalescedSectors; }
    /// A warp down columns: each of its `tile` lanes is in another row; columns that it has side by side lie
    /// in one sector.
    [[nodiscard]] double columnSectors() const { return tile; }
    /// Of the sectors that a block's accesses down columns look up, those that it has met before, if L1 keeps
    /// them: a sector is 8 columns wide.
    [[nodiscard]] double columnHits() const { return 1 - columnsOfWarp() / 8.0; }
    /// The same of lines, which are 32 columns wide.
    [[nodiscard]] double lineHits() const { return 1 - columnsOfWarp() / 32.0; }
};

enum class Direction { Row, Column };

/// What one of these kernels does, from which its answers follow.
struct Shape {
    TileFacts facts;
    Direction loads, stores;
    Loads caching;

    [[nodiscard]] double sectors(Direction direction) const {
        return direction == Direction::Row ? TileFacts::rowSectors() : facts.columnSectors();
    }
    /// No hit rate can be higher. L1 has a tag for a line of 128 bytes: a store that finds its line there can
    /// count as a hit although its sector is new. H100 and H200 count 4 and 8 % of such stores so; of loads
    /// they count none.
    [[nodiscard]] double mostHits() const {
        const double loadHits =
            loads == Direction::Column && caching == Loads::Cached ? facts.columnHits() : 0;
        const double storeHits = stores == Direction::Column ? facts.lineHits() : 0;
        return (loadHits * sectors(loads) + storeHits * sectors(stores)) / (sectors(loads) + sectors(stores));
    }
    /// L1's hit rate over loads and stores, were nothing evicted: stores leave their sectors in L1 too.
    [[nodiscard]] double hitRate() const {
        const double loadHits =
            loads == Direction::Column && caching == Loads::Cached ? facts.columnHits() : 0;
        const double storeHits = stores == Direction::Column ? facts.columnHits() : 0;
        return (loadHits * sectors(loads) + storeHits * sectors(stores)) / (sectors(loads) + sectors(stores));
    }
};

inline std::vector<Expectation> naiveAnswers(const Shape& shape, std::size_t size) {
    const std::string row = "a warp's lanes run along rows and fill whole sectors";
    const std::string column = "a warp's lanes go down a column, each in another row's sector";
    const auto why = [&](Direction direction) { return direction == Direction::Row ? row : column; };
    std::vector<Expectation> answers = globalSectors(shape.sectors(shape.loads), why(shape.loads),
                                                     shape.sectors(shape.stores), why(shape.stores));
    if (shape.hitRate() == 0) {
        answers.push_back({.metric = "l1_hit_rate",
                           .relation = "<=",
                           .value = 0.01,
                           .why = "no sector that could be in L1 is touched twice"});
        return answers;
    }
    if (size >= kTimedSize)
        answers.push_back(onGpu({.metric = "l1_hit_rate",
                                 .relation = "~",
                                 .value = shape.hitRate(),
                                 .tolerance = 0.15,
                                 .why = "a block's accesses down columns find their sectors again, except "
                                        "what other blocks have pushed out of L1"}));
    answers.push_back(
        {.metric = "l1_hit_rate",
         .relation = "<=",
         .value = shape.mostHits() + 0.001, // a launch's own few lookups
         .why = "of a sector's loads and a line's stores down columns the first must miss, and so must all "
                "along rows"});
    return answers;
}

/// A row of the table: `kernel` is one of the above, `place` its place in the table, `timed` what holds of
/// its time on large matrices.
template <typename Kernel>
Row<Matrices> naiveRow(std::size_t place, Variant variant, Kernel* kernel, const Shape& shape,
                       const std::vector<Expectation>& timed) {
    variant.knownAnswers = [shape, timed](std::size_t size) {
        std::vector<Expectation> answers = naiveAnswers(shape, size);
        if (size >= kTimedSize) answers.insert(answers.end(), timed.begin(), timed.end());
        return answers;
    };
    variant.parameters = {shape.caching == Loads::PastL1 ? "load=cg" : "load=ca"};
    const dim3 block{static_cast<unsigned>(shape.facts.tile), static_cast<unsigned>(shape.facts.rows)};
    const bool turns = shape.loads != shape.stores;
    return {std::move(variant),
            [=](Matrices& m) { kernel<<<m.grid(shape.facts.tile), block>>>(m.input(), m.output(place)); },
            [=](Matrices& m) { return turns ? m.checkTransposed(place) : m.checkCopied(place); }};
}

/// The four orders, with cached loads and with loads that bypass L1. `suffix` ends all names, before "_cg".
template <int kTile, int kRows, Loads kLoads>
void addNaiveRows(std::vector<Row<Matrices>>& rows, const std::string& suffix) {
    using enum Direction;
    constexpr TileFacts kFacts{kTile, kRows};
    constexpr bool kPastL1 = kLoads == Loads::PastL1;
    const std::string end = suffix + (kPastL1 ? "_cg" : "");
    const std::string how = kPastL1 ? ", with loads that bypass L1" : "";
    const std::string copy = "transpose/copy_row" + end;
    const std::string tiled = "transpose/tiled" + suffix;
    const auto comparedToCopy = [&](double factor, const std::string& why) {
        return comparedTo(copy, "duration_ns", ">=", factor, why);
    };
    const auto throughL2 = [&](const std::string& name) {
        std::vector<Expectation> answers;
        if (kPastL1)
            answers.push_back(
                comparedTo("transpose/" + name + suffix, "l2_bytes", ">=", 1,
                           "L2 serves what L1 would have, but for loads that are under way to one "
                           "sector at once: those are joined before they get there"));
        return answers;
    };

    rows.push_back(naiveRow(rows.size(),
                            {.name = "copy_row" + end,
                             .shows = "a copy along rows" + how + ": what a transpose could reach at best",
                             .knownAnswers = {},
                             .good = true},
                            copyRow<kTile, kRows, kLoads>, Shape{kFacts, Row, Row, kLoads}, {}));

    std::vector<Expectation> timed = throughL2("copy_col");
    timed.push_back(comparedToCopy(1.2, "the same bytes, requested in four times as many sectors or more"));
    rows.push_back(naiveRow(rows.size(),
                            {.name = "copy_col" + end,
                             .shows = "a copy down columns" + how + ": loads and stores are uncoalesced",
                             .knownAnswers = {},
                             .better = copy},
                            copyColumn<kTile, kRows, kLoads>, Shape{kFacts, Column, Column, kLoads}, timed));

    rows.push_back(naiveRow(rows.size(),
                            {.name = "naive_row" + end,
                             .shows = "reads rows and writes columns" + how + ": uncoalesced stores",
                             .knownAnswers = {},
                             .better = tiled},
                            transposeNaiveRow<kTile, kRows, kLoads>, Shape{kFacts, Row, Column, kLoads},
                            {comparedToCopy(1.2, "its stores ask for four times the sectors or more")}));

    timed = throughL2("naive_col");
    timed.push_back(comparedToCopy(0.9, "it moves the bytes of a copy, and its loads are uncoalesced"));
    rows.push_back(naiveRow(
        rows.size(),
        {.name = "naive_col" + end,
         .shows = "reads columns and writes rows" + how +
                  (kPastL1 ? ": L2 has to serve uncoalesced loads" : ": uncoalesced loads, which L1 softens"),
         .knownAnswers = {},
         .better = tiled},
        transposeNaiveColumn<kTile, kRows, kLoads>, Shape{kFacts, Column, Row, kLoads}, timed));
}

} // namespace dormer::kernels::transposition
