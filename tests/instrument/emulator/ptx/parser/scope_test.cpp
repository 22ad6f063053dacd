// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

#include <set>

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

TEST_CASE("registers are declared singly and in ranges") {
    const Function f = parsedBody(".reg .pred p, q; .reg .b64 %SP, %rd<3>;");
    REQUIRE(f.registers.size() == 6);
    CHECK(f.registers[1].name == "q");
    CHECK(f.registers[1].type == Type::Pred);
    CHECK(f.registers[2].name == "%SP");
    CHECK(f.registers[5].name == "%rd2");
    CHECK(f.registers[5].type == Type::B64);
}

// Inline assembly opens a scope of its own, and the same text comes twice where a function is inlined twice.
TEST_CASE("inner registers hide outer ones, and only inside") {
    const Function f = parsedBody(R"(
.reg .b32 %r<4>;
.reg .b32 t;
mov.b32 t, 1;
{ .reg .b64 t; .reg .pred %r1; mov.b64 t, 2; setp.eq.s32 %r1, %r2, 1; { .reg .f32 %r<2>; mov.f32 %r1, %r0; } @%r1 mov.b64 t, 3; }
{ .reg .b16 t; mov.b16 t, 4; }
mov.b32 t, %r1;
)");
    const auto typeOf = [&](std::size_t instruction, std::size_t operand) {
        return f.registers.at(f.body.at(instruction).operands.at(operand).reg).type;
    };
    CHECK(typeOf(0, 0) == Type::B32);
    CHECK(typeOf(1, 0) == Type::B64);
    CHECK(typeOf(2, 0) == Type::Pred);
    CHECK(typeOf(2, 1) == Type::B32);
    CHECK(typeOf(3, 0) == Type::F32);
    CHECK(f.registers.at(f.body.at(4).guard).type == Type::Pred);
    CHECK(typeOf(5, 0) == Type::B16);
    CHECK(typeOf(6, 0) == Type::B32);
    CHECK(typeOf(6, 1) == Type::B32);
}

TEST_CASE("labels belong to their scope and get names of their own") {
    const Function f = parsedBody(R"(
.reg .pred p;
bra DONE;
{ @p bra L1; L1: bra L1; bra DONE; }
{ @p bra L1; { bra L1; } L1: }
DONE: ret;
)");
    REQUIRE(f.labels.size() == 3);
    CHECK(f.labels[0] == std::pair(std::string("L1"), 2U));
    CHECK(f.labels[1] == std::pair(std::string("L1#2"), 6U));
    CHECK(f.labels[2] == std::pair(std::string("DONE"), 6U));
    const auto target = [&](std::size_t i) { return f.body.at(i).operands.at(0).name; };
    CHECK(target(0) == "DONE");
    CHECK(target(1) == "L1");
    CHECK(target(2) == "L1");
    CHECK(target(3) == "DONE");
    CHECK(target(4) == "L1#2");
    CHECK(target(5) == "L1#2");
}

TEST_CASE("indirect branches name lists of labels") {
    const Function f = parsedBody(R"(
.reg .b32 %r<2>;
brx.idx %r1, ts;
{ ts: .branchtargets A, B; brx.idx.uni %r1, ts; A: }
ts: .branchtargets A, B;
A: B: ret;
)");
    REQUIRE(f.targetLists.size() == 2);
    CHECK(f.targetLists[0].first == "ts");
    CHECK(f.targetLists[0].second == std::vector<std::string>{"A", "B"});
    CHECK(f.targetLists[1].first == "ts#2");
    CHECK(f.targetLists[1].second == std::vector<std::string>{"A#2", "B"});
    CHECK(f.body.at(0).operands.at(1).name == "ts#2");
    CHECK(f.body.at(1).operands.at(1).name == "ts");
}

TEST_CASE("local names never pass for those of the module") {
    const Module m = parsed(R"(
.global .u32 x;
.entry k(.param .u32 a)
{
	.reg .b32 %r<2>;
	ld.global.u32 %r1, [x];
	{ .shared .u32 x; ld.shared.u32 %r1, [x]; }
	ld.param.u32 %r1, [a];
}
.global .u32 a;
)");
    const Function& k = m.functions.at(0);
    CHECK(k.body.at(0).operands.at(1).name == "x");
    CHECK(k.body.at(1).operands.at(1).name == "x#2");
    CHECK(k.variables.at(0).name == "x#2");
    CHECK(k.parameters.at(0).name == "a#2");
    CHECK(k.body.at(2).operands.at(1).name == "a#2");
}

TEST_CASE("scopes are checked") {
    const auto bodyRefusal = [](const std::string& body) { return refusal(".entry k() {" + body + "}"); };
    CHECK(bodyRefusal(".reg .b32 a; .reg .b64 a;").find("'a' is declared twice") != std::string::npos);
    CHECK(bodyRefusal(".reg .b32 %r<4>; .reg .b64 %r<5>;").find("declared twice") != std::string::npos);
    CHECK(bodyRefusal("L: L: ret;").find("'L' is declared twice") != std::string::npos);
    CHECK(bodyRefusal("{ L: } bra L;").find("'L' is not declared") != std::string::npos);
    CHECK(bodyRefusal("{ .reg .b32 a; } mov.b32 a, 1;") == "PTX line 4: 'a' is not declared");
    CHECK(bodyRefusal("t: .branchtargets nowhere;").find("'nowhere' is not declared") != std::string::npos);
    CHECK(bodyRefusal("t: .branchtargets t;").find("'t' is not a label") != std::string::npos);
    CHECK(bodyRefusal(std::string(1000, '{') + std::string(1000, '}')).find("nested too deeply") !=
          std::string::npos);
    CHECK(bodyRefusal(".reg .b32 %r<2000000000>;").find("too many registers") != std::string::npos);
    CHECK(bodyRefusal(".reg .v2 .b32 v;").find("vector registers") != std::string::npos);
}
