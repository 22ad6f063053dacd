// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/roofline/work.h"
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

/// The group of the family roofline that holds this variant.
const kernels::Group& groupOf(std::string_view variant) {
    for (const kernels::Selected& place : kernels::everything())
        if (kernels::pathOf(place) == "roofline/" + std::string(variant))
            return kernels::families()[place.family].groups[place.group];
    FAIL("no such variant: " << variant);
    return kernels::families()[0].groups[0];
}

} // namespace

TEST_CASE("roofline: the family holds the points it promises") {
    std::vector<std::string> expected{
        "scale",           "vector_add",     "vector_add_fp64", "axpy",          "dot",
        "stencil",         "sgemm_naive",    "sgemm_tiled",     "fma_chain",     "fma_chain_fp64",
        "fma_chain_half2", "tensor_gemm",    "polynomial/1",    "polynomial/2",  "polynomial/4",
        "polynomial/8",    "polynomial/16",  "polynomial/32",   "polynomial/64", "polynomial/128",
        "polynomial/256",  "polynomial/512", "polynomial/1024"};
    CHECK(variantsOf("roofline") == expected);
}

TEST_CASE("roofline: threads with one load each keep the DRAM of some chips busy") {
    // Published: SMs, threads per SM, boost clock, bandwidth. A thread moves 8 bytes.
    const auto bound = [](const kernels::ChipRates& chip) {
        return std::string_view(kernels::boundOfShortThreads(chip, 8));
    };
    CHECK(bound({80, 2048, 1.53e9, 900e9}) == "memory");    // V100
    CHECK(bound({108, 2048, 1.41e9, 1555e9}) == "memory");  // A100
    CHECK(bound({132, 2048, 1.98e9, 3352e9}) == "memory");  // H100 SXM: as recorded
    CHECK(bound({132, 2048, 1.98e9, 4815e9}) == "latency"); // H200: as recorded
    CHECK(bound({128, 1536, 2.52e9, 1008e9}) == "memory");  // RTX 4090
}

TEST_CASE("roofline: axpy and dot, counted element by element and addition by addition") {
    constexpr std::size_t kSize = std::size_t{1} << 27;
    CHECK(valueOf("roofline/axpy", kSize, "flops_fp32") == 2.0 * kSize);
    CHECK(valueOf("roofline/axpy", kSize, "arithmetic_intensity_dram_fp32") == Approx(2.0 / 12));
    for (const std::size_t size : {std::size_t{256}, std::size_t{3} * 256, kSize}) {
        const std::size_t blocks = size / 256 < 2048 ? size / 256 : 2048;
        std::size_t additionsOfBlock = 0;
        for (int warp = 0; warp < 8; ++warp) {
            for (const int distance : {16, 8, 4, 2, 1})
                additionsOfBlock += distance > 0 ? 32 : 0; // each lane adds what another holds
            if (warp > 0) ++additionsOfBlock;
        }
        const auto flops = static_cast<double>(2 * size + blocks * additionsOfBlock);
        CHECK(valueOf("roofline/dot", size, "flops_fp32") == flops);
        CHECK(valueOf("roofline/dot", size, "arithmetic_intensity_dram_fp32") ==
              Approx(flops / (2.0 * 4 * static_cast<double>(size))));
    }
    CHECK(valueOf("roofline/axpy", kSize, "global_load_sectors_per_request") ==
          sectors(4, [](std::size_t lane) { return 256 + lane; }));
}

TEST_CASE("roofline: the stencil's operations, cell by cell, and its sizes are squares of warps") {
    const kernels::Group& group = groupOf("stencil");
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{1000}, std::size_t{5000}}) {
        const std::size_t size = group.roundSize(wanted);
        CHECK(size >= wanted);
        std::size_t side = 0;
        while (side * side < size)
            side += 32;
        REQUIRE(side * side == size);
        double flops = 0;
        for (std::size_t y = 1; y + 1 < side; ++y)
            for (std::size_t x = 1; x + 1 < side; ++x)
                flops += 3 + 1;
        CHECK(valueOf("roofline/stencil", size, "flops_fp32") == flops);
        CHECK(valueOf("roofline/stencil", size, "arithmetic_intensity_dram_fp32") ==
              Approx(flops / (2.0 * 4 * static_cast<double>(size))));
    }
}

