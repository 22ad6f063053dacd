// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What the emulator can't execute is refused when its kernel is first requested, in one line that names
// instruction and kernel; other kernels of the module run.
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

using namespace dormer;
using tests::EmulatedKernel;

namespace {

/// A kernel `refused` with the instruction, and one that does nothing.
std::string moduleWith(const std::string& instruction) {
    return EmulatedKernel::module(R"(
.visible .entry works() { ret; }
.visible .entry refused(.param .u64 refused_0)
{
    .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .f32 %f<16>; .reg .b64 %rd<8>; .reg .f64 %fd<4>;
    ld.param.u64 %rd1, [refused_0];
    )" + instruction + R"(
    ret;
})");
}

struct Refused {
    const char* name;        ///< as it stands in the message
    const char* instruction; ///< as PTX
};

// PTX ISA 8.7: "Warp Level Matrix Multiply-Accumulate Instructions", "Video instructions", "multimem",
// "Miscellaneous".
constexpr Refused kRefused[] = {
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
     "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
     "{%r5,%r6,%r7,%r8}, {%f1,%f2,%f3,%f4}, %r9, 0x0;"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
     "{%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%f1,%f2,%f3,%f4}, %r9, 0x0;"},
    {"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32",
     "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%r9,%r10}, "
     "{%r1,%r2,%r3,%r4};"},
    {"mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32",
     "mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32 {%r1,%r2}, {%r5}, {%r9}, {%r1,%r2};"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, "
     "{%r9,%r10}, {%r1,%r2,%r3,%r4};"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
     "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, {%r1,%r2}, "
     "{%r3,%r4}, "
     "{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};"},
    {"wmma.mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32",
     "wmma.mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r1,%r2}, {%r5}, {%r9}, {%r1,%r2};"},
    {"multimem.ld_reduce", "multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%rd1];"},
    {"vadd", "vadd.s32.s32.s32 %r1, %r2, %r3;"},
    {"%pm0", "mov.u32 %r1, %pm0;"},
};

} // namespace

TEST_CASE("Matrix products and others that can't be executed are refused by name, in one line") {
    for (const Refused& each : kRefused) {
        CAPTURE(each.name);
        EmulatedKernel run(moduleWith(each.instruction));
        std::string message;
        try {
            (void)run.kernel("refused");
        } catch (const std::runtime_error& error) {
            message = error.what();
        }
        CHECK(message.find(each.name) != std::string::npos);
        CHECK(message.starts_with("kernel refused: "));
        CHECK(message.find('\n') == std::string::npos);
        CHECK(run.launch("works", {1, 1, 1}, {32, 1, 1}).has_value());
    }
}
