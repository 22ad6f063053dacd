// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const kernels::Family& family() {
    for (const kernels::Family& candidate : kernels::families())
        if (candidate.name == "occupancy") return candidate;
    FAIL("no family occupancy");
    return kernels::families().front();
}

} // namespace

TEST_CASE("occupancy: each limit is swept, and each point names its parameter") {
    std::map<std::string, std::vector<std::string>> points;
    for (const kernels::Group& group : family().groups)
        for (const kernels::Variant& variant : group.variants) {
            points[variant.sweep].push_back(variant.name);
            const std::string value = variant.name.substr(variant.name.find('/') + 1);
            CHECK(variant.name == variant.sweep + "/" + value);
            CHECK(std::ranges::count(variant.parameters, variant.sweep + "=" + value) == 1);
        }
    REQUIRE(family().sweeps.size() == 3);
    for (const kernels::SweepFacts& sweep : family().sweeps) {
        INFO(sweep.name);
        CHECK(points[sweep.name].size() >= 6);
        CHECK(sweep.parameters == std::vector<std::string>{sweep.name});
    }
    CHECK(points["block"].front() == "block/32");
    CHECK(points["block"].back() == "block/1024");
}

TEST_CASE("occupancy: chains of neighbouring threads stay neighbours, counted lane by lane") {
    for (const std::size_t size : {std::size_t{1024}, std::size_t{3072}, std::size_t{1} << 19}) {
        std::vector<std::size_t> element(32);
        for (std::size_t lane = 0; lane < 32; ++lane)
            element[lane] = size - 64 + lane;
        for (int step = 0; step < 100; ++step) {
            const double touched = sectors(4, [&](std::size_t lane) { return element[lane]; });
            CHECK(touched == valueOf("occupancy/block/256", size, "global_load_sectors_per_request"));
            for (std::size_t& e : element)
                e = (e + 1021 * 32) % size;
        }
        const auto warps = static_cast<double>(size / 32);
        CHECK(valueOf("occupancy/block/96", size, "global_load_requests") == warps * 32);
        CHECK(valueOf("occupancy/shared/8192", size, "global_load_requests") == warps * 32);
        CHECK(valueOf("occupancy/registers/64", size, "global_load_requests") == warps * 96);
    }
}

TEST_CASE("occupancy: registers that are capped below what lives are spilled") {
    constexpr std::size_t kSize = 1024;
    for (const auto& [path, cap] :
         {std::pair{"occupancy/registers/32", 32}, {"occupancy/registers/80", 80}}) {
        double least = 0;
        for (std::size_t warp = 0; warp < kSize / 32; ++warp)
            for (int value = cap; value < 96; ++value)
                least += 2 * sectors(4, [](std::size_t lane) { return lane; }); // written, and read
        CHECK(valueOf(path, kSize, "local_sectors") == least);
        CHECK(valueOf(path, kSize, "registers_per_thread") == cap);
    }
    CHECK(valueOf("occupancy/registers/128", kSize, "local_sectors") == 0);
}
