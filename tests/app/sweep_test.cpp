// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace dormer::tests;

namespace {

Environment fake(const std::string& mode) {
    return {{"DORMER_FAKE", mode}};
}

} // namespace

TEST_CASE("run --sweep shows points side by side, a plot and the best", "[run]") {
    const CliResult result = runCli({"run", "tile/*", "--sweep", "--quiet"}, fake("sweep"));
    INFO(result.out << result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(holds(result.out, "tile/size: Sizes"));
    CHECK(holds(result.out, "best: size=2 at 10 ns; ×4 over the worst, ×2 over the median of 3 points"));
    CHECK(holds(result.out, "◆"));
    CHECK_FALSE(holds(result.out, "verdict")); // no table of launches
    const auto json =
        nlohmann::json::parse(runCli({"run", "--sweep", "--format", "json"}, fake("sweep")).out);
    CHECK(json.at("sweeps").at(0).at("best") == "tile/size/2");
    CHECK(runCli({"run", "--sweep", "--format", "csv"}, fake("sweep")).out.starts_with("sweep,workload,"));
    CHECK(
        holds(runCli({"run", "--sweep", "--format", "markdown"}, fake("sweep")).out, "## tile/size: Sizes"));
}

TEST_CASE("show --sweep does the same of a file", "[show]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    REQUIRE(runCli({"run", "-o", file}, fake("sweep")).exitCode == 0);
    const CliResult table = runCli({"show", file, "--sweep"});
    CHECK(table.exitCode == 0);
    CHECK(holds(table.out, "best: size=2"));
    CHECK(nlohmann::json::parse(runCli({"show", file, "--sweep", "--format", "json"}).out)
              .at("sweeps")
              .at(0)
              .at("points")
              .size() == 3);
    CHECK(runCli({"show", file, "--sweep", "--format", "csv"}).out.starts_with("sweep,workload,"));
    // Two points of three are a sweep still, one is none.
    CHECK(holds(runCli({"show", file, "--sweep", "--kernel", "size/[14]"}).out, "best: size=4"));
    const CliResult one = runCli({"show", file, "--sweep", "--kernel", "size/4"});
    CHECK(one.exitCode == 2);
    CHECK(one.isOneErrorLine());
}

TEST_CASE("a sweep where there is none is one line and exit code 2, before anything runs", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer", marker = folder / "ran";
    for (const std::string& pattern : {std::string("transpose"), std::string("roofline/scale")}) {
        Environment environment = fake("normal");
        environment.emplace_back("DORMER_FAKE_MARKER", marker);
        const CliResult result = runCli({"run", pattern, "--sweep"}, environment);
        INFO(result.err);
        CHECK(result.exitCode == 2);
        CHECK(result.isOneErrorLine());
        CHECK_FALSE(std::filesystem::exists(marker));
    }
    const CliResult streamed = runCli({"run", "--sweep", "--format", "jsonl"}, fake("sweep"));
    CHECK(streamed.exitCode == 2);
    CHECK(streamed.isOneErrorLine());
    REQUIRE(runCli({"run", "-o", file}, fake("normal")).exitCode == 0);
    const CliResult shown = runCli({"show", file, "--sweep"});
    CHECK(shown.exitCode == 2);
    CHECK(shown.isOneErrorLine());
    CHECK(holds(shown.err, "has no sweep"));
}

TEST_CASE("a run of transfers alone says what it saw", "[run]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = runCli({"run", "-o", file}, fake("transfers"));
    INFO(result.out << result.err);
    CHECK(result.exitCode == 0);
    CHECK(holds(result.out, "transfer/pinned"));
    CHECK(holds(result.out, "copy-engine GB/s"));
    CHECK(holds(result.out, " 25 "));
    CHECK(holds(result.err, "no kernel launches; 1 copy of 1.00 MB; saved to " + file));
    const CliResult shown = runCli({"show", file});
    CHECK(shown.exitCode == 0);
    CHECK(holds(shown.out, "copy-engine GB/s"));
    CHECK(holds(shown.out, " 25 "));
    const auto json = nlohmann::json::parse(runCli({"show", file, "--transfers", "--format", "json"}).out);
    CHECK(json.at("transfers").at(0).at("bytes") == 1'000'000);
    CHECK(runCli({"show", file, "--transfers", "--format", "csv"}).out.starts_with("record,process,"));
    CHECK(runCli({"show", file, "--transfers", "--sweep"}).exitCode == 2);
    // A suite whose set-up alone was seen has shown nothing.
    CHECK(runCli({"run", "--quiet"}, fake("set-up-only")).exitCode == 4);
    REQUIRE(runCli({"run", "-o", file}, fake("normal")).exitCode == 0);
    CHECK(runCli({"show", file, "--transfers"}).exitCode == 2);
}

TEST_CASE("list reads from family to variant, and tells a sweep in one line", "[cli]") {
    const CliResult list = runCli({"list"}, fake("sweep"));
    CHECK(list.exitCode == 0);
    CHECK(holds(list.out, "3 workloads in 1 family."));
    CHECK(holds(list.out, "tile: Tiles\n  what a size does\n  all with type=int\n"));
    CHECK(holds(list.out, "tile/size/1 … size/4  a size of 1 … 4 (3 points of a sweep, size=1, 2, 4)\n"));
    const CliResult normal = runCli({"list"});
    CHECK(holds(normal.out, "roofline: Walk along the roof\n"));
    CHECK(holds(normal.out, "roofline/scale"));
    CHECK(holds(normal.out, "[wrong by design]"));
    CHECK(holds(normal.out, "transpose\n    transpose/tiled         bank conflicts\n"));
}
