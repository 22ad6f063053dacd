// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/utf8.h"
#include "tests/support/catch.h"

using namespace dormer::base;
using namespace std::string_literals;

TEST_CASE("UTF-8 is told from what is not, as Unicode's table 3-7 has it") {
    for (const std::string& good :
         {""s, "plain"s, "nul\0in"s, "\u00e9\u4e16\U0001f600"s, "\xf4\x8f\xbf\xbf"s, "\xed\x9f\xbf"s}) {
        CHECK(validUtf8Prefix(good) == good.size());
        CHECK(withValidUtf8(good) == good);
    }
    for (const std::string& bad :
         {"\x80"s, "\xc0\x80"s, "\xc1\xbf"s, "\xe0\x9f\xbf"s, "\xed\xa0\x80"s, "\xf0\x8f\xbf\xbf"s,
          "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s, "\xff"s, "\xe4\xb8"s, "\xc3("s}) {
        CHECK(validUtf8Prefix("a" + bad) == 1);
    }
}

TEST_CASE("Each stray byte becomes one replacement character") {
    CHECK(withValidUtf8("a\xff"
                        "b") == "a\ufffd"
                                "b");
    CHECK(withValidUtf8("\xe4\xb8") == "\ufffd\ufffd");
    CHECK(withValidUtf8("\xc3(") == "\ufffd(");
}

TEST_CASE("Characters go in and out one by one, and have the width a terminal gives them") {
    std::string_view text = "a\u00b5\u6838\U0001f600\xff";
    std::string again;
    std::u32string characters;
    while (!text.empty()) {
        characters += takeCharacter(text);
        appendCharacter(again, characters.back());
    }
    CHECK(characters == U"a\u00b5\u6838\U0001f600\ufffd");
    CHECK(again == "a\u00b5\u6838\U0001f600\ufffd");
    CHECK(displayWidth("a\u00b5") == 2);
    CHECK(displayWidth("\u6838\U0001f600") == 4);
    CHECK(displayWidth("e\u0301\u200b") == 1);
    CHECK(displayWidth("\u2026\u25cf\u2588\u2502\ufffd") == 5);
}
