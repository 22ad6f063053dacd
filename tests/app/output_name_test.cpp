// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Which file a collection is kept in.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <unistd.h>

#include <fstream>
#include <regex>

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kSample = DORMER_CUDA_PROGRAMS "/dormer_sample_shared";

CliResult profileTo(const std::string& output, const Environment& environment = {},
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"profile", "--on", "emulator", "--set", "none", "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--", kSample});
    return runCli(arguments, environment);
}

/// The names in a folder that are sessions.
std::vector<std::string> sessionsIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (store::loadSession(entry.path())) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

std::string host() {
    std::string name(256, '\0');
    REQUIRE(gethostname(name.data(), name.size()) == 0);
    return name.c_str();
}

} // namespace

TEST_CASE("Names of files expand host, process and environment", "[profile]") {
    const CommandFolder folder;
    const CliResult result =
        profileTo(folder / "a%%.%h.%p.%q{JOB}-%q{STEP}.dormer", {{"JOB", "17"}, {"STEP", ""}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const auto names = sessionsIn(folder.path());
    REQUIRE(names.size() == 1);
    const std::string begin = "a%." + host() + ".";
    REQUIRE(names[0].starts_with(begin));
    CHECK(std::regex_match(names[0].substr(begin.size()), std::regex("[0-9]+\\.17-\\.dormer")));
    CHECK(holds(result.err, names[0])); // says where
}

TEST_CASE("Names of files that can't be expanded are refused in one line", "[profile]") {
    const CommandFolder folder;
    for (const auto& [name, problem] :
         {std::pair{"50%.dormer", "after % expected h (host), p (process), q{VARIABLE} or %"},
          std::pair{"x%", "after % expected"}, std::pair{"x%q.dormer", "after % expected"},
          std::pair{"x%q{NAME.dormer", "%q{ has no closing }"},
          std::pair{"x%q{NO_SUCH_VARIABLE}.dormer", "environment variable NO_SUCH_VARIABLE is not set"}}) {
        const CliResult result = profileTo(folder / name);
        INFO(result.err);
        CHECK(result.exitCode == 2);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, problem));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A file that is there is replaced only when forced", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    REQUIRE(profileTo(file).exitCode == 0);
    const std::string before = readFile(file);
    const CliResult refused = profileTo(file);
    CHECK(refused.exitCode == 2);
    CHECK(refused.isOneErrorLine());
    CHECK(holds(refused.err, file + " exists; -f (--force-overwrite) replaces it"));
    CHECK(readFile(file) == before);
    CHECK(profileTo(file, {}, {"-f"}).exitCode == 0);
    CHECK(readFile(file) != before);
    CHECK(store::loadSession(file));
    // What is no session is never replaced.
    const std::string letter = folder / "letter.dormer";
    std::ofstream(letter) << "precious";
    CHECK(profileTo(letter, {}, {"-f"}).exitCode == 2);
    CHECK(readFile(letter) == "precious");
}

TEST_CASE("Each rank of a job has a file of its own", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    CHECK(profileTo(file, {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}).exitCode == 0);
    CHECK(profileTo(file, {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}).exitCode == 0);
    CHECK(profileTo(file, {{"SLURM_PROCID", "11"}, {"SLURM_STEP_NUM_TASKS", "16"}}).exitCode == 0);
    // Alone, in a batch script, and named apart already.
    CHECK(profileTo(folder / "one.dormer", {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}).exitCode == 0);
    CHECK(profileTo(folder / "batch.dormer", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).exitCode == 0);
    CHECK(profileTo(folder / "r%q{PMI_RANK}.dormer", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).exitCode == 0);
    CHECK(sessionsIn(folder.path()) == std::vector<std::string>{"batch.dormer", "one.dormer", "r1.dormer",
                                                                "x.rank0.dormer", "x.rank11.dormer",
                                                                "x.rank3.dormer"});
}

TEST_CASE("A rank that names no file gets one", "[profile]") {
    const CommandFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const CliResult result = runCli({"profile", "--on", "emulator", "--set", "none", "--", kSample},
                                    {{"RANK", "2"}, {"WORLD_SIZE", "8"}});
    const CliResult alone = runCli({"profile", "--on", "emulator", "--set", "none", "--", kSample});
    std::filesystem::current_path(before);
    INFO(result.err);
    CHECK(result.exitCode == 0);
    CHECK(alone.exitCode == 0);
    const auto names = sessionsIn(folder.path());
    REQUIRE(names.size() == 1);
    const std::string begin = "dormer_sample_shared." + host() + ".rank2.";
    CHECK(names[0].starts_with(begin));
}
