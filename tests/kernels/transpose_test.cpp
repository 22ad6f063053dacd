// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kSide = 4096;
constexpr std::size_t kSize = kSide * kSide;

/// A block of `tile` x `rows` threads; the warps of 32 threads follow each other in x, then in y.
struct Blocks {
    std::size_t tile, rows;
    std::string suffix;
};
const Blocks kBlocks[] = {{32, 8, ""}, {16, 16, "_16x16"}};

struct Position {
    std::size_t x, y;
};
Position threadOf(const Blocks& blocks, std::size_t warp, std::size_t lane) {
    const std::size_t thread = warp * 32 + lane;
    return {thread % blocks.tile, thread / blocks.tile};
}

using Element = std::function<std::size_t(Position)>;
// Of the tile in the second row and third column of tiles.
Element along(const Blocks& blocks) {
    return [&](Position at) { return (blocks.tile + at.y) * kSide + 2 * blocks.tile + at.x; };
}
Element down(const Blocks& blocks) {
    return [&](Position at) { return (blocks.tile + at.x) * kSide + 2 * blocks.tile + at.y; };
}

double sectorsOf(const Blocks& blocks, const Element& element) {
    return sectors(4, [&](std::size_t lane) { return element(threadOf(blocks, 3, lane)); });
}

/// Lookups of a block's sectors and those that find one again, all of a tile's accesses of one kind.
struct Lookups {
    double all = 0, hits = 0;
};
Lookups lookupsOf(const Blocks& blocks, const Element& element) {
    Lookups lookups;
    std::set<std::size_t> present;
    for (std::size_t step = 0; step < blocks.tile; step += blocks.rows) {
        for (std::size_t warp = 0; warp < blocks.tile * blocks.rows / 32; ++warp) {
            std::set<std::size_t> request;
            for (std::size_t lane = 0; lane < 32; ++lane) {
                Position at = threadOf(blocks, warp, lane);
                at.y += step;
                request.insert(element(at) * 4 / 32);
            }
            for (const std::size_t sector : request) {
                lookups.all += 1;
                lookups.hits += present.insert(sector).second ? 0 : 1;
            }
        }
    }
    return lookups;
}

const kernels::Variant& variantAt(const std::string& path) {
    for (const kernels::Selected& place : kernels::everything())
        if (kernels::pathOf(place) == path) return kernels::variantOf(place);
    FAIL("no such workload: " << path);
    return kernels::variantOf({});
}

} // namespace

TEST_CASE("transpose: the variants are there") {
    auto found = variantsOf("transpose");
    std::ranges::sort(found);
    std::vector<std::string> wanted{"tiled",       "tiled_padded",       "tiled_swizzled",      "diagonal",
                                    "tiled_16x16", "tiled_padded_16x16", "tiled_swizzled_16x16"};
    for (const char* order : {"copy_row", "copy_col", "naive_row", "naive_col"})
        for (const char* blocks : {"", "_16x16"})
            for (const char* loads : {"", "_cg"})
                wanted.push_back(std::string(order) + blocks + loads);
    std::ranges::sort(wanted);
    CHECK(found == wanted);
}

TEST_CASE("transpose: sectors and hits without shared memory counted address by address") {
    for (const Blocks& blocks : kBlocks) {
        const Element row = along(blocks);
        const Element column = down(blocks);
        const struct {
            std::string name;
            Element loads, stores;
        } orders[] = {{"copy_row", row, row},
                      {"copy_col", column, column},
                      {"naive_row", row, column},
                      {"naive_col", column, row}};
        for (const auto& order : orders) {
            for (const std::string loads : {"", "_cg"}) {
                const std::string path = "transpose/" + order.name + blocks.suffix + loads;
                INFO(path);
                CHECK(valueOf(path, kSize, "global_load_sectors_per_request") ==
                      sectorsOf(blocks, order.loads));
                CHECK(valueOf(path, kSize, "global_store_sectors_per_request") ==
                      sectorsOf(blocks, order.stores));
                const Lookups in = lookupsOf(blocks, order.loads);
                const Lookups out = lookupsOf(blocks, order.stores);
                const double hits = (loads.empty() ? in.hits : 0) + out.hits;
                const double rate = hits / (in.all + out.all);
                CHECK(valueOf(path, kSize, "l1_hit_rate") == Approx(rate).margin(0.0201));
            }
        }
    }
    // The course's figure for blocks of 16 x 16.
    CHECK(valueOf("transpose/copy_col_16x16", kSize, "l1_hit_rate") == Approx(0.75).margin(0.0101));
}

