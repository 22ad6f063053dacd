// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

TEST_CASE("text that ends anywhere is an error or a module") {
    const std::string whole = moduleText(R"(
.global .align 4 .u32 g[2] = {1, 0x2};
.func (.param .b32 r) f (.param .b32 a) { ret; }
.entry k(.param .u64 a)
.maxntid 4
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.loc 1 2 3, function_name $L__info, inlined_at 1 2 4
	@!%p1 add.s32 %r1|%p1, %r2, (1+2)*3;
	ts: .branchtargets L;
	call (a), f, (a); // no such thing, but it parses
L:	st.shared::cta.v2.b32 [g+4], {%r1, _};
}
.section .debug_str { $L__info: .b8 65, 0 }
)");
    REQUIRE(parseModule(whole));
    std::size_t refused = 0;
    for (std::size_t length = 0; length < whole.size(); ++length)
        refused += !parseModule(std::string_view(whole).substr(0, length)).has_value();
    // Only an end between two things of module scope leaves a module.
    CHECK(refused > whole.size() - 100);
    CHECK(refused < whole.size());
}

TEST_CASE("broken text is refused with a line") {
    CHECK(refusal("\n/* never closed") == "PTX line 5: a comment is not closed");
    CHECK(refusal(".file 1 \"never closed\n").find("a string is not closed") != std::string::npos);
    CHECK(refusal(std::string("\0", 1)).find("0x00") != std::string::npos);
    CHECK(refusal("\xFF").find("0xFF") != std::string::npos);
    CHECK(refusal("{").find("'{' where a directive should come") != std::string::npos);
    CHECK(refusal(".").find("the text ends") != std::string::npos);
    CHECK(refusal(".section .debug_info {").find("is not closed") != std::string::npos);
    CHECK(refusal(".version 9").find("a version like 9.0") != std::string::npos);
    // Names are cut in messages.
    CHECK(refusal("." + std::string(100'000, 'x')).size() < 300);
    CHECK(refusal(".entry k() { bra " + std::string(100'000, 'x') + "; }").size() < 300);
}
