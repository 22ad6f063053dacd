// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const kernels::Family& family() {
    for (const kernels::Family& candidate : kernels::families())
        if (candidate.name == "stalls") return candidate;
    FAIL("no family stalls");
    return kernels::families().front();
}

} // namespace

TEST_CASE("stalls: six kernels that wait, each followed by the twin that it names") {
    REQUIRE(family().groups.size() == 6);
    for (const kernels::Group& group : family().groups) {
        REQUIRE(group.variants.size() == 2);
        INFO(group.variants.front().name);
        CHECK(group.variants.front().better == "stalls/" + group.variants.back().name);
        CHECK(group.variants.back().better.empty());
    }
}

TEST_CASE("stalls: pairs whose counts don't tell them apart have the same ones") {
    for (const auto& [waits, twin, same] :
         {std::tuple{"chase_dependent", "chase_interleaved",
                     std::vector{"global_load_requests", "global_load_sectors_per_request"}},
          {"barrier_uneven", "barrier_even",
           std::vector{"flops_fp32", "shared_load_instructions", "shared_store_instructions"}},
          {"shared_narrow", "shared_blocked", std::vector{"flops_fp32", "global_load_sectors"}},
          {"code_unrolled", "code_looped", std::vector{"flops_fp32", "global_store_requests"}},
          {"global_narrow", "global_wide", std::vector{"global_load_sectors"}}})
        for (const char* metric : same) {
            INFO(waits << ": " << metric);
            constexpr std::size_t kSize = std::size_t{1} << 29;
            CHECK(valueOf("stalls/" + std::string(waits), kSize, metric) ==
                  valueOf("stalls/" + std::string(twin), kSize, metric));
        }
}

TEST_CASE("stalls: operations and loads counted one at a time") {
    std::size_t hops = 0; // of a warp; a thread has 64 of the elements
    for (int list = 0; list < 4; ++list)
        for (int hop = 0; hop < 128; ++hop)
            ++hops;
    CHECK(valueOf("stalls/chase_dependent", 32 * 64 * 7, "global_load_requests") ==
          static_cast<double>(7 * hops));

    std::size_t flops = 0; // of a value
    for (int round = 0; round < 256; ++round)
        for (int step = 0; step < 16; ++step)
            flops += 2;
    CHECK(valueOf("stalls/barrier_uneven", 512, "flops_fp32") == static_cast<double>(512 * flops));

    // A thread of the FMA chains has 32768 of the terms; four sums need three additions more than one.
    CHECK(valueOf("stalls/fma_dependent", 32768 * 128, "flops_fp32") == 128.0 * 2 * 32768);
    CHECK(valueOf("stalls/fma_independent", 32768 * 128, "flops_fp32") == 128.0 * (2 * 32768 + 3));
    CHECK(valueOf("stalls/code_looped", 32768 * 128, "flops_fp32") == 128.0 * (2 * 8 * 4096 + 7));
}

TEST_CASE("stalls: loads from shared memory and from L1, wide and narrow, counted warp by warp") {
    // A block of 256 has 64 x 128 sums of 64 products.
    constexpr std::size_t kSums = std::size_t{64} * 128;
    std::size_t narrow = 0;
    std::size_t blocked = 0;
    for (std::size_t warp = 0; warp < 8; ++warp)
        for (int k = 0; k < 64; ++k) {
            for (std::size_t sum = warp; sum < kSums / 32; sum += 8)
                narrow += 2;
            blocked += 3; // two float4 of A, one of B
        }
    CHECK(valueOf("stalls/shared_narrow", kSums, "shared_load_instructions") == static_cast<double>(narrow));
    CHECK(valueOf("stalls/shared_blocked", kSums, "shared_load_instructions") ==
          static_cast<double>(blocked));
    CHECK(ways([](std::size_t lane) { return 5 * 128 + 32 + lane; }) == 1);

    CHECK(valueOf("stalls/global_narrow", 4096, "global_load_sectors_per_request") ==
          sectors(1, [](std::size_t lane) { return 256 + lane; }));
    CHECK(valueOf("stalls/global_wide", 4096, "global_load_sectors_per_request") ==
          sectors(16, [](std::size_t lane) { return 32 + lane; }));
    CHECK(valueOf("stalls/global_narrow", 1024, "global_load_requests") == 1024.0 / 32 * 64);
    CHECK(valueOf("stalls/global_wide", 1024, "global_load_requests") == 2.0 * 64); // a uint4 per thread
}
