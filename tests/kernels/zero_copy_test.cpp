// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const kernels::Family& zeroCopy() {
    for (const kernels::Family& family : kernels::families())
        if (family.name == "zero_copy") return family;
    throw std::logic_error("zero_copy is not registered");
}

} // namespace

TEST_CASE("zero_copy: three kinds of memory at each size, from 1K to 16M elements") {
    std::set<std::string> wanted;
    for (const char* memory : {"device/", "mapped/", "host_pointer/"})
        for (const char* point : {"1K", "16K", "256K", "1M", "4M", "16M"})
            wanted.insert(memory + std::string(point));
    std::set<std::string> found;
    for (const std::string& variant : variantsOf("zero_copy"))
        CHECK(found.insert(variant).second);
    CHECK(found == wanted);
}

TEST_CASE("zero_copy: points of a sweep have sizes of their own, on a GPU and on the emulator") {
    std::set<std::size_t> gpu;
    std::set<std::size_t> emulator;
    for (const kernels::Group& group : zeroCopy().groups) {
        CHECK(gpu.insert(group.defaultSize.gpu).second);
        CHECK(emulator.insert(group.defaultSize.emulator).second);
    }
    CHECK((*gpu.begin() == 1024 && *gpu.rbegin() == std::size_t{1} << 24));
}

TEST_CASE("zero_copy: the kernel does the same wherever its arrays are") {
    constexpr std::size_t kSize = std::size_t{1} << 20;
    const auto neighbours = [](std::size_t lane) { return 256 + lane; };
    for (const char* memory : {"device", "mapped", "host_pointer"}) {
        const std::string path = std::string("zero_copy/") + memory + "/1M";
        CHECK(valueOf(path, kSize, "global_load_sectors_per_request") == sectors(4, neighbours));
        CHECK(valueOf(path, kSize, "global_store_sectors_per_request") == sectors(4, neighbours));
        CHECK(valueOf(path, kSize, "flops_fp32") == kSize);
    }
}

TEST_CASE("zero_copy: host memory is compared with the device's at the same point") {
    for (const std::string& variant : variantsOf("zero_copy")) {
        if (variant.starts_with("device/")) continue;
        const std::string point = variant.substr(variant.find('/') + 1);
        bool compared = false;
        for (const kernels::Expectation& answer : answersOf("zero_copy/" + variant, std::size_t{1} << 20))
            compared =
                compared || (answer.reference == "zero_copy/device/" + point &&
                             answer.metric == "duration_ns" && answer.relation == ">=" && answer.gpuOnly);
        CHECK(compared);
    }
}
