// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

TEST_CASE("the head of a module says version, target and files") {
    const Module m = parsed(".file 1 \"/tmp/a b.cu\"\n.file 2 \"b.cuh\", 1700000000, 1234\n");
    CHECK(m.versionMajor == 9);
    CHECK(m.versionMinor == 0);
    CHECK(m.target == "sm_90");
    CHECK(m.targetNumber == 90);
    REQUIRE(m.files.size() == 2);
    CHECK(m.files[0] == std::pair(1U, std::string("/tmp/a b.cu")));
    CHECK(m.files[1] == std::pair(2U, std::string("b.cuh")));
    const auto specific = parseModule(".version 8.7 .target sm_100a, debug .address_size 64");
    REQUIRE(specific);
    CHECK(specific->target == "sm_100a");
    CHECK(specific->targetNumber == 100);
}

TEST_CASE("kernels have parameters and limits") {
    const Module m = parsed(R"(
.visible .entry k1(
	.param .align 8 .b8 k1_param_0[24],
	.param .u64 .ptr .global .align 4 k1_param_1,
	.param .u32 k1_param_2
)
.maxntid 256, 2
.minnctapersm 3
.maxnreg 40
.explicitcluster
.reqnctapercluster 2, 1, 1
{
	ret;
}
.entry k2
.reqntid 32, 4, 2
{ exit; }
)");
    REQUIRE(m.functions.size() == 2);
    const Function& k1 = m.functions[0];
    CHECK(k1.name == "k1");
    CHECK(k1.isEntry);
    REQUIRE(k1.parameters.size() == 3);
    CHECK(k1.parameters[0].bytes == 24);
    CHECK(k1.parameters[0].alignment == 8);
    CHECK(k1.parameters[0].space == Space::Param);
    CHECK(k1.parameters[1].type == Type::U64);
    CHECK(k1.parameters[1].alignment == 8); // of the pointer, not of what it points to
    CHECK(k1.parameters[2].name == "k1_param_2");
    CHECK(k1.maxThreads[0] == 256U);
    CHECK(k1.maxThreads[1] == 2U);
    CHECK(k1.maxThreads[2] == 1U);
    CHECK(k1.minBlocksPerSm == 3U);
    CHECK(k1.maxRegisters == 40U);
    CHECK(k1.explicitCluster);
    CHECK(k1.requiredCluster[0] == 2U);
    CHECK_FALSE(k1.requiredThreads[0].has_value());
    CHECK(m.functions[1].requiredThreads[2] == 2U);
    CHECK(m.functions[1].parameters.empty());
}

TEST_CASE("functions are declared, defined and aliased") {
    const Module m = parsed(R"(
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a) .noreturn;
.func (.param .b32 func_retval0) f (.param .b32 f_param_0);
.func (.param .b32 func_retval0) f (.param .b32 f_param_0)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [f_param_0];
	st.param.b32 [func_retval0+0], %r1;
	ret;
}
.func (.reg .b32 r) g (.reg .b32 a) { add.s32 r, a, 1; ret; }
.func h;
.alias h, f;
)");
    REQUIRE(m.functions.size() == 5);
    CHECK(m.functions[0].isExtern);
    CHECK(m.functions[0].results.at(0).bytes == 4);
    CHECK(m.functions[1].noReturn);
    CHECK_FALSE(m.functions[2].isExtern);
    CHECK(m.functions[2].body.size() == 3);
    CHECK(m.functions[2].body[1].operands[0].name == "func_retval0");
    const Function& g = m.functions[3];
    CHECK(g.parameters.at(0).space == Space::Register);
    CHECK(g.registers.at(g.body[0].operands[1].reg).name == "a");
    CHECK(m.aliases.at(0) == std::pair(std::string("h"), std::string("f")));
}

TEST_CASE("calls keep arguments, results and the signature of pointers") {
    const Module m = parsed(R"(
.func (.param .b32 func_retval0) f (.param .b32 f_param_0);
.entry k()
{
	.reg .b32 %r<10>;
	.reg .b64 %rd<2>;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b32 param0;
	st.param.b32 	[param0+0], %r8;
	.param .b32 retval0;
	call.uni (retval0),
	f,
	(
	param0
	);
	ld.param.b32 	%r9, [retval0+0];
	} // callseq 0
	{ // callseq 1, 0
	.param .b32 param0;
	.param .b32 retval0;
	prototype_1 : .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16], .param .b32 _);
	call (retval0),
	%rd1,
	(
	param0
	)
	, prototype_1;
	}
	call f;
}
)");
    const Function& k = m.functions.at(1);
    const Instruction& direct = k.body.at(1);
    CHECK(direct.opcode == "call");
    CHECK(direct.modifiers == std::vector<std::string>{"uni"});
    REQUIRE(direct.operands.size() == 3);
    CHECK(direct.operands[0].kind == Operand::Kind::List);
    CHECK(direct.operands[0].parts.at(0).name == "retval0");
    CHECK(direct.operands[1].kind == Operand::Kind::Symbol);
    CHECK(direct.operands[1].name == "f");
    CHECK(direct.operands[2].parts.at(0).name == "param0");
    const Instruction& indirect = k.body.at(3);
    CHECK(indirect.operands[0].parts.at(0).name == "retval0#2");
    CHECK(k.registers.at(indirect.operands[1].reg).name == "%rd1");
    CHECK(indirect.operands[2].parts.at(0).name == "param0#2");
    CHECK(indirect.operands[3].name == "prototype_1");
    REQUIRE(k.prototypes.size() == 1);
    CHECK(k.prototypes[0].name == "prototype_1");
    CHECK(k.prototypes[0].results.at(0).bytes == 4);
    CHECK(k.prototypes[0].parameters.at(0).bytes == 16);
    CHECK(k.body.at(4).operands.size() == 1);
    REQUIRE(k.variables.size() == 4);
    CHECK(k.variables[2].name == "param0#2");
    CHECK(k.variables[2].space == Space::Param);
}

TEST_CASE("wrong functions are refused with their line") {
    CHECK(refusal(".entry k() { ret; }\n.entry k() { ret; }") == "PTX line 5: 'k' is declared twice");
    CHECK(refusal(".global .u32 k;\n.entry k() { ret; }") == "PTX line 5: 'k' is declared twice");
    CHECK(refusal(".entry k() { ret;").find("is not closed") != std::string::npos);
    CHECK(refusal(".entry k() ret;").find("'{' or ';'") != std::string::npos);
    CHECK(refusal(".entry k() .maxntid 1,2,3,4 { ret; }").find("three extents") != std::string::npos);
    CHECK(refusal(".entry k() .surprise { ret; }").find("'.surprise' is not known here") !=
          std::string::npos);
    CHECK(refusal(".surprise x;").find("'.surprise' is not known here") != std::string::npos);
    CHECK(refusal(".extern .func f () { ret; }").find("has a body") != std::string::npos);
    CHECK(refusal(".alias a, b;").find("names no functions") != std::string::npos);
    CHECK(refusal(".address_size 32").find("64-bit") != std::string::npos);
    const auto headless = parseModule(".version 9.0");
    REQUIRE_FALSE(headless);
    CHECK(headless.error().message == "PTX line 1: there is no .target");
}
