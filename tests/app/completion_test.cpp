// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>

using namespace dormer::tests;

namespace {

std::string outputOf(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    REQUIRE(pipe != nullptr);
    std::string out;
    std::array<char, 4096> part{};
    while (const std::size_t got = fread(part.data(), 1, part.size(), pipe.get()))
        out.append(part.data(), got);
    return out;
}

/// What bash offers for the last of these words, each in single quotes.
std::string offered(const std::string& words) {
    const CommandFolder folder;
    std::ofstream(folder / "script") << runCli({"completion", "bash"}).out;
    return outputOf("bash -c '. \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _dormer; echo "
                    "\"${COMPREPLY[*]}\"' bash '" +
                    (folder / "script") + "' " + words);
}

} // namespace

TEST_CASE("bash completes commands, options and the values of those that list them", "[cli]") {
    CHECK(offered("dormer 'sh'") == "show\n");
    CHECK(offered("dormer --v") == "--version\n");
    CHECK(offered("dormer show --tr") == "--transfers\n");
    CHECK(offered("dormer show --format ''") == "table json csv markdown\n");
    CHECK(offered("dormer show --format = c") == "csv\n"); // how bash splits --format=c
    CHECK(offered("dormer completion 'z'") == "zsh\n");
    CHECK(offered("dormer show 'file'") == "\n"); // bash offers files then
    CHECK(offered("dormer profile --cache 'k'") == "keep\n");
    // What follows -- is a program and its own business.
    CHECK(holds(offered("dormer profile -- 'tes'"), "test"));
    CHECK(offered("dormer profile -- ./app --tr") == "\n");
    CHECK_FALSE(holds(offered("dormer ''"), "manual"));
}

TEST_CASE("every shell's completion has every command", "[cli]") {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const CliResult script = runCli({"completion", shell});
        CHECK(script.exitCode == 0);
        for (const char* verb : {"list", "run", "profile", "show", "merge", "import", "compare", "check",
                                 "report", "pattern", "ceilings", "metrics", "doctor", "completion"})
            CHECK(holds(script.out, verb));
    }
    CHECK(runCli({"completion", "csh"}).exitCode == 2);
}

TEST_CASE("a manual page has the options of its command and the exit codes", "[cli]") {
    const CliResult page = runCli({"manual", "show"});
    CHECK(page.exitCode == 0);
    CHECK(page.out.starts_with(".TH DORMER\\-SHOW 1"));
    CHECK(holds(page.out,
                "\\fB\\-\\-transfers\\fR\nshow transfers and memory API calls instead of the kernels\n"));
    CHECK(holds(page.out, "\\fB\\-\\-format\\fR table|json|csv|markdown\n"));
    CHECK(holds(page.out, "5 unreadable input."));
    // No line begins with what troff takes for a request of its own.
    for (std::size_t at = page.out.find('\n'); at + 1 < page.out.size(); at = page.out.find('\n', at + 1))
        if (page.out[at + 1] == '.')
            CHECK((page.out.compare(at + 1, 4, ".SH ") == 0 || page.out.compare(at + 1, 3, ".TP") == 0));
    CHECK(runCli({"manual", "shwo"}).exitCode == 2);
}
