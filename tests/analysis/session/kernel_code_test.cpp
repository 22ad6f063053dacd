// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/kernel_code.h"

#include "tests/support/catch.h"

using namespace dormer::session;

TEST_CASE("Code lines come back as they were added, files named once") {
    KernelCode code;
    addCodeLine(code, 0, "", 0, "ENTRY:");
    addCodeLine(code, 16, "/src/a b.cu", 12, "LDG.E R2, [R4.64] ;");
    addCodeLine(code, 32, "/src/a b.cu", 13, "two\nlines");
    addCodeLine(code, 48, "/src/h.cuh", 4'294'967'295, "");
    CHECK(code.files == std::vector<std::string>{"/src/a b.cu", "/src/h.cuh"});
    const auto lines = codeLines(code);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].text == "ENTRY:");
    CHECK(lines[0].file.empty());
    CHECK(lines[1].pc == 16);
    CHECK(lines[1].file == "/src/a b.cu");
    CHECK(lines[1].line == 12);
    CHECK(lines[1].text == "LDG.E R2, [R4.64] ;");
    CHECK(lines[2].text == "two lines");
    CHECK(lines[3].file == "/src/h.cuh");
    CHECK(lines[3].line == 4'294'967'295);
    CHECK(lines[3].text.empty());
}

TEST_CASE("Entries of a broken file are left out, or lose the source line that is not there") {
    KernelCode code;
    code.files = {"a.cu"};
    code.lines = {"",
                  "16",
                  "16 0",
                  "16 0 1",
                  "x 0 1 text",
                  "16 -1 1 text",
                  "16 0 -1 no",
                  "16  0 1 two",
                  "16 99 1 NO FILE",
                  "16 0 99999999999 x",
                  "32 0 7 EXIT"};
    const auto lines = codeLines(code);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].text == "NO FILE");
    CHECK(lines[0].file.empty());
    CHECK(lines[0].line == 0);
    CHECK(lines[1].text == "EXIT");
    CHECK(lines[1].line == 7);
}