TEST_CASE("roofline: sectors of the matrix products, warp by warp") {
    constexpr std::size_t kSide = 64;
    constexpr std::size_t kSize = kSide * kSide;
    const auto at = [](std::size_t row, std::size_t column) { return row * kSide + column; };
    double flops = 0, naive = 0, tiled = 0, requests = 0;
    for (std::size_t y = 0; y < kSide; ++y) {
        for (std::size_t x = 0; x < kSide; x += 32) {
            for (std::size_t k = 0; k < kSide; ++k) {
                flops += 32 * 2;
                naive += sectors(4, [&](std::size_t) { return at(y, k); }) +
                         sectors(4, [&](std::size_t lane) { return at(k, x + lane); });
                requests += 2;
            }
            for (std::size_t start = 0; start < kSide; start += 32)
                tiled += sectors(4, [&](std::size_t lane) { return at(y, start + lane); }) +
                         sectors(4, [&](std::size_t lane) { return at(start + y % 32, x + lane); });
        }
    }
    for (const char* path : {"roofline/sgemm_naive", "roofline/sgemm_tiled"})
        CHECK(valueOf(path, kSize, "flops_fp32") == flops);
    CHECK(valueOf("roofline/sgemm_naive", kSize, "global_load_sectors") == naive);
    CHECK(valueOf("roofline/sgemm_naive", kSize, "global_load_sectors_per_request") == naive / requests);
    CHECK(valueOf("roofline/sgemm_tiled", kSize, "global_load_sectors") == tiled);
    CHECK(valueOf("roofline/sgemm_tiled", kSize, "shared_store_ways") ==
          ways([](std::size_t lane) { return 5 * 32 + lane; }));
    const double conflictFree = std::max(ways([](std::size_t) { return std::size_t{5 * 32 + 7}; }),
                                         ways([](std::size_t lane) { return 7 * 32 + lane; }));
    CHECK(valueOf("roofline/sgemm_tiled", kSize, "shared_load_ways") >= conflictFree);
    CHECK(valueOf("roofline/sgemm_tiled", kSize, "shared_load_ways") < 2 * conflictFree);
}

TEST_CASE("roofline: tensor instructions, tile by tile") {
    constexpr std::size_t kSide = 128;
    double instructions = 0;
    for (std::size_t row = 0; row < kSide; row += 16)
        for (std::size_t column = 0; column < kSide; column += 8) // an instruction is 16 x 8 x 16
            for (std::size_t k = 0; k < kSide; k += 16)
                ++instructions;
    CHECK(valueOf("roofline/tensor_gemm", kSide * kSide, "tensor_instructions") == instructions);
    CHECK(groupOf("tensor_gemm").roundSize(1) == kSide * kSide);
}

TEST_CASE("roofline: paired halves count four for each fused multiply-add") {
    constexpr std::size_t kSize = std::size_t{1} << 22;
    double flops = 0;
    for (int chain = 0; chain < 4; ++chain)
        for (int step = 0; step < 256; ++step)
            for (int half = 0; half < 2; ++half)
                flops += 2;
    CHECK(valueOf("roofline/fma_chain_half2", kSize, "flops_fp16") == flops * kSize / 128);
}

TEST_CASE("roofline: the polynomials are a sweep over their operations, from the slope to the roof") {
    constexpr std::size_t kSize = std::size_t{1} << 17;
    for (int k = 1; k <= 1024; k *= 2) {
        const std::string path = "roofline/polynomial/" + std::to_string(k);
        // One multiplication, or pairs of one and an addition.
        double operations = 1;
        if (k > 1) {
            operations = 0;
            for (int degree = 1; degree <= k / 2; ++degree)
                operations += 2;
        }
        CHECK(valueOf(path, kSize, "flops_fp32") == operations * kSize);
        CHECK(valueOf(path, kSize, "arithmetic_intensity_dram_fp32") == Approx(operations / 8));
    }
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "roofline") continue;
        REQUIRE(family.sweeps.size() == 1);
        CHECK(family.sweeps[0].parameters == std::vector<std::string>{"flops"});
        for (const kernels::Variant& variant : groupOf("polynomial/1").variants) {
            CHECK(variant.sweep == family.sweeps[0].name);
            CHECK(variant.parameters == std::vector<std::string>{"flops=" + variant.name.substr(11)});
        }
    }
}

TEST_CASE("roofline: what is told within 2 % moves far more than caches keep") {
    // An H100 has 50 MB of L2; half of it dirty at the end of a launch is more than was ever seen.
    CHECK(25e6 / (3.0 * 4 * static_cast<double>(groupOf("axpy").defaultSize.gpu)) < 0.02);
    CHECK(25e6 / (2.0 * 4 * static_cast<double>(groupOf("stencil").defaultSize.gpu)) < 0.02);
    CHECK(25e6 / (2.0 * 4 * static_cast<double>(groupOf("polynomial/1").defaultSize.gpu)) < 0.06);
}
