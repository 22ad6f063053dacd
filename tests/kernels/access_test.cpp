// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kSize = std::size_t{1} << 16;
constexpr std::size_t kWarp = 37 * 32; // first thread of some warp
constexpr const char* kLoads = "global_load_sectors_per_request";
constexpr const char* kStores = "global_store_sectors_per_request";

struct Width {
    std::size_t bytes;
    std::string suffix;
};
const Width kWidths[] = {{4, ""}, {8, "_8"}, {16, "_16"}};

const kernels::Variant& variantAt(const std::string& path) {
    for (const kernels::Selected& place : kernels::everything())
        if (kernels::pathOf(place) == path) return kernels::variantOf(place);
    FAIL("no such workload: " << path);
    return kernels::variantOf({});
}

bool has(const std::string& variant) {
    const auto names = variantsOf("access");
    return std::ranges::find(names, variant) != names.end();
}

} // namespace

TEST_CASE("access: the patterns are there, in three widths, the narrow loads that bypass L1 as well") {
    for (const char* pattern : {"aligned", "permuted", "same_address", "scattered", "aligned_store",
                                "half_range_store", "three_segments_store"}) {
        for (const Width& width : kWidths) {
            INFO(pattern << width.suffix);
            CHECK(has(pattern + width.suffix));
        }
    }
    for (const char* variant : {"aligned_cg", "permuted_cg", "same_address_cg", "scattered_cg", "reread",
                                "reread_cg", "offset_cg/0", "offset_cg/1", "offset_8/1", "offset_16/1"})
        CHECK(has(variant));
    for (int offset = 0; offset <= 32; ++offset)
        CHECK(has("offset/" + std::to_string(offset)));
    for (int stride = 1; stride <= 32; ++stride)
        CHECK(has("stride/" + std::to_string(stride)));
}

TEST_CASE("access: sectors of the patterns counted lane by lane") {
    for (const Width& width : kWidths) {
        const auto loads = [&](const std::string& pattern) {
            return valueOf("access/" + pattern + width.suffix, kSize, kLoads);
        };
        CHECK(loads("aligned") == sectors(width.bytes, [](std::size_t lane) { return kWarp + lane; }));
        CHECK(loads("permuted") ==
              sectors(width.bytes, [](std::size_t lane) { return kWarp + (5 * lane + 11) % 32; }));
        CHECK(loads("same_address") == sectors(width.bytes, [](std::size_t) { return kWarp; }));
        // The narrowest parts that a size gives the lanes, met at places as near to each other as can be.
        const std::size_t part = 256 * 16 / width.bytes / 32;
        CHECK(loads("scattered") == sectors(width.bytes, [&](std::size_t lane) {
                  return lane * part + (lane % 2 == 0 ? part - 1 : 0);
              }));
        for (const char* pattern : {"aligned", "permuted", "same_address", "scattered"})
            CHECK(valueOf(std::string("access/") + pattern + width.suffix, kSize, kStores) ==
                  sectors(width.bytes, [](std::size_t lane) { return kWarp + lane; }));
    }
    // The table of what a warp of 32 x 4 bytes takes.
    CHECK(valueOf("access/aligned", kSize, kLoads) == 4);
    CHECK(valueOf("access/permuted", kSize, kLoads) == 4);
    CHECK(valueOf("access/offset/30", kSize, kLoads) == 5); // a[i - 2] of the next warp
    CHECK(valueOf("access/offset/16", kSize, kLoads) == 4);
    CHECK(valueOf("access/same_address", kSize, kLoads) == 1);
    CHECK(valueOf("access/scattered", kSize, kLoads) == 32);
}

