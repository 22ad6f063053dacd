// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Sessions of several ranks as one.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// What the emulator sends of a program, from a host of this name.
std::size_t profileOn(const std::string& host, const std::string& chip, const std::string& file) {
    const CliResult result = runCli({"profile", "--on", "emulator:" + chip, "--quiet", "-o", file, "--",
                                     DORMER_CUDA_PROGRAMS "/dormer_sample_shared"});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const auto recorded = store::loadSession(file);
    REQUIRE(recorded);
    session::Session moved;
    for (auto [process, record] : store::recordsOf(*recorded)) {
        if (auto* start = std::get_if<session::ProcessStart>(&record)) start->process.host = host;
        moved.apply(record, process);
    }
    REQUIRE(store::saveSession(moved, file));
    return moved.launches().size();
}

} // namespace

TEST_CASE("Sessions of two hosts merge: processes keep who they are, devices and launches stay apart",
          "[merge]") {
    const CommandFolder folder;
    const std::string a = folder / "a.dormer", b = folder / "b.dormer", c = folder / "c.dormer";
    const std::size_t launches = profileOn("node1", "h100", a);
    REQUIRE(profileOn("node2", "a100", b) == launches);
    const CliResult result = runCli({"merge", a, b, "-o", c});
    INFO(result.err);
    CHECK(result.exitCode == 0);
    CHECK(holds(result.err, fmt::format("wrote {} ({} launches, 2 processes, 2 hosts)", c, 2 * launches)));

    const auto first = store::loadSession(a), merged = store::loadSession(c);
    REQUIRE(merged);
    REQUIRE(merged->processes().size() == 2);
    CHECK(merged->processes()[0].host == "node1");
    CHECK(merged->processes()[1].host == "node2");
    CHECK(merged->processes()[0].pid == first->processes()[0].pid);
    REQUIRE(merged->devices().size() == 2);
    CHECK(merged->devices()[0].id != merged->devices()[1].id);
    REQUIRE(merged->launches().size() == 2 * launches);
    const char* counter = "smsp__inst_executed.sum";
    for (std::uint32_t i = 0; i < launches; ++i) {
        const session::LaunchIndex own{i}, other{i + static_cast<std::uint32_t>(launches)};
        CHECK(merged->kernelOf(own).name == merged->kernelOf(other).name);
        CHECK(merged->deviceOf(own)->smCount == 132);
        CHECK(merged->deviceOf(other)->smCount == 108);
        CHECK(merged->counter(own, counter) == first->counter(own, counter));
    }

    // Opened together they are the same as merged before.
    const auto json = [](const std::vector<std::string>& files) {
        std::vector<std::string> arguments{"show", "--format", "json"};
        arguments.insert(arguments.end(), files.begin(), files.end());
        return nlohmann::json::parse(runCli(arguments).out);
    };
    const auto together = json({a, b});
    CHECK(together == json({c}));
    CHECK(together.at("launches").back().at("device") == 0);
    CHECK(together.at("launches").back().at("device_index") == 1);
    const std::string grouped = runCli({"show", a, b, "--group", "process"}).out;
    CHECK(holds(grouped, " on node1 (dormer_sample_shared)"));
    CHECK(holds(grouped, " on node2 (dormer_sample_shared)"));
    CHECK(runCli({"report", a, b, "-o", folder / "out.html"}).exitCode == 0);

    // The same run under another name.
    std::filesystem::copy_file(a, folder / "copy.dormer");
    CHECK(holds(runCli({"merge", a, folder / "copy.dormer", "-o", folder / "d.dormer"}).err,
                "of node1 is in several of the files: its launches count again"));
}

TEST_CASE("Files that can't be merged are refused in one line, and nothing is written", "[merge]") {
    const CommandFolder folder;
    const std::string good = folder / "good.dormer", text = folder / "text.dormer",
                      newer = folder / "newer.dormer", out = folder / "out.dormer";
    profileOn("node1", "h100", good);
    std::ofstream(text) << "no session";
    std::filesystem::copy_file(good, newer);
    { // user_version, big-endian at byte 60 of an SQLite file
        std::fstream file(newer, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(60).write("\0\0\3\xe7", 4);
    }
    const auto refused = [&](const std::vector<std::string>& files, int exitCode, const std::string& part) {
        std::vector<std::string> arguments{"merge", "-o", out};
        arguments.insert(arguments.end(), files.begin(), files.end());
        const CliResult result = runCli(arguments);
        INFO(result.err);
        CHECK(result.exitCode == exitCode);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, part));
        CHECK_FALSE(std::filesystem::exists(out));
    };
    refused({good, good}, 2, "good.dormer is named twice");
    refused({good, (std::filesystem::path(folder.path()) / "." / "good.dormer").string()}, 2, "named twice");
    refused({good, text}, 5, "text.dormer");
    refused({good, newer}, 5, "newer.dormer");
    refused({good, folder / "missing.dormer"}, 5, "missing.dormer");
    refused({}, 2, "FILE");
    std::ofstream(out) << "precious";
    const CliResult result = runCli({"merge", good, "-o", out});
    CHECK(result.exitCode == 2);
    CHECK(holds(result.err, "out.dormer exists; -f (--force-overwrite) replaces it"));
    CHECK(readFile(out) == "precious");
    CHECK(runCli({"show", good, good}).exitCode == 2);
}
