// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The suite on every chip the emulator plays.

#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace dormer::tests;
using nlohmann::json;

TEST_CASE("Every chip is named where its numbers are, and is the device of its data sheet", "[profile]") {
    struct Sheet {
        std::string key, name;
        int major, minor, sms, warpsPerSm;
    };
    // NVIDIA's white papers: SMs of the product. CUDA C++ Programming Guide: warps of an SM by compute
    // capability.
    const Sheet sheet = GENERATE(values<Sheet>({
        {"V100", "V100", 7, 0, 80, 64},
        {"T4", "T4", 7, 5, 40, 32},
        {"A100", "A100", 8, 0, 108, 64},
        {"A100-80", "A100", 8, 0, 108, 64},
        {"RTX3090", "RTX 3090", 8, 6, 82, 48},
        {"RTX4090", "RTX 4090", 8, 9, 128, 48},
        {"H100", "H100", 9, 0, 132, 64},
        {"H200", "H200", 9, 0, 132, 64},
    }));
    CAPTURE(sheet.key);
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const Environment home{{"DORMER_HOME", DORMER_BIN_DIR "/.."}};
    const CliResult run = runCli({"run", "--on", "emulator:" + sheet.key, "--size", "65536", "--verify", "-o",
                                  file, "vector_sum/coalesced", "transpose/tiled"},
                                 home);
    INFO(run.err);
    REQUIRE(run.exitCode == 0);
    // PTX of the suite is for 7.5 and newer, its machine code for 8.0 and newer.
    CHECK(holds(run.err, "which a real") == (sheet.major == 7 && sheet.minor == 0));
    CHECK(holds(run.err, "registers per thread are estimated") == (sheet.major == 7));

    const CliResult table = runCli({"show", file});
    CHECK(holds(table.out, sheet.name));
    CHECK(holds(table.out, "emulated"));
    const std::string report = folder / "x.html";
    REQUIRE(runCli({"report", file, "-o", report}).exitCode == 0);
    CHECK(holds(readFile(report), sheet.name));
    const std::string page = readFile(report);
    CHECK(holds(page, "emulated"));
    CHECK(holds(page, "predicted"));
    CHECK(holds(page, "modelled, cold at each launch"));
    CHECK_FALSE(holds(page, "flushed before each counted launch")); // what a GPU would have done
    const json session = json::parse(runCli({"show", file, "--format", "json"}).out);
    const json& device = session.at("devices").at(0);
    CHECK(holds(device.at("name"), sheet.name));
    CHECK(device.at("compute_capability_major") == sheet.major);
    CHECK(device.at("compute_capability_minor") == sheet.minor);
    CHECK(device.at("sm_count") == sheet.sms);
    for (const json& launch : session.at("launches")) {
        CAPTURE(launch.at("kernel"));
        CHECK(launch.at("origin") == "emulated");
        const int warps = launch.at("block").at(0).get<int>() * launch.at("block").at(1).get<int>() / 32;
        // Few registers, little shared memory: as many whole blocks as there are warps for.
        const double filled = static_cast<double>(sheet.warpsPerSm / warps * warps) / sheet.warpsPerSm;
        CHECK(launch.at("metrics").at("theoretical_occupancy").get<double>() == Approx(filled));
    }
}
