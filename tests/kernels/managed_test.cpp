// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("managed: its variants, none larger than a few megabytes") {
    CHECK(variantsOf("managed") == std::vector<std::string>{"on_demand", "prefetch", "advise", "static"});
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "managed") continue;
        for (const kernels::Group& group : family.groups)
            CHECK(group.deviceBytes(group.defaultSize.gpu) < 100'000'000);
    }
}

TEST_CASE("managed: every variant reads and writes neighbouring words") {
    const auto neighbours = [](std::size_t lane) { return 64 + lane; };
    for (const std::string& variant : variantsOf("managed")) {
        CHECK(valueOf("managed/" + variant, 4096, "global_load_sectors_per_request") ==
              sectors(4, neighbours));
        CHECK(valueOf("managed/" + variant, 4096, "global_store_sectors_per_request") ==
              sectors(4, neighbours));
    }
}

TEST_CASE("managed: a prefetch names the whole array, once a run") {
    CHECK(valueOf("managed/prefetch", 4096, "memory_call_count") == 1);
    CHECK(valueOf("managed/prefetch", 4096, "memory_call_bytes") == 4096 * 4);
}