TEST_CASE("transpose: L1's highest hit rate is by sectors for loads and by lines for stores") {
    // Half of a warp's lanes are in one column of 16 x 16 blocks: 4 warps per sector of 8 columns, 16 per
    // line.
    const auto most = [](const char* variant) {
        for (const kernels::Expectation& answer : answersOf(std::string("transpose/") + variant, kSize))
            if (answer.metric == "l1_hit_rate" && answer.relation == "<=") return answer.value;
        return 0.0;
    };
    CHECK(most("naive_row_16x16") == Approx(15.0 / 16 * 16 / 20).margin(0.0011)); // stores go down columns
    CHECK(most("naive_col_16x16") == Approx(3.0 / 4 * 16 / 20).margin(0.0011));   // loads do
    CHECK(most("copy_col_16x16") == Approx((15.0 / 16 + 3.0 / 4) / 2).margin(0.0011));
}

TEST_CASE("transpose: bank conflicts counted word by word") {
    const std::function<std::size_t(std::size_t, std::size_t, std::size_t)> plain =
        [](std::size_t tile, std::size_t row, std::size_t column) { return row * tile + column; };
    const auto padded = [](std::size_t tile, std::size_t row, std::size_t column) {
        return row * (tile + 1) + column;
    };
    const auto swizzled = [](std::size_t tile, std::size_t row, std::size_t column) {
        return row * tile + (column ^ row);
    };
    const struct {
        std::string name;
        const Blocks& blocks;
        std::function<std::size_t(std::size_t, std::size_t, std::size_t)> word;
    } layouts[] = {{"tiled", kBlocks[0], plain},
                   {"tiled_padded", kBlocks[0], padded},
                   {"tiled_swizzled", kBlocks[0], swizzled},
                   {"diagonal", kBlocks[0], padded},
                   {"tiled_16x16", kBlocks[1], plain},
                   {"tiled_padded_16x16", kBlocks[1], padded},
                   {"tiled_swizzled_16x16", kBlocks[1], swizzled}};
    for (const auto& layout : layouts) {
        const std::string path = "transpose/" + layout.name;
        INFO(path);
        for (std::size_t warp = 0; warp < 8; ++warp) { // every warp meets as many conflicts
            const auto word = [&](bool turned) {
                return [&, turned](std::size_t lane) {
                    const Position at = threadOf(layout.blocks, warp, lane);
                    return turned ? layout.word(layout.blocks.tile, at.x, at.y)
                                  : layout.word(layout.blocks.tile, at.y, at.x);
                };
            };
            CHECK(valueOf(path, kSize, "shared_store_ways") == ways(word(false)));
            CHECK(valueOf(path, kSize, "shared_load_ways") == ways(word(true)));
        }
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") ==
              sectorsOf(layout.blocks, along(layout.blocks)));
        CHECK(valueOf(path, kSize, "global_store_sectors_per_request") ==
              sectorsOf(layout.blocks, along(layout.blocks)));
    }
}

TEST_CASE("transpose: whoever has a fault names the variant without it") {
    CHECK(variantAt("transpose/naive_row").better == "transpose/tiled");
    CHECK(variantAt("transpose/tiled").better == "transpose/tiled_padded");
    for (const std::string& name : variantsOf("transpose")) {
        INFO(name);
        const kernels::Variant& variant = variantAt("transpose/" + name);
        CHECK(variant.good == variant.better.empty());
        if (!variant.better.empty()) CHECK(variantAt(variant.better).name != name);
    }
}

TEST_CASE("transpose: times are compared where a launch is long enough to tell") {
    const auto compared = [](std::size_t size) {
        return std::ranges::count_if(answersOf("transpose/tiled", size), [](const auto& answer) {
            return answer.reference == "transpose/tiled_padded" && answer.gpuOnly;
        });
    };
    CHECK(compared(kSize) == 1);
    CHECK(compared(1024) == 0);
}