TEST_CASE("access: every point of the sweeps counted lane by lane") {
    std::size_t points = 0;
    for (const std::string& name : variantsOf("access")) {
        const std::size_t slash = name.find('/');
        if (slash == std::string::npos) continue;
        INFO(name);
        const std::string sweep = name.substr(0, slash);
        const std::size_t k = std::stoul(name.substr(slash + 1));
        const std::size_t bytes = sweep.ends_with("_8") ? 8 : sweep.ends_with("_16") ? 16 : 4;
        const bool offset = sweep.starts_with("offset");
        const kernels::Variant& variant = variantAt("access/" + name);
        CHECK(variant.sweep == sweep);
        CHECK(variant.parameters.front() == (offset ? "offset=" : "stride=") + std::to_string(k));
        const double expected = offset ? sectors(bytes, [&](std::size_t lane) { return kWarp + lane + k; })
                                       : sectors(bytes, [&](std::size_t lane) { return (kWarp + lane) * k; });
        CHECK(valueOf("access/" + name, kSize, kLoads) == expected);
        // One is good exactly when it wastes nothing; the others name one that is.
        const bool good = expected == static_cast<double>(bytes);
        CHECK(variant.good == good);
        CHECK(variant.better.empty() == good);
        if (!good) CHECK(variantAt(variant.better).good);
        ++points;
    }
    CHECK(points > 80);
}

TEST_CASE("access: a misaligned load finds no more in L1 than the sector before") {
    for (const char* path : {"access/offset/1", "access/offset/31"}) {
        // Two neighbouring warps load 9 distinct sectors of 10, and store 8: one lookup of 18 more can hit.
        std::set<std::size_t> touched;
        for (std::size_t lane = 0; lane < 64; ++lane)
            touched.insert((lane + 1) * 4 / 32);
        CHECK(touched.size() == 9);
        CHECK(valueOf(path, kSize, "l1_hit_rate") == Approx(1.0 / 9));
    }
    CHECK(valueOf("access/offset_cg/1", kSize, "l1_hit_rate") < 0.02);
}

TEST_CASE("access: rereading hits L1 in all lookups of a sector but the first, unless they bypass it") {
    // A block of 8 warps: 8 rounds of loads of the same 32 sectors, then one store of 32.
    std::size_t hits = 0;
    std::size_t lookups = 0;
    std::set<std::size_t> present;
    for (std::size_t round = 0; round < 8; ++round)
        for (std::size_t warp = 0; warp < 8; ++warp)
            for (std::size_t sector = 0; sector < 4; ++sector, ++lookups)
                hits += present.insert((warp + round) % 8 * 4 + sector).second ? 0 : 1;
    lookups += 32;
    CHECK(valueOf("access/reread", kSize, "l1_hit_rate") ==
          Approx(static_cast<double>(hits) / static_cast<double>(lookups)));
    CHECK(valueOf("access/reread_cg", kSize, "l1_hit_rate") < 0.02);
    CHECK(valueOf("access/reread", kSize, "global_load_requests") == kSize / 32.0 * 8);
    CHECK(valueOf("access/reread", kSize, kLoads) == valueOf("access/reread_cg", kSize, kLoads));
    CHECK(variantAt("access/reread_cg").better == "access/reread");
}

TEST_CASE("access: sectors of stores counted lane by lane") {
    for (const Width& width : kWidths) {
        const auto stores = [&](const std::string& pattern) {
            return valueOf("access/" + pattern + width.suffix, kSize, kStores);
        };
        CHECK(stores("aligned_store") == sectors(width.bytes, [](std::size_t lane) { return lane; }));
        const std::size_t inHalf = 64 / width.bytes;
        CHECK(stores("half_range_store") ==
              sectors(width.bytes, [&](std::size_t lane) { return 2 * inHalf + lane % inHalf; }));
        const std::size_t inPiece = 32 / width.bytes;
        const std::size_t begins[] = {2 * inPiece, 7 * inPiece, 13 * inPiece};
        CHECK(stores("three_segments_store") ==
              sectors(width.bytes, [&](std::size_t lane) { return begins[lane % 3] + lane / 3 % inPiece; }));
    }
    CHECK(valueOf("access/half_range_store", kSize, "global_store_requests") == kSize / 32.0);
}
