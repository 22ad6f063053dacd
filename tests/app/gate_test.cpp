// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace dormer::tests;
using nlohmann::json;

namespace {

const std::string kRules = DORMER_SOURCE_DIR "/docs/examples/gate.toml";

std::string collect(const CommandFolder& folder, const std::string& name,
                    const std::vector<std::string>& workloads) {
    std::vector<std::string> arguments{"run",    "--on",  "emulator", "--lines",
                                       "--size", "65536", "-o",       folder / name};
    arguments.insert(arguments.end(), workloads.begin(), workloads.end());
    const CliResult run = runCli(arguments, {{"DORMER_HOME", DORMER_BIN_DIR "/.."}});
    INFO(run.err);
    REQUIRE(run.exitCode == 0);
    return folder / name;
}

/// The line's text, as it stands in the checkout.
std::string sourceLine(const std::string& file, int line) {
    std::istringstream text(readFile(DORMER_SOURCE_DIR "/" + file));
    std::string found;
    for (int i = 0; i < line; ++i)
        std::getline(text, found);
    return found;
}

} // namespace

TEST_CASE("the example gate passes on good kernels and names the lines of bad ones", "[check]") {
    const CommandFolder folder;
    const std::string good =
        collect(folder, "good.dormer", {"vector_sum/coalesced", "transpose/tiled_padded"});
    const CliResult passed = runCli({"check", kRules, good});
    INFO(passed.out << passed.err);
    CHECK(passed.exitCode == 0);
    CHECK(holds(passed.out, "PASS: 2 rules, 2 checks: 2 passed"));

    const std::string bad = collect(folder, "bad.dormer", {"vector_sum/uncoalesced", "transpose/tiled"});
    const CliResult failed =
        runCli({"check", kRules, bad, "--format", "sarif", "--source-root", DORMER_SOURCE_DIR});
    CHECK(failed.exitCode == 1);
    const json results = json::parse(failed.out).at("runs").at(0).at("results");
    REQUIRE(results.size() == 2);
    const auto placeOf = [&](std::size_t i) {
        return results.at(i).at("locations").at(0).at("physicalLocation");
    };
    // Relative to the checkout that it was compiled in, which may be another where objects are cached.
    const auto fileOf = [&](std::size_t i) {
        return placeOf(i).at("artifactLocation").at("uri").get<std::string>();
    };
    CHECK(fileOf(0).ends_with("kernels/vector_sum/vector_sum.cu"));
    const int strided = placeOf(0).at("region").at("startLine");
    CHECK(holds(sourceLine("kernels/vector_sum/vector_sum.cu", strided - 1),
                "blockIdx.x + gridDim.x * threadIdx.x"));
    CHECK(holds(sourceLine("kernels/vector_sum/vector_sum.cu", strided), "c[i] = a[i] + b[i]"));
    CHECK(fileOf(1).ends_with("kernels/transpose/tiled.cuh"));
    // The column-wise read of the tile, not the row-wise write.
    CHECK(holds(sourceLine("kernels/transpose/tiled.cuh", placeOf(1).at("region").at("startLine")),
                "= tile[Layout<kTile>::wordOf(threadIdx.x"));
    const CliResult log = runCli({"check", kRules, bad, "--format", "github"});
    CHECK(log.exitCode == 1);
    CHECK(log.out.starts_with("::error file="));
}

TEST_CASE("two runs on the emulator have the same counters", "[compare]") {
    const CommandFolder folder;
    const std::string one = collect(folder, "one.dormer", {"transpose/tiled"});
    const std::string two = collect(folder, "two.dormer", {"transpose/tiled"});
    const json comparison = json::parse(runCli({"compare", one, two, "--format", "json"}).out);
    REQUIRE(comparison.at("kernels").size() == 1);
    CHECK(comparison.at("kernels")[0].at("change") == "same");
    CHECK(comparison.at("kernels")[0].at("counters_compared") > 20);
    CHECK(comparison.at("kernels")[0].at("counters_changed").empty());
    CHECK(comparison.at("only_base").empty());
}
