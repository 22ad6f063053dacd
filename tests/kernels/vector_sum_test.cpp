// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("vector_sum: bytes through L1 are whole sectors of two loads and a store") {
    for (const std::size_t size : {std::size_t{2048}, std::size_t{1} << 24}) {
        const std::size_t grid = size / 256;
        const double warps = static_cast<double>(size) / 32;
        CHECK(valueOf("vector_sum/coalesced", size, "l1_bytes") ==
              3 * 32 * warps * sectors(4, [](std::size_t lane) { return 512 + lane; }));
        CHECK(valueOf("vector_sum/uncoalesced", size, "l1_bytes") ==
              3 * 32 * warps * sectors(4, [&](std::size_t lane) { return 5 + grid * lane; }));
    }
    // As recorded on an H100.
    CHECK(valueOf("vector_sum/coalesced", std::size_t{1} << 24, "l1_bytes") == 201'326'592);
    CHECK(valueOf("vector_sum/uncoalesced", std::size_t{1} << 24, "l1_bytes") == 1'610'612'736);
}

TEST_CASE("vector_sum: the uncoalesced variant is compared in time where it is long enough to tell") {
    const auto compared = [](std::size_t size) {
        return std::ranges::count_if(answersOf("vector_sum/uncoalesced", size), [](const auto& answer) {
            return answer.metric == "duration_ns" && answer.reference == "vector_sum/coalesced";
        });
    };
    CHECK(compared(std::size_t{1} << 24) == 1);
    CHECK(compared(std::size_t{1} << 20) == 0);
}
