// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/lazy_module.h"
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

TEST_CASE("bodies are parsed when requested, and once") {
    auto lazy = LazyModule::parse(moduleText(R"(
.entry a() { .reg .b32 %r<2>; .loc 1 2 3
 mov.b32 %r1, x; "}" }
.entry b() { .pragma "} \" }"; .reg .b32 %r<3>; .loc 1 5 6
 mov.b32 %r1, x; /* } */ ret; // }
 }
.global .u32 x;
)"));
    REQUIRE(lazy);
    REQUIRE(lazy->module().functions.size() == 2);
    CHECK(lazy->module().variables.size() == 1);
    const Function& b = lazy->module().functions[1];
    CHECK_FALSE(b.isExtern);
    CHECK(b.body.empty());
    REQUIRE(lazy->parseBody(1));
    CHECK(b.body.size() == 2);
    CHECK(b.registers.size() == 3);
    CHECK(lazy->module().positions.at(b.position).line == 5);
    REQUIRE(lazy->parseBody(1));
    CHECK(b.body.size() == 2);

    // As it was written, parsed or not, whatever stands before it.
    CHECK(lazy->text(0).text.starts_with(".entry a() { .reg"));
    CHECK(lazy->text(0).text.ends_with("\"}\" }"));
    CHECK(lazy->text(1).text.starts_with(".entry b() { .pragma"));
    CHECK(lazy->text(1).text.ends_with("// }\n }"));
    CHECK(lazy->text(1).line == lazy->text(0).line + 2);
    CHECK(lazy->text(1).function == 1);

    // A body that is wrong says so each time and leaves the function as it was.
    for (int i = 0; i < 2; ++i) {
        const auto wrong = lazy->parseBody(0);
        REQUIRE_FALSE(wrong);
        CHECK(wrong.error().message.starts_with("PTX line 6: "));
        CHECK(lazy->module().functions[0].body.empty());
        CHECK(lazy->module().functions[0].registers.empty());
    }
    CHECK(b.body.size() == 2);
    const Module taken = lazy->take();
    CHECK(taken.functions[1].body.size() == 2);
}
