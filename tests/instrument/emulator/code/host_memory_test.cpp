// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

using namespace dormer;
using tests::EmulatedKernel;

TEST_CASE("The host's memory is read and written over the bus, not from DRAM") {
    constexpr std::size_t kElements = 1 << 16;
    EmulatedKernel run(EmulatedKernel::module(R"(
.visible .entry scale(.param .u64 from, .param .u64 to) {
    .reg .b32 %r<6>; .reg .b64 %a<5>; .reg .f32 %f<3>;
    ld.param.u64 %a1, [from];
    ld.param.u64 %a2, [to];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %a3, %r4, 4;
    add.s64 %a1, %a1, %a3;
    add.s64 %a2, %a2, %a3;
    ld.global.f32 %f1, [%a1];
    add.f32 %f2, %f1, %f1;
    st.global.f32 [%a2], %f2;
    ret;
})"));
    using Kind = emulator::memory::Allocation::Kind;
    const auto traffic = [&](Kind from, Kind to) {
        const auto source = run.memory().allocate(4 * kElements, from),
                   target = run.memory().allocate(4 * kElements, to);
        const auto outcome =
            run.launch("scale", {kElements / 256, 1, 1}, {256, 1, 1}, source.value(), target.value());
        REQUIRE(outcome.has_value());
        return outcome->traffic;
    };
    const std::uint64_t sectors = kElements * 4 / 32;
    const auto device = traffic(Kind::Device, Kind::Device);
    CHECK(device.hostReadSectors == 0);
    CHECK(device.hostWriteSectors == 0);
    const std::uint64_t code = device.dramReadSectors - sectors; // and the launch's own
    const auto zeroCopy = traffic(Kind::PinnedHost, Kind::PinnedHost);
    CHECK(zeroCopy.hostReadSectors == sectors);
    CHECK(zeroCopy.hostWriteSectors == sectors);
    CHECK(zeroCopy.dramReadSectors == code);
    CHECK(zeroCopy.dramWriteSectors + zeroCopy.dirtySectorsLeft == 0);
    const auto upload = traffic(Kind::PinnedHost, Kind::Device);
    CHECK(upload.hostReadSectors == sectors);
    CHECK(upload.hostWriteSectors == 0);
    CHECK(upload.dramReadSectors == code);
    CHECK(upload.dramWriteSectors + upload.dirtySectorsLeft == sectors);
}
