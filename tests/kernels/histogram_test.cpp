// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include <array>
#include <random>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kPerBlock = kBlock * 64;

/// Warps with a lane that merges a bin, over all blocks.
double merges(std::size_t size, std::size_t bins) {
    std::size_t warps = 0;
    for (std::size_t begin = 0; begin < size; begin += kPerBlock)
        for (std::size_t warp = 0; warp < kBlock / 32; ++warp)
            if (warp * 32 < bins) ++warps;
    return static_cast<double>(warps);
}

const kernels::Selected& placeOf(std::string_view path) {
    static const std::vector<kernels::Selected> all = kernels::everything();
    const auto found = std::ranges::find_if(
        all, [&](const kernels::Selected& place) { return kernels::pathOf(place) == path; });
    REQUIRE(found != all.end());
    return *found;
}

const kernels::Group& groupOf(const kernels::Selected& place) {
    return kernels::families()[place.family].groups[place.group];
}

/// "10 uniform": what of a histogram's parameters must not differ between variants that are compared.
std::string workOf(std::string_view path) {
    const kernels::Selected& place = placeOf(path);
    std::string work;
    std::vector<std::string> parameters = groupOf(place).parameters(kPerBlock);
    std::ranges::copy(kernels::variantOf(place).parameters, std::back_inserter(parameters));
    std::ranges::sort(parameters);
    for (const std::string& parameter : parameters)
        if (!parameter.starts_with("block=")) work += parameter + " ";
    return work;
}

} // namespace

TEST_CASE("histogram: every method, with 10 and 256 bins and with all elements in one of them") {
    const std::vector<std::string> found = variantsOf("histogram");
    for (const char* name : {"racy",
                             "global_atomics",
                             "global_atomics_256",
                             "global_atomics_one_bin",
                             "system_scope",
                             "block_private_global",
                             "block_private_global_256",
                             "shared",
                             "shared_256",
                             "shared_one_bin",
                             "shared_replicated",
                             "shared_replicated_256",
                             "shared_replicated_one_bin",
                             "run_length",
                             "run_length_one_bin",
                             "cub_block_sort",
                             "cub_block_sort_one_bin",
                             "cub_block_atomic",
                             "cub_block_atomic_256",
                             "cub_block_atomic_one_bin",
                             "cub_device",
                             "cub_device_256",
                             "cub_device_one_bin"}) {
        INFO(name);
        CHECK(std::ranges::count(found, name) == 1);
    }
    CHECK(found.size() == 23);
}

TEST_CASE("histogram: only racy is wrong, and says so") {
    for (const std::string& name : variantsOf("histogram")) {
        INFO(name);
        const kernels::Variant& variant = kernels::variantOf(placeOf("histogram/" + name));
        CHECK(variant.wrongByDesign == (name == "racy"));
        CHECK(variant.shows.starts_with("wrong on purpose:") == (name == "racy"));
    }
}

TEST_CASE("histogram: atomics in global memory counted block by block and warp by warp") {
    for (const std::size_t size : {kBlock, kPerBlock + kBlock, std::size_t{1} << 24}) {
        const auto all = static_cast<double>(size / 32);
        CHECK(valueOf("histogram/racy", size, "atomic_instructions") == 0);
        for (const char* path : {"histogram/global_atomics", "histogram/global_atomics_256",
                                 "histogram/global_atomics_one_bin", "histogram/system_scope"})
            CHECK(valueOf(path, size, "atomic_instructions") == all);
        CHECK(valueOf("histogram/block_private_global", size, "atomic_instructions") ==
              all + merges(size, 10));
        CHECK(valueOf("histogram/block_private_global_256", size, "atomic_instructions") ==
              all + merges(size, 256));
        for (const char* path : {"histogram/shared", "histogram/shared_replicated", "histogram/run_length",
                                 "histogram/cub_block_sort", "histogram/cub_block_atomic"})
            CHECK(valueOf(path, size, "atomic_instructions") == merges(size, 10));
        for (const char* path :
             {"histogram/shared_256", "histogram/shared_replicated_256", "histogram/cub_block_atomic_256"})
            CHECK(valueOf(path, size, "atomic_instructions") == merges(size, 256));
    }
}

TEST_CASE("histogram: a thread that meets one bin only issues one atomic, however long its run") {
    for (const std::size_t size : {kBlock, kPerBlock + kBlock, 4 * kPerBlock}) {
        std::size_t warps = 0;
        for (std::size_t begin = 0; begin < size; begin += kPerBlock)
            for (std::size_t thread = 0; thread < kBlock; thread += 32)
                if (begin + thread < size) ++warps;
        CHECK(valueOf("histogram/run_length_one_bin", size, "shared_atomic_instructions") ==
              static_cast<double>(warps));
    }
}

TEST_CASE("histogram: each temperature crosses once") {
    constexpr std::size_t kSize = std::size_t{1} << 20;
    const double expected = kSize / 32 * sectors(4, [](std::size_t lane) { return 4096 + lane; });
    for (const char* path : {"histogram/global_atomics", "histogram/shared", "histogram/cub_block_sort",
                             "histogram/run_length", "histogram/cub_device"})
        CHECK(valueOf(path, kSize, "global_load_sectors") == expected);
}

TEST_CASE("histogram: one bin costs L2 at least twice the passes of ten") {
    // A pass serves every word of a sector once: a sector takes as many as its fullest bin has lanes.
    std::mt19937 random(7);
    double passes = 0;
    constexpr int kRequests = 10000;
    for (int request = 0; request < kRequests; ++request) {
        std::array<int, 10> lanes{};
        for (int lane = 0; lane < 32; ++lane)
            ++lanes[random() % 10];
        passes += *std::max_element(lanes.begin(), lanes.begin() + 8);
        passes += *std::max_element(lanes.begin() + 8, lanes.end());
    }
    const double factor = valueOf("histogram/global_atomics_one_bin", kPerBlock, "duration_ns");
    CHECK(factor == 2);
    CHECK(32 / (passes / kRequests) > factor);
}

TEST_CASE("histogram: what is compared does the same work, but for what the comparison is about") {
    for (const std::string& name : variantsOf("histogram")) {
        INFO(name);
        const std::string path = "histogram/" + name;
        const kernels::Selected& place = placeOf(path);
        const std::string better = kernels::variantOf(place).better;
        if (!better.empty()) {
            CHECK(workOf(better) == workOf(path));
            CHECK(groupOf(placeOf(better)).defaultSize.gpu == groupOf(place).defaultSize.gpu);
        }
        for (const kernels::Expectation& answer : answersOf(path, kPerBlock))
            if (!answer.reference.empty())
                CHECK(groupOf(placeOf(answer.reference)).defaultSize.gpu == groupOf(place).defaultSize.gpu);
    }
    for (const auto& [path, reference] : {std::pair{"histogram/run_length", "histogram/run_length_one_bin"},
                                          {"histogram/run_length_one_bin", "histogram/run_length"}}) {
        const std::vector<kernels::Expectation> answers = answersOf(path, kPerBlock);
        CHECK(std::ranges::any_of(answers, [&](const kernels::Expectation& answer) {
            return answer.reference == reference && answer.relation == "<=" && answer.value == 2;
        }));
    }
}
