// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

using namespace dormer;

namespace {

/// Most resident bytes of a dormer that writes a session to /dev/null.
double peakBytes(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DORMER_BIN_DIR "/dormer");
    std::vector<char*> words;
    for (std::string& argument : arguments)
        words.push_back(argument.data());
    words.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execv(words.front(), words.data());
        _exit(127);
    }
    int status = 0;
    rusage used{};
    REQUIRE(wait4(pid, &status, 0, &used) == pid);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
    return 1024.0 * static_cast<double>(used.ru_maxrss);
}

} // namespace

TEST_CASE("An export of a million launches fits into a gigabyte, whatever the format", "[show]") {
    const tests::TemporaryFolder folder;
    constexpr std::size_t kFew = 5'000, kMany = 30'000;
    const std::string few = (folder.path() / "few.dormer").string(),
                      many = (folder.path() / "many.dormer").string();
    REQUIRE(store::saveSession(tests::generatedSession(kFew), few));
    REQUIRE(store::saveSession(tests::generatedSession(kMany), many));
    // What a launch adds: the session itself, and nothing of its 2 to 11 kB of text.
    const auto perLaunch = [&](const std::function<double(const std::string&)>& peak) {
        return (peak(many) - peak(few)) / (kMany - kFew);
    };
    using Words = std::vector<std::string>;
    for (const Words& form : {Words{"json"}, Words{"csv"}, Words{"csv", "--wide"}, Words{"markdown"}}) {
        CAPTURE(form.back());
        CHECK(perLaunch([&form](const std::string& file) {
                  Words words{"show", file, "--format"};
                  words.insert(words.end(), form.begin(), form.end());
                  return peakBytes(words);
              }) < 1000);
    }
    for (const char* ending : {"html", "json"}) {
        CAPTURE(ending);
        CHECK(perLaunch([&](const std::string& file) {
                  return peakBytes({"report", file, "-o", file + "." + ending});
              }) < 1000);
    }
}
