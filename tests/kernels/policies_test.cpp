// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("policies: every policy reads each word once") {
    CHECK(variantsOf("policies") == std::vector<std::string>{"chained", "oldest"});
    constexpr std::size_t kSize = 1 << 18;
    double each = 0;
    for (std::size_t warp = 0; warp < kSize / 32; ++warp)
        each += sectors(4, [&](std::size_t lane) { return warp * 32 + lane; });
    CHECK(valueOf("policies/chained", kSize, "global_load_sectors") == each);
    CHECK(valueOf("policies/oldest", kSize, "global_load_sectors") == each);
}

TEST_CASE("policies: sizes are whole tiles of every policy") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "policies") continue;
        for (const std::size_t tile : {64 * 2, 128 * 4, 256 * 4, 256 * 16})
            for (const std::size_t wanted : {1, 5000, 1'000'003})
                CHECK(family.groups[0].roundSize(wanted) % tile == 0);
    }
}
