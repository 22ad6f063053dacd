// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include "kernels/roofline/fma_chain.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("vector_sum: sectors counted address by address") {
    for (const std::size_t size : {std::size_t{2048}, std::size_t{1} << 24}) {
        const std::size_t grid = size / 256;
        for (const char* metric : {"global_load_sectors_per_request", "global_store_sectors_per_request"}) {
            CHECK(valueOf("vector_sum/coalesced", size, metric) ==
                  sectors(4, [](std::size_t lane) { return 256 * 3 + 64 + lane; }));
            CHECK(valueOf("vector_sum/uncoalesced", size, metric) ==
                  sectors(4, [&](std::size_t lane) { return 5 + grid * (32 + lane); }));
        }
        CHECK(valueOf("vector_sum/coalesced", size, "flops_fp32") == static_cast<double>(size));
        CHECK(valueOf("vector_sum/uncoalesced", size, "flops_fp32") == static_cast<double>(size));
    }
}

TEST_CASE("vector_sum: no size is rounded to a grid so small that uncoalesced lanes share sectors") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "vector_sum") continue;
        const std::size_t grid = family.groups[0].roundSize(1) / 256;
        CHECK(sectors(4, [&](std::size_t lane) { return grid * lane; }) == 32);
    }
}

TEST_CASE("transpose: sectors and bank conflicts counted address by address") {
    constexpr std::size_t kSide = 4096;
    constexpr std::size_t kSize = kSide * kSide;
    const auto row = [](std::size_t lane) { return kSide * 7 + 96 + lane; };
    const auto column = [](std::size_t lane) { return kSide * (96 + lane) + 7; };
    for (const char* path : {"transpose/copy_row", "transpose/tiled", "transpose/tiled_padded"}) {
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") == sectors(4, row));
        CHECK(valueOf(path, kSize, "global_store_sectors_per_request") == sectors(4, row));
    }
    CHECK(valueOf("transpose/naive_row", kSize, "global_load_sectors_per_request") == sectors(4, row));
    CHECK(valueOf("transpose/naive_row", kSize, "global_store_sectors_per_request") == sectors(4, column));

    for (const auto& [path, pitch] : {std::pair{"transpose/tiled", 32U}, {"transpose/tiled_padded", 33U}}) {
        CHECK(valueOf(path, kSize, "shared_store_ways") ==
              ways([&](std::size_t lane) { return 5 * pitch + lane; }));
        CHECK(valueOf(path, kSize, "shared_load_ways") ==
              ways([&](std::size_t lane) { return lane * pitch + 5; }));
    }
}

TEST_CASE("fma_chain: operations counted step by step") {
    std::size_t flops = 0;
    for (int chain = 0; chain < 4; ++chain) {
        for (int step = 0; step < 256; ++step)
            flops += 2;         // a multiplication and an addition
        if (chain > 0) ++flops; // joins the sum
    }
    CHECK(kernels::fmaChainFlops(1) == flops);
    constexpr std::size_t kSize = std::size_t{1} << 27;
    const auto all = static_cast<double>((kSize / 128) * flops);
    CHECK(valueOf("roofline/fma_chain", kSize, "flops_fp32") == all);
    CHECK(valueOf("roofline/fma_chain_fp64", kSize, "flops_fp64") == all);
}

TEST_CASE("roofline: intensity is operations over the bytes of the arrays") {
    constexpr std::size_t kSize = std::size_t{1} << 27;
    CHECK(valueOf("roofline/scale", kSize, "arithmetic_intensity_dram_fp64") ==
          Approx(valueOf("roofline/scale", kSize, "flops_fp64") / (2.0 * 8 * kSize)));
    CHECK(valueOf("roofline/vector_add", kSize, "arithmetic_intensity_dram_fp32") ==
          Approx(valueOf("roofline/vector_add", kSize, "flops_fp32") / (3.0 * 4 * kSize)));
    CHECK(valueOf("roofline/vector_add_fp64", kSize, "arithmetic_intensity_dram_fp64") ==
          Approx(valueOf("roofline/vector_add_fp64", kSize, "flops_fp64") / (3.0 * 8 * kSize)));
    CHECK(valueOf("roofline/scale", kSize, "global_load_sectors_per_request") ==
          sectors(8, [](std::size_t lane) { return 512 + lane; }));
}

TEST_CASE("roofline: a streaming launch is large enough for its intensity to be told within 2 %") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "roofline") continue;
        // An H100 has 50 MB of L2; half of it dirty at the end of a launch is more than was ever seen.
        const double leastTraffic = 3.0 * 4 * static_cast<double>(family.groups[0].defaultSize.gpu);
        CHECK(25e6 / leastTraffic < 0.02);
    }
}

TEST_CASE("histogram: atomics that reach global memory") {
    constexpr std::size_t kSize = std::size_t{1} << 24;
    CHECK(valueOf("histogram/global_atomics", kSize, "atomic_instructions") == kSize / 32.0);
    CHECK(valueOf("histogram/shared", kSize, "atomic_instructions") == kSize / (256.0 * 64));
    // The last block of a size that is no multiple of a block's share merges its bins as well.
    CHECK(valueOf("histogram/shared", (256 * 64) + 256, "atomic_instructions") == 2);
}

TEST_CASE("device_wide: each integer crosses once, eight to a sector") {
    constexpr std::size_t kSize = std::size_t{1} << 24;
    CHECK(valueOf("device_wide/reduce", kSize, "global_load_sectors") == kSize * 4.0 / 32);
    CHECK(valueOf("device_wide/scan", kSize, "global_load_sectors") == kSize * 4.0 / 32);
    CHECK(valueOf("device_wide/scan", kSize, "global_store_sectors") == kSize * 4.0 / 32);
}
