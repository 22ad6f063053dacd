// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/remote_target.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using namespace dormer;
using namespace dormer::instrument;
using Words = std::vector<std::string>;

namespace {

/// What a shell makes of a line: a program in the place of dormer tells its words, one a line, where it was
/// started and one variable.
class Shell {
public:
    Shell() {
        std::ofstream(program()) << "#!/bin/sh\npwd\nprintf '%s\\n' \"$COLOUR\" \"$@\"\n";
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::string program() const { return (m_folder / "it's dormer").string(); }
    [[nodiscard]] Words run(const std::string& line) const {
        const std::filesystem::path script = m_folder / "line", out = m_folder / "out";
        std::ofstream(script) << line << '\n';
        const std::string command =
            "HOME=" + m_folder.path().string() + " sh " + script.string() + " > " + out.string();
        REQUIRE(std::system(command.c_str()) == 0);
        std::ifstream file(out);
        Words words;
        for (std::string word; std::getline(file, word);)
            words.push_back(word);
        return words;
    }

private:
    tests::TemporaryFolder m_folder;
};

} // namespace

TEST_CASE("a program's line reaches a shell word for word", "[remote]") {
    const Shell shell;
    request::CollectRequest request;
    request.set = "memory";
    request.kernels = "-a|it's";
    request.lines = true;
    request.flushCaches = false;
    request.stalls = false;
    request.replay = "kernel";
    request.budget = "2m";
    request.timeLimitSeconds = 1.5;
    const auto target = request::remoteProgram({.command = {"./a b", "$HOME", "", "'\"\\"},
                                                .environment = {{"COLOUR", "deep blue"}},
                                                .workingFolder = "/tmp/.."},
                                               request, {{"box", shell.program()}, "gpu:1"});
    REQUIRE(target);
    REQUIRE(target->remote);
    CHECK(target->remote->host.host == "box");
    CHECK(target->options.counterSet == "memory");
    CHECK(shell.run(target->remote->line) ==
          Words{"/", "deep blue", "profile", "--stream=-", "--quiet", "--on=gpu:1", "--set=memory",
                "--kernels=-a|it's", "--replay=kernel", "--budget=2m", "--cache=keep", "--lines",
                "--stalls=off", "--time-limit=1.5", "--", "./a b", "$HOME", "", "'\"\\"});
}

TEST_CASE("the suite's line holds patterns that no shell expands, and ~ is the home folder there",
          "[remote]") {
    const Shell shell;
    const launch::Target target =
        request::remoteSuite({.workloads = {"*/tiled", "roofline/scale"}, .size = 4096, .repeat = 2}, {},
                             {{"box", "~/it's dormer"}, "auto"});
    const Words words = shell.run(target.remote->line);
    CHECK(Words(words.begin() + 2, words.end()) == Words{"run", "--stream=-", "--quiet", "--on=auto",
                                                         "--size=4096", "--repeat=2", "--", "*/tiled",
                                                         "roofline/scale"});
    CHECK_FALSE(request::remoteProgram({}, {}, {{"box", "dormer"}, "auto"}));
}
