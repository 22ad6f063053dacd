// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <fmt/format.h>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

/// Counts of one warp that runs the instructions. %rd1 is an address, and holds its own value in memory.
emulator::counts::LaunchCounts countsOf(const std::string& instructions) {
    EmulatedKernel run(EmulatedKernel::module(fmt::format(R"(
.visible .entry path(.param .u64 data)
{{
    .shared .align 4 .b8 words[64];
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [data];
    mov.f32 %f1, 0f3F800000;
    {}
    ret;
}})",
                                                          instructions)));
    auto* data = run.allocate<std::uint64_t>(64);
    for (unsigned i = 0; i < 64; ++i)
        data[i] = reinterpret_cast<std::uint64_t>(data);
    const auto outcome = run.launch("path", {1, 1, 1}, {32, 1, 1}, data);
    REQUIRE(outcome.has_value());
    return outcome->counts;
}

} // namespace

TEST_CASE("Loads of a path that could overlap are one wait, others one each") {
    const auto waits = [](const std::string& instructions) {
        return countsOf(instructions).chainGlobalLoads;
    };
    CHECK(waits("ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd1+4];") == 1);
    // The second goes ahead of the first one's use.
    CHECK(waits("ld.global.f32 %f2, [%rd1]; add.f32 %f4, %f2, %f1; ld.global.f32 %f3, [%rd1+4];"
                "add.f32 %f5, %f3, %f1;") == 1);
    // An address from memory.
    CHECK(waits("ld.global.u64 %rd2, [%rd1]; ld.global.u64 %rd3, [%rd2]; ld.global.f32 %f2, [%rd3];") == 3);
    // A store might change what is read; one to other memory can't.
    CHECK(waits("ld.global.f32 %f2, [%rd1]; st.global.f32 [%rd1+8], %f2; ld.global.f32 %f3, [%rd1+4];"
                "st.global.f32 [%rd1+8], %f3;") == 2);
    CHECK(waits("ld.global.f32 %f2, [%rd1]; st.shared.f32 [words], %f2; ld.global.f32 %f3, [%rd1+4];"
                "st.shared.f32 [words+4], %f3;") == 1);
}

TEST_CASE("A path's cycles are its dependent arithmetic, or one per instruction") {
    const double empty = countsOf("").chainCycles;
    std::string dependent, independent;
    for (int i = 0; i < 100; ++i) {
        dependent += "add.f32 %f2, %f2, %f1;";
        independent += fmt::format("add.f32 %f{}, %f1, %f1;", 2 + i % 7);
    }
    // An addition's result can be used after 4 cycles (Jia et al. 2018; Luo et al. 2024).
    CHECK(countsOf(dependent).chainCycles - empty == Approx(400).margin(4));
    CHECK(countsOf(independent).chainCycles - empty == Approx(100).margin(4));
}
