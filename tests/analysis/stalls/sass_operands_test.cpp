// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/sass_operands.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::stalls;

namespace {

constexpr Register kP = 256, kUR = 512;

void expect(std::string_view text, std::vector<Register> writes, std::vector<Register> reads) {
    CAPTURE(text);
    SassOperands operands = sassOperands(text);
    for (auto* list : {&operands.reads, &operands.writes, &reads, &writes})
        std::ranges::sort(*list);
    CHECK(operands.writes == writes);
    CHECK(operands.reads == reads);
}

} // namespace

TEST_CASE("Operands of machine code are read and written as the instruction set says") {
    expect("LDG.E R2, [R4.64] ;", {2}, {4, 5});
    expect("@!P0 LDG.E.128.CONSTANT R8, desc[UR4][R2.64+0x10] ;", {8, 9, 10, 11},
           {kP, kUR + 4, kUR + 5, 2, 3}); // a descriptor is a pair
    expect("STG.E.64 desc[UR4][R6.64], R2", {}, {kUR + 4, kUR + 5, 6, 7, 2, 3});
    expect("FFMA R5, R2.reuse, -R3, R5", {5}, {2, 3, 5});
    expect("DFMA R4, R6, R8, R4", {4, 5}, {6, 7, 8, 9, 4, 5});
    expect("IMAD.WIDE R2, R3, R4, c[0x0][0x160]", {2, 3}, {3, 4});
    expect("ISETP.GE.AND P0, PT, R0, c[0x0][0x178], PT", {kP}, {0});
    expect("LDS R3, [R7+0x80]", {3}, {7});
    expect("SHFL.BFLY PT, R5, R4, 0x10, 0x1f", {5}, {4});
    expect("@P1 BRA `(.L_x_3)", {}, {kP + 1});
    expect("BAR.SYNC.DEFER_BLOCKING 0x0", {}, {});
    expect(".L_x_1:", {}, {});
    CHECK(sassOperands(".L_x_1:").opcode.empty());
    CHECK(sassOperands("").opcode.empty());
}

TEST_CASE("Results of memory take long, of the units behind its queue short") {
    CHECK(latencyOf("LDG.E.128") == Latency::Long);
    CHECK(latencyOf("LDL") == Latency::Long);
    CHECK(latencyOf("LDS.64") == Latency::Short);
    CHECK(latencyOf("MUFU.RCP") == Latency::Short);
    CHECK(latencyOf("FFMA") == Latency::Fixed);
    CHECK(latencyOf("LDGDEPBAR") == Latency::Fixed);
}
