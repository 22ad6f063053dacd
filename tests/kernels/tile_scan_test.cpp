// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <sstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kSize = 3UL * 512 * 16 * 21;

struct Point {
    std::size_t block = 0, items = 0;
    std::string load, modifier, scan;
};

/// "128x8_warp_transpose_default_warp_scans", read back.
Point pointOf(std::string name) {
    Point point;
    char by = 0;
    std::istringstream numbers(name);
    numbers >> point.block >> by >> point.items;
    REQUIRE(by == 'x');
    name.erase(0, name.find('_') + 1);
    for (const char* load : {"direct", "vectorize", "transpose", "warp_transpose"})
        if (name.starts_with(std::string(load) + "_")) point.load = load;
    REQUIRE_FALSE(point.load.empty());
    name.erase(0, point.load.size() + 1);
    point.modifier = name.substr(0, name.find('_'));
    point.scan = name.substr(name.find('_') + 1);
    return point;
}

/// Sectors of each request that the fifth warp of a block makes, where it has that many; all the same.
double sectorsOf(const Point& point) {
    const std::size_t firstThread = point.block >= 160 ? 128 : 0;
    std::set<double> found;
    const std::size_t vector = point.load != "vectorize" ? 1
                               : point.items % 4 == 0    ? 4
                               : point.items % 2 == 0    ? 2
                                                         : 1;
    for (std::size_t k = 0; k < point.items / vector; ++k)
        found.insert(sectors(4 * vector, [&](std::size_t lane) {
            const std::size_t thread = firstThread + lane;
            if (point.load == "transpose") return thread + k * point.block;
            if (point.load == "warp_transpose") return firstThread * point.items + lane + 32 * k;
            return thread * (point.items / vector) + k;
        }));
    REQUIRE(found.size() == 1);
    return *found.begin();
}

} // namespace

TEST_CASE("tile_scan: one factor at a time around the centre, and some pairs") {
    const auto variants = variantsOf("tile_scan");
    CHECK(variants.size() == 48);
    const std::set<std::string> names(variants.begin(), variants.end());
    CHECK(names.size() == variants.size());
    for (const char* name :
         {"128x8_transpose_default_warp_scans", "32x8_transpose_default_warp_scans",
          "64x8_transpose_default_warp_scans", "256x8_transpose_default_warp_scans",
          "512x8_transpose_default_warp_scans", "128x1_transpose_default_warp_scans",
          "128x2_transpose_default_warp_scans", "128x4_transpose_default_warp_scans",
          "128x7_transpose_default_warp_scans", "128x12_transpose_default_warp_scans",
          "128x16_transpose_default_warp_scans", "128x8_direct_default_warp_scans",
          "128x8_vectorize_default_warp_scans", "128x8_warp_transpose_default_warp_scans",
          "128x8_transpose_ldg_warp_scans", "128x8_transpose_cg_warp_scans", "128x8_transpose_cs_warp_scans",
          "128x8_transpose_default_raking", "128x8_transpose_default_memoize"})
        CHECK(names.contains(name));
}

TEST_CASE("tile_scan: sectors of every point counted address by address") {
    for (const std::string& name : variantsOf("tile_scan")) {
        INFO(name);
        const Point point = pointOf(name);
        const std::string path = "tile_scan/" + name;
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") == sectorsOf(point));
        CHECK(valueOf(path, kSize, "global_store_sectors_per_request") == sectorsOf(point));
    }
}

TEST_CASE("tile_scan: parameters are those of the name, and a better point differs in the load alone") {
    for (const kernels::Selected& place : kernels::everything()) {
        if (kernels::families()[place.family].name != "tile_scan") continue;
        const kernels::Variant& variant = kernels::variantOf(place);
        INFO(variant.name);
        const Point point = pointOf(variant.name);
        CHECK(variant.sweep == "tuning");
        CHECK(variant.parameters ==
              std::vector<std::string>{"block=" + std::to_string(point.block),
                                       "items=" + std::to_string(point.items), "load=" + point.load,
                                       "modifier=" + point.modifier, "scan=" + point.scan});
        const bool wasteful = point.load == "direct" || (point.load == "vectorize" && point.items > 4);
        CHECK(variant.better.empty() != wasteful);
        if (!wasteful) continue;
        const Point better = pointOf(variant.better.substr(std::string("tile_scan/").size()));
        CHECK(better.load == "transpose");
        CHECK(better.block == point.block);
        CHECK(better.items == point.items);
        CHECK(better.modifier == point.modifier);
        CHECK(better.scan == point.scan);
        CHECK_FALSE(answersOf(variant.better, kSize).empty());
    }
}

TEST_CASE("tile_scan: every size is whole tiles of every point") {
    const kernels::Group* group = nullptr;
    for (const kernels::Family& family : kernels::families())
        if (family.name == "tile_scan") group = &family.groups.at(0);
    REQUIRE(group != nullptr);
    for (const kernels::Variant& variant : group->variants) {
        const Point point = pointOf(variant.name);
        for (const std::size_t wanted : {std::size_t{1}, std::size_t{1'000'003}})
            CHECK(group->roundSize(wanted) % (point.block * point.items) == 0);
    }
}
