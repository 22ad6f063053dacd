// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/shell_words.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using namespace dormer;
using namespace dormer::instrument::request;

namespace {

using Words = std::vector<std::string>;

/// How /bin/sh splits the line, with file name patterns off.
Words splitBySh(const std::string& line) {
    const tests::TemporaryFolder folder;
    const std::string script = folder / "split.sh", words = folder / "words";
    std::ofstream{script} << "set -f\nset -- " << line << "\nfor w; do printf '%s\\001' \"$w\"; done\n";
    REQUIRE(std::system(("/bin/sh " + script + " > " + words).c_str()) == 0);
    std::ifstream file(words);
    Words split;
    for (std::string word; std::getline(file, word, '\1');)
        split.push_back(word);
    return split;
}

} // namespace

TEST_CASE("A command line is split as a shell splits it") {
    for (const std::string line :
         {R"(./app --size 4 -x=1)", R"(  two   blanks	tab  )", R"(app 'one word' "another word")",
          R"(app a'b c'd"e f"g)", R"(app '' "" x)", R"(app it\'s back\\slash a\ b)",
          R"(app "say \"hi\"" "\n stays" "c:\\dir" "\$HOME")", R"(app 'no \escape $HOME `x`')",
          R"(python3 -c 'print("a b")' *.txt a?b [x] a~ a#b)", "app one\\\ntwo \"li\\\nne\"",
          R"(app "größe" 日本)"}) {
        CAPTURE(line);
        const auto words = shellWords(line);
        REQUIRE(words);
        CHECK(*words == splitBySh(line));
    }
    CHECK(shellWords("   ")->empty());
}

TEST_CASE("What only a shell can do is refused, not handed on as an argument") {
    for (const char* line : {"app | tee log", "app > log", "a && b", "a; b", "app $HOME", "app \"$HOME\"",
                             "app `date`", "app ~/data", "(app)", "app < in"}) {
        CAPTURE(line);
        const auto words = shellWords(line);
        REQUIRE_FALSE(words);
        CHECK(words.error().kind == ErrorKind::Usage);
        CHECK_THAT(words.error().message, Catch::Contains("none is run"));
    }
    for (const char* line : {"app 'open", "app \"open", "app \\"}) {
        CAPTURE(line);
        CHECK_FALSE(shellWords(line));
    }
}

TEST_CASE("A quoted word is read back as it was") {
    for (const std::string word :
         {"", "plain", "two words", "it's", "$HOME", "a\"b", "~", "back\\slash", "*", "line\nbreak"}) {
        CAPTURE(word);
        CHECK(shellWords(shellQuoted(word)).value() == Words{word});
        CHECK(splitBySh(shellQuoted(word)) == Words{word});
    }
}
