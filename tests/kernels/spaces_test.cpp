// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include "kernels/spaces/patches.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

/// Sectors of all loads of 3 x 3 neighbours, clamped at the border, by warps of 8 x 4 threads.
double blurSectorsLaneByLane(long side) {
    const auto clamped = [side](long position) { return std::clamp(position, 0L, side - 1); };
    double all = 0;
    for (long y0 = 0; y0 < side; y0 += 4)
        for (long x0 = 0; x0 < side; x0 += 8)
            for (long dy = -1; dy <= 1; ++dy)
                for (long dx = -1; dx <= 1; ++dx)
                    all += sectors(4, [&](std::size_t lane) {
                        const long x = clamped(x0 + static_cast<long>(lane % 8) + dx);
                        const long y = clamped(y0 + static_cast<long>(lane / 8) + dy);
                        return static_cast<std::size_t>(y * side + x);
                    });
    return all;
}

} // namespace

TEST_CASE("spaces: the variants of every space") {
    CHECK(variantsOf("spaces") == std::vector<std::string>{"constant_broadcast", "constant_divergent",
                                                           "table_global", "texture_2d", "global_2d",
                                                           "local_array", "register_array", "local_spill",
                                                           "registers", "static_global"});
}

TEST_CASE("spaces: local memory only where it is meant") {
    for (const std::string& name : variantsOf("spaces")) {
        INFO(name);
        const std::vector<kernels::Expectation> answers = answersOf("spaces/" + name, 1 << 16);
        const bool none = std::ranges::any_of(answers, [](const kernels::Expectation& answer) {
            return answer.metric == "local_sectors" && answer.relation == "==" && answer.value == 0;
        });
        CHECK(none == (name != "local_array" && name != "local_spill"));
    }
}

TEST_CASE("spaces: constant memory and textures make no global loads, the others coalesced ones") {
    constexpr std::size_t kSize = 1 << 16;
    for (const char* path : {"spaces/constant_broadcast", "spaces/constant_divergent", "spaces/texture_2d"})
        CHECK(valueOf(path, kSize, "global_load_sectors") == 0);
    const double row = sectors(4, [](std::size_t lane) { return 32 * 5 + lane; });
    for (const char* path : {"spaces/table_global", "spaces/local_array", "spaces/register_array",
                             "spaces/local_spill", "spaces/registers", "spaces/static_global"})
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") == row);
    CHECK(valueOf("spaces/table_global", kSize, "global_load_requests") == kSize / 32 * 64.0);
}

TEST_CASE("spaces: sectors of 3 x 3 neighbours counted lane by lane") {
    for (const long side : {32L, 64L, 96L}) {
        const auto size = static_cast<std::size_t>(side * side);
        CHECK(valueOf("spaces/global_2d", size, "global_load_sectors") == blurSectorsLaneByLane(side));
        for (const char* path : {"spaces/global_2d", "spaces/texture_2d"})
            CHECK(valueOf(path, size, "global_store_sectors_per_request") ==
                  sectors(4, [&](std::size_t lane) {
                      return lane / 8 * static_cast<std::size_t>(side) + lane % 8;
                  }));
    }
}

TEST_CASE("spaces: images are squares of whole blocks") {
    CHECK(kernels::spaces::roundToImage(1) == 32 * 32);
    CHECK(kernels::spaces::roundToImage(32 * 32 + 1) == 64 * 64);
    CHECK(kernels::spaces::sideOf(96 * 96) == 96);
}

TEST_CASE("spaces: sectors of local memory counted lane by lane") {
    // Word k of a warp's local arrays: one row of 32 neighbouring words.
    constexpr std::size_t kThreads = 512;
    double moved = 0;
    for (std::size_t warp = 0; warp < kThreads / 32; ++warp)
        for (std::size_t k = 0; k < 16; ++k)
            moved += sectors(4, [&](std::size_t lane) { return k * 32 + lane; });
    CHECK(valueOf("spaces/local_array", kThreads * 16, "local_store_sectors") == moved);
    CHECK(valueOf("spaces/local_array", kThreads * 16, "local_load_sectors") == moved);

    // 64 sums live under a cap of 32 registers: at least half of them is written and read once.
    double spilled = 0;
    for (std::size_t warp = 0; warp < kThreads / 32; ++warp)
        for (std::size_t sum = 32; sum < 64; ++sum)
            spilled += sectors(4, [&](std::size_t lane) { return sum * 32 + lane; });
    CHECK(valueOf("spaces/local_spill", kThreads, "local_store_sectors") == spilled);
    CHECK(valueOf("spaces/local_spill", kThreads, "local_load_sectors") == spilled);
}
