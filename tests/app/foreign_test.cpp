// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program that knows nothing of Dormer (tests/support/foreign_program.h) on the emulator. It checks its own
// results; what Dormer says of its kernels is held against what their source says.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using namespace dormer;
using namespace dormer::tests;
using nlohmann::json;

namespace {

/// Number of the first line of the program's source that holds the text.
int lineOf(const std::string& text) {
    std::istringstream source{readFile(DORMER_SOURCE_DIR "/tests/support/foreign_program.cu")};
    int number = 0;
    for (std::string line; std::getline(source, line);) {
        ++number;
        if (holds(line, text)) return number;
    }
    FAIL("no line holds " + text);
    return 0;
}

json launchesOf(const json& all, const std::string& kernel) {
    json found = json::array();
    for (const json& launch : all)
        if (holds(launch.at("kernel"), kernel)) found.push_back(launch);
    return found;
}

/// Sums over the launch's memory accesses of one kind.
struct Sums {
    std::uint64_t executions = 0, threads = 0, sectors = 0, sectorsIdeal = 0, wavefronts = 0,
                  wavefrontsIdeal = 0;
};
Sums sumsOf(const json& launch, const std::string& space, const std::string& op) {
    Sums sums;
    for (const json& line : launch.at("lines")) {
        if (line.at("space") != space || line.at("op") != op) continue;
        const auto number = [&](const char* name) {
            return line.at(name).is_null() ? 0 : line.at(name).get<std::uint64_t>();
        };
        sums.executions += number("executions");
        sums.threads += number("threads");
        sums.sectors += number("sectors");
        sums.sectorsIdeal += number("sectors_ideal");
        sums.wavefronts += number("wavefronts");
        sums.wavefrontsIdeal += number("wavefronts_ideal");
    }
    return sums;
}

bool hasFinding(const json& launch, const std::string& code) {
    return std::ranges::any_of(launch.at("findings"),
                               [&](const json& each) { return each.at("code") == code; });
}

/// The program's run, once for all tests.
const CliResult& theRun() {
    static const CommandFolder folder;
    static const CliResult result =
        runCli({"profile", "--on", "emulator", "--lines", "--format", "json", "-o", folder / "x.dormer", "--",
                DORMER_CUDA_PROGRAMS "/dormer_foreign_program"});
    return result;
}

json theLaunches() {
    return json::parse(theRun().out).at("launches");
}

} // namespace

TEST_CASE("A foreign program's results and output are right on the emulator", "[profile]") {
    INFO(theRun().err);
    REQUIRE(theRun().exitCode == 0);
    CHECK(holds(theRun().err, "0 results are wrong"));
    CHECK(holds(theRun().err, "thread 0 says 2.50 and hello\nthread 16 says 2.50 and hello\n"));
    CHECK_FALSE(holds(theRun().err, "note: ")); // it lacks nothing
    const json launches = theLaunches();
    for (const json& launch : launches) {
        CAPTURE(launch.at("kernel"));
        CHECK(launch.at("origin") == "emulated");
        CHECK(launch.at("counted") == true);
        CHECK(launch.at("duration_ns") > 0);
        CHECK(launch.at("verdict").at("bound").is_string());
    }
}

TEST_CASE("Every launch of the foreign program is there", "[profile]") {
    const json launches = theLaunches();
    for (const auto& [kernel, times] :
         std::vector<std::pair<std::string, std::size_t>>{{"transposeTile(", 1},
                                                          {"addTo(", 2},
                                                          {"sample(", 1},
                                                          {"sumOverGrid(", 1},
                                                          {"stageThroughBarrier(", 1},
                                                          {"halves(", 1},
                                                          {"areas(", 1},
                                                          {"recurse(", 1},
                                                          {"speak(", 1},
                                                          {"DeviceScanKernel", 1},
                                                          {"DeviceSelectSweepKernel", 1},
                                                          {"DeviceHistogramSweepKernel", 1},
                                                          {"DeviceSegmentedReduceKernel", 1},
                                                          {"detail::transform::transform_kernel", 2}}) {
        CAPTURE(kernel);
        CHECK(launchesOf(launches, kernel).size() >= times);
        if (holds(kernel, "(")) CHECK(launchesOf(launches, kernel).size() == times);
    }
    const json add = launchesOf(launches, "addTo(");
    CHECK(add[0].at("grid") == json({4, 1, 1}));
    CHECK(add[0].at("block") == json({128, 1, 1}));
    CHECK(add[1].at("stream") != add[0].at("stream"));
}

