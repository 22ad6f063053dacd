// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <algorithm>

using namespace dormer;
using tests::EmulatedKernel;

namespace {

// The results' registers are free to lie where the operands were, which are dead afterwards.
const std::string kAtomics = EmulatedKernel::module(R"(
.visible .entry add4(.param .u64 to, .param .u64 old)
{
    .reg .f32 %f<9>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [old];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 16;
    add.s64 %rd4, %rd2, %rd3;
    mov.f32 %f1, 0f3F800000;
    mov.f32 %f2, 0f40000000;
    mov.f32 %f3, 0f40400000;
    mov.f32 %f4, 0f40800000;
    atom.global.add.v4.f32 {%f5, %f6, %f7, %f8}, [%rd1+16], {%f1, %f2, %f3, %f4};
    st.global.v4.f32 [%rd4], {%f5, %f6, %f7, %f8};
    ret;
}
.visible .entry reduce2(.param .u64 to)
{
    .reg .f32 %f<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [to];
    mov.f32 %f1, 0f3F800000;
    mov.f32 %f2, 0fC0000000;
    red.global.add.v2.f32 [%rd1], {%f1, %f2};
    ret;
}
)");

} // namespace

TEST_CASE("A vector atomic adds to each element and returns what was there") {
    EmulatedKernel run(kAtomics);
    float* to = run.upload(std::vector<float>(8, 100.0F));
    float* old = run.allocate<float>(32 * 4);
    REQUIRE(run.launch("add4", {1, 1, 1}, {32, 1, 1}, to, old));
    for (int i = 0; i < 4; ++i) {
        CAPTURE(i);
        const auto by = static_cast<float>(i + 1);
        CHECK(to[i] == 100);
        CHECK(to[4 + i] == 100 + 32 * by);
        // Each lane saw another sum, from the first on.
        std::vector<float> seen;
        for (int lane = 0; lane < 32; ++lane)
            seen.push_back(old[lane * 4 + i]);
        std::ranges::sort(seen);
        for (int lane = 0; lane < 32; ++lane)
            CHECK(seen[static_cast<std::size_t>(lane)] == 100 + static_cast<float>(lane) * by);
    }
}

TEST_CASE("A vector reduction adds to each element") {
    EmulatedKernel run(kAtomics);
    float* to = run.upload(std::vector<float>(3, 0.0F));
    REQUIRE(run.launch("reduce2", {2, 1, 1}, {64, 1, 1}, to));
    CHECK(to[0] == 128);
    CHECK(to[1] == -256);
    CHECK(to[2] == 0);
}
