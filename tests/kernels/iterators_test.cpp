// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {
constexpr std::size_t kSize = std::size_t{1} << 20;
}

TEST_CASE("iterators: every modifier of loads and stores, once streaming and once with reuse") {
    CHECK(variantsOf("iterators") ==
          std::vector<std::string>{"copy_plain", "copy_load_default", "copy_load_ldg", "copy_load_ca",
                                   "copy_load_cg", "copy_load_cs", "copy_load_cv", "copy_store_default",
                                   "copy_store_wb", "copy_store_cg", "copy_store_cs", "copy_store_wt",
                                   "stencil_plain", "stencil_default", "stencil_ldg", "stencil_ca",
                                   "stencil_cg", "stencil_cs", "stencil_cv"});
}

TEST_CASE("iterators: no modifier changes what is requested") {
    const double copied = sectors(4, [](std::size_t lane) { return 256 * 5 + 32 + lane; });
    double asked = 0;
    for (std::size_t load = 0; load < 9; ++load) // elements i - 4 .. i + 4, behind a halo of 8
        asked += sectors(4, [&](std::size_t lane) { return 8 + 256 * 5 + 32 + lane + load - 4; });
    for (const std::string& name : variantsOf("iterators")) {
        INFO(name);
        const std::string path = "iterators/" + name;
        const bool copies = name.starts_with("copy");
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") == (copies ? copied : asked / 9));
        CHECK(valueOf(path, kSize, "global_store_sectors_per_request") == copied);
        if (!copies) continue;
        CHECK(valueOf(path, kSize, "global_load_sectors") == kSize * 4.0 / 32);
        CHECK(valueOf(path, kSize, "global_store_sectors") == kSize * 4.0 / 32);
    }
}

TEST_CASE("iterators: only loads that pass L1 by have a better variant, and only those lack a hit rate") {
    for (const kernels::Selected& place : kernels::everything()) {
        if (kernels::families()[place.family].name != "iterators") continue;
        const kernels::Variant& variant = kernels::variantOf(place);
        INFO(variant.name);
        const bool passesBy = variant.name == "stencil_cg" || variant.name == "stencil_cv";
        CHECK(variant.better == (passesBy ? "iterators/stencil_ca" : ""));
        bool rated = false;
        for (const kernels::Expectation& answer : variant.knownAnswers(kSize))
            rated = rated || answer.metric == "l1_hit_rate";
        CHECK(rated == (variant.name.starts_with("stencil") && !passesBy));
    }
}
