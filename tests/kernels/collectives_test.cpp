// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kSize = 61440; // 240 x 256: whole tiles of every exchange
constexpr std::size_t kWarps = kSize / 32;

} // namespace

TEST_CASE("collectives: every collective of the suite is there") {
    const std::vector<std::string> variants = variantsOf("collectives");
    for (const char* name : {"scan_kogge_stone", "scan_cub_raking", "scan_cub_warp_scans", "reduce_by_key",
                             "radix_sort", "exchange/4", "exchange_by_hand/4"})
        CHECK(std::count(variants.begin(), variants.end(), name) == 1);
}

TEST_CASE("collectives: Kogge and Stone's accesses counted step by step") {
    double loads = 0;
    double stores = 2; // a zero and the value
    for (std::size_t before = 1; before < 256; before *= 2) {
        loads += ways([&](std::size_t lane) { return 256 + 64 + lane - before; });
        stores += ways([](std::size_t lane) { return 256 + 64 + lane; });
    }
    CHECK(valueOf("collectives/scan_kogge_stone", kSize, "shared_load_wavefronts") == kWarps * loads);
    CHECK(valueOf("collectives/scan_kogge_stone", kSize, "shared_store_wavefronts") == kWarps * stores);
}

TEST_CASE("collectives: conflicts of the exchanges counted lane by lane") {
    for (const std::size_t items : {1U, 2U, 3U, 4U, 5U, 8U, 16U}) {
        const double striped = ways([](std::size_t lane) { return 32 + lane; });
        const double blocked = ways([&](std::size_t lane) { return items * (32 + lane) + items - 1; });
        // CUB's layout: one word behind every 32, for powers of two above 4.
        const bool isPadded = items == 8 || items == 16;
        const double padded = ways([&](std::size_t lane) {
            const std::size_t word = items * (32 + lane) + items - 1;
            return isPadded ? word + word / 32 : word;
        });
        const std::string number = std::to_string(items);
        for (const char* metric : {"shared_load_wavefronts", "shared_store_wavefronts"}) {
            CHECK(valueOf("collectives/exchange_by_hand/" + number, kSize, metric) ==
                  kWarps * (striped + blocked));
            CHECK(valueOf("collectives/exchange/" + number, kSize, metric) == kWarps * (striped + padded));
        }
        CHECK(valueOf("collectives/exchange_by_hand/" + number, kSize, "shared_ways") ==
              (striped + blocked) / 2);
    }
}

TEST_CASE("collectives: sweeps have points, and each point tells its parameter") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "collectives") continue;
        for (const kernels::SweepFacts& sweep : family.sweeps) {
            int points = 0;
            for (const kernels::Group& group : family.groups)
                for (const kernels::Variant& variant : group.variants) {
                    if (variant.sweep != sweep.name) continue;
                    ++points;
                    CHECK(variant.name.starts_with(sweep.name + "/"));
                    CHECK(variant.parameters ==
                          std::vector<std::string>{"items=" + variant.name.substr(sweep.name.size() + 1)});
                }
            CHECK(points == 7);
        }
    }
}

TEST_CASE("collectives and reduce: what is better has nothing to find in it") {
    const auto isGood = [](std::string_view path) {
        for (const kernels::Selected& place : kernels::everything())
            if (kernels::pathOf(place) == path) return kernels::variantOf(place).good;
        FAIL("no such workload: " << path);
        return false;
    };
    std::vector<std::string> faulty;
    for (const kernels::Selected& place : kernels::everything()) {
        const std::string& family = kernels::families()[place.family].name;
        const kernels::Variant& variant = kernels::variantOf(place);
        if ((family != "collectives" && family != "reduce") || variant.better.empty()) continue;
        faulty.push_back(variant.name);
        CHECK_FALSE(variant.good);
        CHECK(isGood(variant.better));
    }
    CHECK(faulty == std::vector<std::string>{"tree_conflicts", "scan_kogge_stone", "exchange_by_hand/2",
                                             "exchange_by_hand/4", "exchange_by_hand/8",
                                             "exchange_by_hand/16"});
}

TEST_CASE("collectives: what is loaded and stored") {
    constexpr double kSectors = kSize * 4 / 32.0; // of one array
    CHECK(valueOf("collectives/reduce_by_key", kSize, "global_load_sectors") == 2 * kSectors);
    CHECK(valueOf("collectives/radix_sort", kSize, "global_load_sectors") == kSectors);
    CHECK(valueOf("collectives/radix_sort", kSize, "global_store_sectors") == 2 * kSectors);
}
