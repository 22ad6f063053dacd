// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/text.h"

#include "tests/support/catch.h"

using namespace dormer::view;

TEST_CASE("text from outside can't steer a terminal or a page", "[report]") {
    CHECK(cleanText("a\x1b[31mb") == "a�[31mb");
    CHECK(cleanText("one\ntwo\tthree") == "one two three");
    CHECK(cleanText("\xC3\xA9\xFF") == "é�");    // a broken byte
    CHECK(cleanText("\xC0\xAF") == "��");        // overlong slash
    CHECK(cleanText("\xED\xA0\x80") == "���");   // surrogate
    CHECK(cleanText("x\xE2\x80\xAEy") == "x�y"); // right-to-left override
    CHECK(cleanText(std::string_view("a\0b", 3)) == "a�b");
    CHECK(escapeMarkup("<script>alert('1') & \"2\"</script>") ==
          "&lt;script&gt;alert(&#39;1&#39;) &amp; &quot;2&quot;&lt;/script&gt;");
}

TEST_CASE("widths are those of a terminal", "[report]") {
    CHECK(displayWidth("µs") == 2);
    CHECK(displayWidth("核") == 2);
    CHECK(displayWidth("e\xCC\x81") == 1); // combining acute
    CHECK(displayWidth("● memory") == 8);
}

TEST_CASE("long names lose their middle", "[report]") {
    CHECK(truncateMiddle("short", 10) == "short");
    CHECK(truncateMiddle("abcdefghij", 7) == "abc…hij");
    CHECK(truncateMiddle("abcdefghij", 10) == "abcdefghij");
    CHECK(truncateMiddle("核核核核核", 5) == "核…核");
    CHECK(truncateMiddle("abc", 0).empty());
    CHECK(truncateMiddle("abc", 1) == "…");

    const std::string huge = "begin" + std::string(512 * 1024, 'x') + "end";
    const std::string cut = truncateMiddle(huge, 48);
    CHECK(displayWidth(cut) == 48);
    CHECK(cut.starts_with("begin"));
    CHECK(cut.ends_with("end"));

    // Marks of no width alone don't make a name short.
    std::string marks = "a";
    for (int i = 0; i < 5000; ++i)
        marks += "\xCC\x81";
    CHECK(truncateMiddle(marks + "z", 20).size() < 2000);
}
