// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <array>
#include <optional>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// Sectors that the lanes of one warp touch; absent lanes are off.
using Lanes = std::array<std::optional<std::size_t>, 32>;
std::size_t sectorsOf(const Lanes& cells) {
    std::set<std::size_t> touched;
    for (const auto& cell : cells)
        if (cell) touched.insert(*cell * sizeof(float) / 32);
    return touched.size();
}

bool isInner(std::size_t cell, std::size_t side) {
    const std::size_t row = cell / side;
    const std::size_t column = cell % side;
    return row > 0 && row < side - 1 && column > 0 && column < side - 1;
}

/// One launch, warp by warp: its own cells, then the neighbours of those that are not at the boundary.
std::size_t loadedSectors(std::size_t side) {
    std::size_t sum = 0;
    for (std::size_t first = 0; first < side * side; first += 32) {
        std::array<Lanes, 5> loads;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const std::size_t cell = first + lane;
            loads[0][lane] = cell;
            if (!isInner(cell, side)) continue;
            loads[1][lane] = cell - 1;
            loads[2][lane] = cell + 1;
            loads[3][lane] = cell - side;
            loads[4][lane] = cell + side;
        }
        for (const Lanes& load : loads)
            sum += sectorsOf(load);
    }
    return sum;
}

} // namespace

TEST_CASE("heat: all variants of the suite are there") {
    CHECK(variantsOf("heat") == std::vector<std::string>{"single_thread", "two_threads", "one_block_256",
                                                         "grid", "cub_transform", "thrust_transform"});
}

TEST_CASE("heat: operations counted cell by cell") {
    for (const std::size_t side : {32U, 96U}) {
        std::size_t flops = 0;
        for (std::size_t cell = 0; cell < side * side; ++cell)
            if (isInner(cell, side)) flops += 3 + 2 + 2; // additions and two fused multiply-adds
        for (const std::string& variant : variantsOf("heat"))
            CHECK(valueOf("heat/" + variant, side * side, "flops_fp32") == static_cast<double>(flops));
    }
}

TEST_CASE("heat: sectors counted warp by warp") {
    for (const std::size_t side : {32U, 64U, 160U})
        for (const char* path :
             {"heat/one_block_256", "heat/grid", "heat/cub_transform", "heat/thrust_transform"}) {
            CHECK(valueOf(path, side * side, "global_load_sectors") ==
                  static_cast<double>(loadedSectors(side)));
            CHECK(valueOf(path, side * side, "global_store_sectors") ==
                  static_cast<double>(side * side * sizeof(float) / 32));
        }
}

TEST_CASE("heat: a grid has blocks for 8 cells a thread, and two threads share each of their sectors") {
    for (const auto& [side, blocksOfRow] : {std::pair{32U, 1U}, {2048U, 1U}, {2080U, 2U}, {4096U, 2U}})
        CHECK(valueOf("heat/grid", std::size_t{side} * side, "grid_blocks") == side * blocksOfRow);
    for (std::size_t cell = 0; cell < 64; cell += 2) {
        Lanes pair;
        pair[0] = cell;
        pair[1] = cell + 1;
        CHECK(valueOf("heat/two_threads", 1024, "global_store_sectors_per_request") ==
              static_cast<double>(sectorsOf(pair)));
    }
}

TEST_CASE("heat: every size is a square of whole warps per row, that is no smaller than was wanted") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "heat") continue;
        for (const kernels::Group& group : family.groups)
            for (const std::size_t wanted : {1UL, 1025UL, 100'000UL, 1UL << 22}) {
                const std::size_t size = group.roundSize(wanted);
                std::size_t side = 32;
                while (side * side < size)
                    side += 32;
                CHECK(side * side == size);
                CHECK(size >= wanted);
                CHECK(group.roundSize(size) == size);
            }
    }
}

TEST_CASE("heat: the plates of variants whose times are compared have the same size") {
    for (const kernels::Selected& place : kernels::everything()) {
        const kernels::Family& family = kernels::families()[place.family];
        if (family.name != "heat") continue;
        for (const kernels::Expectation& answer : kernels::variantOf(place).knownAnswers(1024)) {
            if (answer.reference.empty() || answer.metric != "duration_ns") continue;
            for (const kernels::Selected& other : kernels::everything())
                if (kernels::pathOf(other) == answer.reference)
                    CHECK(family.groups[place.group].defaultSize.gpu ==
                          family.groups[other.group].defaultSize.gpu);
        }
    }
}
