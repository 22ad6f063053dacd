// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/ptx_operands.h"

#include "analysis/session/kernel_code.h"
#include "analysis/stalls/producers.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::stalls;
using Names = std::vector<std::string_view>;

namespace {

std::vector<session::CodeLine> listing(std::initializer_list<std::string_view> texts) {
    session::KernelCode code;
    std::uint64_t pc = 10;
    for (const std::string_view text : texts)
        session::addCodeLine(code, pc++, "a.cu", 1, text);
    return code.lines;
}

} // namespace

TEST_CASE("Of PTX the first operand is written, but for stores, branches and their like") {
    const PtxOperands load = ptxOperands("@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd2+8];");
    CHECK(load.opcode == "ld.global.v2.f32");
    CHECK(load.writes == Names{"%f1", "%f2"});
    CHECK(load.reads == Names{"%p1", "%rd2"});
    const PtxOperands store = ptxOperands("st.shared.f32 [%r3], %f1;");
    CHECK(store.writes.empty());
    CHECK(store.reads == Names{"%r3", "%f1"});
    const PtxOperands shuffle = ptxOperands("shfl.sync.down.b32 \t%r7|%p2, %r6, 16, 31, -1;");
    CHECK(shuffle.writes == Names{"%r7", "%p2"});
    CHECK(shuffle.reads == Names{"%r6"});
    CHECK(ptxOperands("mov.u32 %r1, %tid.x;").reads == Names{"%tid"});
    for (const char* none : {"$L__BB0_2:", ".reg .b32 %r<9>;", "{", "}", ""})
        CHECK(ptxOperands(none).opcode.empty());
}

TEST_CASE("How long results of PTX take follows from space and unit") {
    CHECK(ptxLatencyOf("ld.global.nc.f32") == Latency::Long);
    CHECK(ptxLatencyOf("ld.u32") == Latency::Long);
    CHECK(ptxLatencyOf("ld.shared.f32") == Latency::Short);
    CHECK(ptxLatencyOf("atom.shared.add.u32") == Latency::Short);
    CHECK(ptxLatencyOf("rcp.approx.ftz.f32") == Latency::Short);
    CHECK(ptxLatencyOf("cvt.rn.f32.s32") == Latency::Short);
    CHECK(ptxLatencyOf("cvt.u64.u32") == Latency::Fixed);
    CHECK(ptxLatencyOf("fma.rn.f32") == Latency::Fixed);
}

TEST_CASE("A stall in PTX names the load it waits for, through moves and sums of addresses") {
    const auto code = listing({"ld.global.u64 %rd1, [%rd9];", "ld.shared.f32 %f9, [%r1];",
                               "mov.b64 %rd2, %rd1;", "add.s64 %rd3, %rd2, %rd8;",
                               "ld.global.f32 %f1, [%rd3];", "fma.rn.f32 %f2, %f1, %f9, %f2;"});
    CHECK(ptxProducerOf(code, 4, "long_scoreboard") == 0);
    CHECK(ptxProducerOf(code, 5, "long_scoreboard") == 4);
    CHECK(ptxProducerOf(code, 5, "short_scoreboard") == 1);
    CHECK(ptxProducerOf(code, 5, "wait") == 5); // itself, a round before
    CHECK_FALSE(ptxProducerOf(code, 5, "barrier"));
    CHECK_FALSE(ptxProducerOf(code, 0, "long_scoreboard"));
}
