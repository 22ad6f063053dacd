// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/kernel_code.h"

#include "analysis/session/record_fields.h"
#include "analysis/session/session.h"
#include "tests/support/catch.h"
#include "tests/support/parsed.h"

using namespace dormer::session;
using dormer::tests::parsed;

TEST_CASE("Code lines come back as they were added, files named once") {
    KernelCode code;
    addCodeLine(code, 0, "", 0, "ENTRY:");
    addCodeLine(code, 16, "/src/a b.cu", 12, "LDG.E R2, [R4.64] ;");
    addCodeLine(code, 32, "/src/a b.cu", 13, "two\nlines");
    addCodeLine(code, 48, "/src/h.cuh", 4'294'967'295, "");
    CHECK(code.files == std::vector<std::string>{"/src/a b.cu", "/src/h.cuh"});
    const std::vector<CodeLine>& lines = code.lines;
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].text == "ENTRY:");
    CHECK(fileOf(code, lines[0]).empty());
    CHECK(lines[1].pc == 16);
    CHECK(fileOf(code, lines[1]) == "/src/a b.cu");
    CHECK(lines[1].line == 12);
    CHECK(lines[1].text == "LDG.E R2, [R4.64] ;");
    CHECK(lines[2].text == "two lines");
    CHECK(fileOf(code, lines[3]) == "/src/h.cuh");
    CHECK(lines[3].line == 4'294'967'295);
    CHECK(lines[3].text.empty());
}

TEST_CASE("A line of code is read back as it was written") {
    const auto again = parsed<CodeLine>(toString(CodeLine{16, 2, 7, "LDG.E R2, [R4.64] ;"}));
    CHECK((again.pc == 16 && again.file == 2 && again.line == 7 && again.text == "LDG.E R2, [R4.64] ;"));
    CHECK(toString(again) == "16 2 7 LDG.E R2, [R4.64] ;");
}

TEST_CASE("Entries of a broken file are left out, or lose the source line that is not there") {
    const std::vector<std::string> entries{"",
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
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    session.apply(KernelCode{0, CodeLanguage::Sass, {"a.cu"}, parsedTexts<CodeLine>(entries)});
    const KernelCode* code = session.codeOf(0);
    REQUIRE(code != nullptr);
    REQUIRE(code->lines.size() == 2);
    CHECK(code->lines[0].text == "NO FILE");
    CHECK(fileOf(*code, code->lines[0]).empty());
    CHECK(code->lines[0].line == 0);
    CHECK(code->lines[1].text == "EXIT");
    CHECK(code->lines[1].line == 7);
}
