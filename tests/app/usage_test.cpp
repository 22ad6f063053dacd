// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace dormer::tests;

TEST_CASE("wrong usage is one line on stderr and exit code 2", "[cli]") {
    using Arguments = std::vector<std::string>;
    const auto [arguments, part] = GENERATE(table<Arguments, std::string>({
        {Arguments{}, "missing command"},
        {Arguments{"shwo", "x"}, "unknown command 'shwo'; did you mean show?"},
        {Arguments{"ceilings", "--on", "emulator:H999"}, "--on emulator:H999: unknown chip"},
        {Arguments{"--nonsense"}, "--nonsense"},
        {Arguments{"show"}, "FILE is required"},
        {Arguments{"show", "x.dormer", "--format", "xml"}, "--format"},
        {Arguments{"show", "x.dormer", "--kernel", "("}, "--kernel '(': invalid regular expression"},
        {Arguments{"report", "x.dormer"}, "--output is required"},
        {Arguments{"run", "--set", "memroy"}, "unknown counter set 'memroy'; did you mean memory?"},
        {Arguments{"run", "--kernels", "*"}, "--kernels '*': invalid regular expression"},
        {Arguments{"run", "--on", "gpu:x"}, "--on gpu:x"},
        {Arguments{"run", "--on", "emulator:H10"}, "unknown chip; did you mean H100? (available: "},
        {Arguments{"profile"}, "missing program"},
        {Arguments{"profile", "--set", "memroy", "--", "x"}, "did you mean memory?"},
        {Arguments{"run", "--launches", "0"}, "--launches 0"},
        {Arguments{"run", "--launches", "many"}, "--launches many"},
        {Arguments{"run", "--size", "-5"}, "--size"},
        {Arguments{"run", "-o", "out.html"}, "dormer report"},
        {Arguments{"run", "transpose/tield"},
         "no workload matches 'transpose/tield'; did you mean transpose/tiled"},
        {Arguments{"pattern"}, "EXPR is required"},
        {Arguments{"pattern", "tid +"}, "in 'tid +' at character 6: it ends too early"},
        {Arguments{"pattern", "row"}, "there is no 'row'"},
        {Arguments{"pattern", "tid", "--type", "float3"}, "--type 'float3' is unknown"},
        {Arguments{"pattern", "tid", "--cc", "nine"},
         "--cc 'nine': expected a compute capability such as 9.0"},
        {Arguments{"pattern", "tid", "--block", "32x"}, "--block '32x': expected N, NxM or NxMxK"},
        {Arguments{"pattern", "tid", "--warp", "8"}, "there is no warp 8"},
        {Arguments{"pattern", "tid", "--store", "--atomic"}, "--atomic"},
        {Arguments{"metrics", "achieved_ocupancy"}, "did you mean achieved_occupancy?"},
    }));
    const CliResult result = runCli(arguments);
    INFO(result.err);
    CHECK(result.exitCode == 2);
    CHECK(result.isOneErrorLine());
    CHECK(result.out.empty());
    CHECK(holds(result.err, part));
}

TEST_CASE("help and version go to stdout", "[cli]") {
    const CliResult help = runCli({"--help"});
    CHECK(help.exitCode == 0);
    CHECK(help.err.empty());
    for (const char* verb : {"list", "run", "profile", "show", "compare", "check", "import", "report",
                             "pattern", "ceilings", "metrics", "doctor"})
        CHECK(holds(help.out, verb));
    CHECK(holds(runCli({"run", "--help"}).out, "--verify"));
    CHECK(runCli({"--version"}).out.starts_with("dormer 0."));
}

TEST_CASE("list prints the suite as table and JSON", "[cli]") {
    const CliResult table = runCli({"list"});
    CHECK(table.exitCode == 0);
    CHECK(holds(table.out, "roofline/scale"));
    CHECK(holds(table.out, "all with size=16777216"));
    const auto json = nlohmann::json::parse(runCli({"list", "--format", "json"}).out);
    REQUIRE(json.size() == 3);
    CHECK(json[1] == nlohmann::json{{"family", "transpose"},
                                    {"title", nullptr},
                                    {"family_shows", nullptr},
                                    {"variant", "tiled"},
                                    {"shows", "bank conflicts"},
                                    {"parameters", nlohmann::json::array()},
                                    {"sweep", nullptr},
                                    {"emulator_size", nullptr},
                                    {"wrong_by_design", false}});
    CHECK(json[0].at("emulator_size") == 1024);
    CHECK(json[0].at("title") == "Walk along the roof");
    CHECK(json[0].at("sweep") == "polynomial");
}

TEST_CASE("metrics print names, units, formulas and meanings", "[cli]") {
    const CliResult table = runCli({"metrics"});
    CHECK(table.exitCode == 0);
    CHECK(holds(table.out, "dram_bytes_per_second"));
    const CliResult one = runCli({"metrics", "dram_bytes_per_second"});
    CHECK(one.exitCode == 0);
    CHECK(holds(one.out, "unit:    B/s"));
    const auto json = nlohmann::json::parse(runCli({"metrics", "--format", "json"}).out);
    REQUIRE(json.size() > 10);
    std::size_t ofWorkloads = 0;
    for (const auto& metric : json) {
        if (metric.at("of") == "workload")
            ++ofWorkloads; // counted, not computed
        else
            CHECK_FALSE(metric.at("formula").get<std::string>().empty());
        CHECK_FALSE(metric.at("meaning").get<std::string>().empty());
    }
    CHECK(ofWorkloads == 16);
    CHECK(holds(table.out, "transfer_bytes_per_second"));
    CHECK(holds(runCli({"metrics", "transfer_bytes_per_second"}).out, "unit:    B/s"));
    CHECK(holds(runCli({"metrics", "transfer_byte"}).err, "did you mean transfer_bytes or "));
    // A row each, beside the two lines of the head.
    const std::string markdown = runCli({"metrics", "--format", "markdown"}).out;
    CHECK(static_cast<std::size_t>(std::ranges::count(markdown, '\n')) == json.size() + 2);
}

TEST_CASE("a pattern is told as text, JSON and SVG", "[cli]") {
    const CliResult text = runCli({"pattern", "a[tid - 2]"});
    CHECK(text.exitCode == 0);
    CHECK(holds(text.out, "5 sectors (ideal 4): misaligned"));
    const CliResult json = runCli(
        {"pattern", "tile[tid.x][tid.y]", "--shared", "--row", "32", "--block", "32x8", "--format", "json"});
    REQUIRE(json.exitCode == 0);
    const auto document = nlohmann::json::parse(json.out);
    CHECK(document.at("space") == "shared");
    CHECK(document.at("wavefronts") == 32);
    CHECK(document.at("ways") == 32);
    const CliResult old = runCli({"pattern", "tid-16", "--cc", "5.2", "--format", "json"});
    REQUIRE(old.exitCode == 0);
    CHECK(nlohmann::json::parse(old.out).at("utilization") == 0.5);
    const CliResult svg = runCli({"pattern", "tid", "--format", "svg"});
    CHECK(svg.exitCode == 0);
    CHECK(svg.out.starts_with("<svg "));
}
