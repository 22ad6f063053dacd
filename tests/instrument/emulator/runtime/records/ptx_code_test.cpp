// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/ptx_code.h"

#include "analysis/session/kernel_code.h"
#include "instrument/emulator/runtime/records/line_counts.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

using namespace dormer;
using tests::EmulatedKernel;

namespace {

// Line 1 is .version, which EmulatedKernel::module adds.
const std::string kModule = EmulatedKernel::module(R"(.file 1 "src/app.cu"
.file 2 "src/load.cuh"
// a comment before
.func (.param .b32 out) twice(.param .b32 in)
{
	.reg .b32 %r<3>;
	.loc 2 7 3
	ld.param.u32 %r1, [in];
	shl.b32 %r2, %r1, 1;
	st.param.b32 [out], %r2;
	ret;
}
.visible .entry other() { ret; }
	// begins behind this
	.visible .entry first(
		.param .u64 to
	)
	.maxntid 64, 1, 1
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;

	.loc 1 20 5
	ld.param.u64 %rd1, [to];
	mov.u32 %r1, %tid.x;
	{ .param .b32 a; st.param.b32 [a], %r1;
	.param .b32 b; call (b), twice, (a); ld.param.b32 %r2, [b]; }
$L__BB0_1:
	.loc 1 22 9
	st.global.u32 [%rd1], %r2;
	ret;
}
)");

} // namespace

TEST_CASE("A kernel's PTX is kept as written, with what it calls, without directives about places") {
    EmulatedKernel run(kModule);
    const session::KernelCode code = emulator::runtime::ptxCode(run.kernel("first"));
    CHECK(code.language == session::CodeLanguage::Ptx);
    const std::vector<session::CodeLine>& lines = code.lines;
    struct Row {
        std::uint64_t pc;
        std::string_view text, file;
        std::uint32_t line;
    };
    const Row kRows[] = {
        {7, ".func (.param .b32 out) twice(.param .b32 in)", "", 0},
        {8, "{", "", 0},
        {9, ".reg .b32 %r<3>;", "", 0},
        {11, "ld.param.u32 %r1, [in];", "src/load.cuh", 7},
        {12, "shl.b32 %r2, %r1, 1;", "src/load.cuh", 7},
        {13, "st.param.b32 [out], %r2;", "src/load.cuh", 7},
        {14, "ret;", "src/load.cuh", 7},
        {15, "}", "", 0},
        {18, ".visible .entry first(", "", 0},
        {19, ".param .u64 to", "", 0},
        {20, ")", "", 0},
        {21, ".maxntid 64, 1, 1", "", 0},
        {22, "{", "", 0},
        {23, ".reg .b32 %r<4>;", "", 0},
        {24, ".reg .b64 %rd<3>;", "", 0},
        {27, "ld.param.u64 %rd1, [to];", "src/app.cu", 20},
        {28, "mov.u32 %r1, %tid.x;", "src/app.cu", 20},
        {29, "{ .param .b32 a; st.param.b32 [a], %r1;", "src/app.cu", 20},
        {30, ".param .b32 b; call (b), twice, (a); ld.param.b32 %r2, [b]; }", "src/app.cu", 20},
        {31, "$L__BB0_1:", "", 0},
        {33, "st.global.u32 [%rd1], %r2;", "src/app.cu", 22},
        {34, "ret;", "src/app.cu", 22},
        {35, "}", "", 0},
    };
    REQUIRE(lines.size() == std::size(kRows));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        INFO(i << ": " << lines[i].text);
        CHECK(lines[i].pc == kRows[i].pc);
        CHECK(lines[i].text == kRows[i].text);
        CHECK(fileOf(code, lines[i]) == kRows[i].file);
        CHECK(lines[i].line == kRows[i].line);
    }
}

TEST_CASE("Every counted instruction stands in the kernel's code") {
    EmulatedKernel run(kModule);
    const auto outcome = run.launch("first", {1, 1, 1}, {32, 1, 1}, run.allocate<std::uint32_t>(1));
    REQUIRE(outcome.has_value());
    const emulator::program::Kernel& kernel = run.kernel("first");
    const auto counted = emulator::runtime::lineCounts(*outcome, kernel.source());
    REQUIRE(counted.size() == 1);
    const session::KernelCode code = emulator::runtime::ptxCode(kernel);
    const std::vector<session::CodeLine>& lines = code.lines;
    const auto at = std::ranges::find(lines, counted[0].pc, &session::CodeLine::pc);
    REQUIRE(at != lines.end());
    CHECK(at->text.starts_with(counted[0].instruction));
    CHECK((fileOf(code, *at) == counted[0].file && at->line == counted[0].line));
}

TEST_CASE("A kernel of any length is cut") {
    std::string body = ".visible .entry long()\n{\n.reg .b32 %r<2>;\n";
    for (int i = 0; i < 60'000; ++i)
        body += "mov.b32 %r1, 1;\n";
    EmulatedKernel run(EmulatedKernel::module(body + "ret;\n}\n"));
    CHECK(emulator::runtime::ptxCode(run.kernel("long")).lines.size() == 50'000);
}