TEST_CASE("A tile without padding has its bank conflict at its line, and nothing else", "[profile]") {
    const json launch = launchesOf(theLaunches(), "transposeTile(").at(0);
    constexpr std::uint64_t kWarps = 4 * 32; // 4 blocks of 32 x 32 threads
    const Sums loads = sumsOf(launch, "global", "load"), stores = sumsOf(launch, "global", "store");
    for (const Sums& sums : {loads, stores}) { // 32 floats in a row: 4 sectors
        CHECK(sums.executions == kWarps);
        CHECK(sums.sectors == kWarps * 4);
        CHECK(sums.sectorsIdeal == kWarps * 4);
    }
    CHECK(sumsOf(launch, "shared", "store").wavefronts == kWarps);
    const Sums column = sumsOf(launch, "shared", "load"); // 32 floats 128 bytes apart: one bank
    CHECK(column.wavefronts == kWarps * 32);
    CHECK(column.wavefrontsIdeal == kWarps);
    for (const json& line : launch.at("lines")) {
        CHECK(holds(line.at("file"), "foreign_program.cu"));
        if (line.at("space") == "shared" && line.at("op") == "load")
            CHECK(line.at("line") == lineOf("tile[threadIdx.x][threadIdx.y]"));
    }
    CHECK(launch.at("metrics").at("shared_load_wavefronts_excess") == kWarps * 31);
    CHECK(launch.at("metrics").at("global_load_sectors_per_request") == 4);
    CHECK(hasFinding(launch, "shared-bank-conflicts"));
    CHECK_FALSE(hasFinding(launch, "uncoalesced-global-access"));
}

TEST_CASE("What the foreign program's other kernels do is counted exactly", "[profile]") {
    const json launches = theLaunches();
    const json add = launchesOf(launches, "addTo(").at(0);
    for (const char* op : {"load", "store"}) { // 3000 ints, each once
        const Sums sums = sumsOf(add, "global", op);
        CHECK(sums.threads == 3000);
        CHECK(sums.sectors == 3000 * 4 / 32);
    }
    // 64 lanes, two multiply-adds each.
    CHECK(launchesOf(launches, "halves(").at(0).at("metrics").at("flops_fp16") == 64 * 2 * 2);
    // Multiplications of 64 floats by themselves, and of every third one by 3.
    CHECK(launchesOf(launches, "areas(").at(0).at("metrics").at("flops_fp32") == 64 + 22);
    // The copy is the memory system's own: no thread's access, but DRAM's bytes.
    const json stage = launchesOf(launches, "stageThroughBarrier(").at(0);
    CHECK(stage.at("metrics").at("global_load_requests") == 0);
    CHECK(stage.at("metrics").at("dram_bytes_read") >= 128 * 16); // and a cold launch's own
    // 5000 ints, and the total once for each of 8 blocks.
    const json sum = launchesOf(launches, "sumOverGrid(").at(0);
    std::uint64_t threads = 0;
    for (const json& line : sum.at("lines"))
        if (line.at("line") == lineOf("part += values[i]") && line.at("space") == "global")
            threads += line.at("threads").get<std::uint64_t>();
    CHECK(threads == 5000);
    const json texture = launchesOf(launches, "sample(").at(0);
    CHECK(sumsOf(texture, "texture", "load").executions == 1);
    // CUB's transformation loads its two inputs in bulk or in rows: nothing to complain of.
    for (const json& launch : launchesOf(launches, "transform_kernel"))
        CHECK_FALSE(hasFinding(launch, "uncoalesced-global-access"));
}
