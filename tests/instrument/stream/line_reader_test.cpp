// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/line_reader.h"

#include "tests/support/catch.h"

#include <vector>

using dormer::instrument::stream::LineReader;

namespace {
/// Lines of `text` when it arrives in pieces of `size` bytes.
std::vector<std::string> linesOf(LineReader& reader, std::string_view text, std::size_t size) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at += size) {
        reader.feed(text.substr(at, size), [&](std::string_view line) { lines.emplace_back(line); });
    }
    return lines;
}
} // namespace

TEST_CASE("Lines are whole however their bytes arrive") {
    for (std::size_t size = 1; size < 20; ++size) {
        LineReader reader;
        CHECK(linesOf(reader, "one\ntwo\r\n\n\r\nthree\nfou", size) ==
              std::vector<std::string>{"one", "two", "three"});
        CHECK(reader.unfinished() == "fou");
        CHECK(linesOf(reader, "r\n", size) == std::vector<std::string>{"four"});
        CHECK(reader.unfinished().empty());
        CHECK(reader.droppedLines() == 0);
    }
}

TEST_CASE("A line beyond the limit is dropped whole and counted, its neighbours are not") {
    for (std::size_t size = 1; size < 40; ++size) {
        LineReader reader(8);
        CHECK(linesOf(reader,
                      "12345678\n123456789\nok\n" + std::string(100, 'x') + "\nend\n" + std::string(50, 'y'),
                      size) == std::vector<std::string>{"12345678", "ok", "end"});
        CHECK(reader.droppedLines() == 3);
        CHECK(reader.unfinished().empty()); // nothing of it is kept
    }
}

TEST_CASE("A callback that throws does not see its line again") {
    LineReader reader;
    reader.feed("on", [](std::string_view) {});
    CHECK_THROWS(reader.feed("e\n", [](std::string_view) { throw 1; }));
    CHECK(linesOf(reader, "two\n", 4) == std::vector<std::string>{"two"});
}
