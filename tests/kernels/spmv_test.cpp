// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include "kernels/spmv/matrix.h"

#include <cmath>

using namespace dormer;
using namespace dormer::tests;
using kernels::MatrixKind;

namespace {

std::vector<int> lengths(MatrixKind kind, std::size_t nonzeros) {
    const std::vector<int> offsets = kernels::rowOffsets(kind, nonzeros);
    REQUIRE(offsets.size() == nonzeros / 32 + 1);
    REQUIRE(offsets.front() == 0);
    CHECK(offsets.back() == static_cast<int>(nonzeros));
    std::vector<int> all;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
        all.push_back(offsets[row + 1] - offsets[row]);
    return all;
}

} // namespace

TEST_CASE("spmv: every method runs on both matrices") {
    CHECK(variantsOf("spmv") == std::vector<std::string>{"scalar/regular", "scalar/power_law",
                                                         "vector/regular", "vector/power_law",
                                                         "merge/regular", "merge/power_law"});
}

TEST_CASE("spmv: rows of the regular matrix are alike") {
    for (const int length : lengths(MatrixKind::Regular, 8192))
        CHECK(length == 32);
}

TEST_CASE("spmv: the power-law matrix has a few long rows, scattered, and very many short ones") {
    for (const std::size_t nonzeros : {std::size_t{8192}, std::size_t{3} * 8192, std::size_t{1} << 20}) {
        std::vector<int> all = lengths(MatrixKind::PowerLaw, nonzeros);
        const auto longest = std::max_element(all.begin(), all.end());
        CHECK(*longest > static_cast<int>(nonzeros / 64)); // percents of the matrix
        // Its neighbours are not next in rank.
        if (longest + 1 != all.end()) CHECK(*(longest + 1) < *longest / 2);
        std::ranges::sort(all, std::greater{});
        CHECK(all.back() >= 0);
        CHECK(all[all.size() / 2] < 32);
        // A sixteenth of the rank is eight times as long; rounding takes less than two.
        CHECK(std::abs(all[1] - 8 * all[31]) <= 8 * 2 + 2);
    }
}

TEST_CASE("spmv: sums stay exact in a float however large the matrix") {
    const std::vector<int> all = lengths(MatrixKind::PowerLaw, std::size_t{1} << 27);
    CHECK(*std::max_element(all.begin(), all.end()) * 15.0 < std::exp2(24));
}

TEST_CASE("spmv: operations and sectors, counted warp by warp") {
    constexpr std::size_t kSize = 8192;
    constexpr std::size_t kRows = kSize / 32;
    for (const char* matrix : {"regular", "power_law"}) {
        const std::string of = matrix;
        CHECK(valueOf("spmv/scalar/" + of, kSize, "flops_fp32") == 2.0 * kSize);
        CHECK(valueOf("spmv/scalar/" + of, kSize, "global_store_sectors_per_request") ==
              sectors(4, [](std::size_t lane) { return 64 + lane; }));
        double joins = 0;
        for (std::size_t row = 0; row < kRows; ++row)
            for (int lanes = 32; lanes > 1; lanes /= 2)
                joins += lanes > 2 ? 32 : 1; // the last pair is joined for the row only
        CHECK(valueOf("spmv/vector/" + of, kSize, "flops_fp32") == 2.0 * kSize + joins);
        CHECK(valueOf("spmv/merge/" + of, kSize, "flops_fp32") == 2.0 * kSize);
        // 256 threads of seven steps each.
        std::size_t blocks = 0;
        for (std::size_t step = 0; step < kSize + kRows; step += std::size_t{256} * 7)
            ++blocks;
        CHECK(valueOf("spmv/merge/" + of, kSize, "grid_blocks") == static_cast<double>(blocks));
    }
    // Values and columns of a turn lie a row apart; x lies anywhere, in one sector at least.
    double least = sectors(4, [](std::size_t lane) { return lane; }) +
                   sectors(4, [](std::size_t lane) { return lane + 1; });
    double requests = 2;
    for (std::size_t turn = 0; turn < 32; ++turn, requests += 3)
        least += 2 * sectors(4, [&](std::size_t lane) { return lane * 32 + turn; }) + 1;
    CHECK(valueOf("spmv/scalar/regular", kSize, "global_load_sectors_per_request") ==
          Approx(least / requests));
}

TEST_CASE("spmv: merging is held to the same time on both matrices") {
    bool found = false;
    for (const kernels::Expectation& answer : answersOf("spmv/merge/power_law", 8192)) {
        if (answer.reference != "spmv/merge/regular") continue;
        found = true;
        CHECK((answer.metric == "duration_ns" && answer.relation == "<=" && answer.value < 2 &&
               answer.gpuOnly));
    }
    CHECK(found);
}
