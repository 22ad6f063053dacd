// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

using namespace dormer::emulator::ptx;
using namespace dormer::tests;

namespace {

// The order and form in which nvcc 13.0 -lineinfo writes them, function names as bytes behind the code.
constexpr const char* kInlined = R"(
.entry k()
{
	.reg .b32 %r<2>;
	.loc	1 5 0
	mov.u32 %r1, 1;
	.loc	1 6 3
	mov.u32 %r1, 2;
	.loc	2 75 9, function_name $L__info_string0, inlined_at 1 6 3
	mov.u32 %r1, 3;
	.loc	3 72 5, function_name $L__info_string1, inlined_at 2 75 9
	mov.u32 %r1, 4;
	mov.u32 %r1, 5;
	.loc	3 72 5, function_name $L__info_string1, inlined_at 2 75 9
	mov.u32 %r1, 6;
	.loc	2 75 9, function_name $L__info_string0, inlined_at 1 7 3
	mov.u32 %r1, 7;
	.loc	3 72 5, function_name $L__info_string1+1, inlined_at 2 75 9
	mov.u32 %r1, 8;
	.loc	1 6 3
	mov.u32 %r1, 9;
}
.file 1 "a.cu"
.section	.debug_str
{
$L__info_string0:
.b8 102,111,111,0
$L__info_string1:
.b8 95
.b8 98,97,114,0

}
)";

} // namespace

TEST_CASE("instructions know their line, and the calls they were inlined at") {
    const Module m = parsed(kInlined);
    const Function& k = m.functions.at(0);
    REQUIRE(k.body.size() == 9);
    const auto at = [&](std::size_t i) { return m.positions.at(k.body.at(i).position); };
    const auto inlinedAt = [&](const SourcePosition& p) { return m.positions.at(p.inlinedAt); };

    CHECK(at(0).line == 5);
    CHECK(at(0).file == 1);
    CHECK(k.position == k.body[0].position);
    CHECK(at(1).column == 3);
    CHECK(at(1).inlinedAt == kNone);
    CHECK(at(1).function.empty());

    CHECK(at(2).function == "foo");
    CHECK(at(2).inlinedAt == k.body[1].position);

    // Two calls deep: bar in foo in the kernel.
    CHECK(at(3).function == "_bar");
    CHECK(at(3).inlinedAt == k.body[2].position);
    CHECK(inlinedAt(inlinedAt(at(3))).line == 6);
    CHECK(k.body[4].position == k.body[3].position);
    CHECK(k.body[5].position == k.body[3].position);

    // The same place, inlined at another call that has no .loc of its own.
    CHECK(k.body[6].position != k.body[2].position);
    CHECK(inlinedAt(at(6)).line == 7);
    CHECK(inlinedAt(at(6)).inlinedAt == kNone);
    CHECK(at(7).inlinedAt == k.body[6].position);
    CHECK(at(7).function == "bar");
    CHECK(k.body[8].position == k.body[1].position);
}

TEST_CASE("chains never leave their function, and code without .loc has no position") {
    const Module m = parsed(R"(
.entry a() { .loc 1 2 3
 ret; .loc 2 9 9, function_name X, inlined_at 1 2 3
 ret; }
.entry b() { ret; .loc 3 4 5, function_name X, inlined_at 2 9 9
 ret; }
)");
    const Function& b = m.functions.at(1);
    CHECK(b.body.at(0).position == kNone);
    const SourcePosition& inner = m.positions.at(b.body.at(1).position);
    CHECK(m.positions.at(inner.inlinedAt).line == 9);
    CHECK(m.positions.at(inner.inlinedAt).inlinedAt == kNone);
    CHECK(inner.function.empty());
}

TEST_CASE("instructions know their line in the text") {
    const Module m = parsed(R"(// line 4
/* 5
6 */
.entry k() // 7
{
	ret; /* 9
 10 */ exit;
	.pragma "nounroll"; bra
 L; // 12
L:
}
.entry l() { // 15
 ret; }
)");
    CHECK(m.functions.at(0).body.at(0).textLine == 9);
    CHECK(m.functions.at(0).body.at(1).textLine == 10);
    CHECK(m.functions.at(0).body.at(2).textLine == 11);
    CHECK(m.functions.at(1).body.at(0).textLine == 16);
}

TEST_CASE("wrong positions are refused") {
    CHECK(refusal(".entry k() { .loc 1 2\n }").find("the text ends where a number should come") !=
          std::string::npos);
    CHECK(refusal(".entry k() { .loc 1 -2 3\n }").find("the line of a position is out of range") !=
          std::string::npos);
    CHECK(refusal(".entry k() { .loc 1 2 3, surprise\n }").find("no attribute of .loc") != std::string::npos);
    CHECK(refusal(".section .debug_str { .b64 1 }").find(".b8") != std::string::npos);
}
