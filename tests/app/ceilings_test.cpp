// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace dormer::tests;
using nlohmann::json;

TEST_CASE("ceilings shows what a chip could in theory, and where each number comes from", "[cli]") {
    // NVIDIA's H100 datasheet, dense: 989 TFLOP/s of FP16 and 1,979 of FP8 matrices, 67 of FP32, 3.35 TB/s.
    const CliResult table = runCli({"ceilings", "--on", "emulator:H100"});
    INFO(table.err);
    REQUIRE(table.exitCode == 0);
    for (const char* text : {"theoretical", "3.35 TB/s", "66.9 TFLOP/s", "989 TFLOP/s", "1.98 PFLOP/s"})
        CHECK(holds(table.out, text));
    const std::string explained = runCli({"ceilings", "--on", "emulator:H100", "--explain"}).out;
    CHECK(holds(explained, "5120 bits"));
    // Each practical roof says who reached it: 94 % of DRAM's (docs/verdicts.md).
    CHECK(holds(explained, "practical: 0.94 of the theoretical rate, the most that a workload reached "
                           "(policies/chained"));

    const CliResult text = runCli({"ceilings", "--on", "emulator:V100", "--format", "json"});
    REQUIRE(text.exitCode == 0);
    const json document = json::parse(text.out);
    CHECK(document["measured_at_ns"].is_null());
    bool tensor = false;
    for (const json& ceiling : document["ceilings"]) {
        CHECK(ceiling["per_second"].is_null());
        CHECK(ceiling["theoretical_per_second"] > 0);
        CHECK_FALSE(ceiling["source"].get<std::string>().empty());
        CHECK(ceiling["resource"] != "tensor_bf16"); // not on this chip
        tensor = tensor || ceiling["resource"] == "tensor_fp16";
    }
    CHECK(tensor);
}

TEST_CASE("ceilings without a GPU is one line and exit code 3", "[cli]") {
    const CliResult none = runCli({"ceilings"}, {{"DORMER_FAKE_CUDA", "no-device"}});
    CHECK(none.exitCode == 3);
    CHECK(none.out.empty());
    CHECK(std::ranges::count(none.err, '\n') == 1);
    CHECK(holds(none.err, "--on emulator:CHIP"));
}

TEST_CASE("ceilings shows what was measured of this device and driver before", "[cli]") {
    // Those of an H200 stand in for those of the GPU that the fake driver has.
    json roofs = json::parse(readFile(DORMER_TEST_DATA "/h200-roofs.json"));
    const std::string uuid = "GPU-00102030-4050-6070-8090-a0b0c0d0e0f0";
    roofs["uuid"] = uuid;
    const CommandFolder cache;
    const std::filesystem::path folder = std::filesystem::path(cache / "dormer") / "ceilings";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / (uuid + "-580.65.06.json")) << roofs.dump();
    const Environment environment{{"XDG_CACHE_HOME", cache / ""}};

    const CliResult table = runCli({"ceilings", "--explain"}, environment);
    INFO(table.err);
    REQUIRE(table.exitCode == 0);
    CHECK(table.err.empty());
    // Medians of docs/ceilings.md, to the digits shown; 98 % of FP32 at 1.98 GHz.
    for (const char* text : {"4.65 TB/s", "65.8 TFLOP/s", "98.3 %", "1.980 GHz", "758 ns",
                             "wgmma, FP16 with FP32 sums", "theoretical: 256 FLOP per clock and SM"})
        CHECK(holds(table.out, text));

    // The formula's clock is NVIDIA's, the number in the table that of the clock seen: 4096 x 132 x 1.577
    // GHz.
    CHECK(holds(table.out, "x 1.830 GHz (NVIDIA's whitepaper, which states tensor rates at this clock); 852 "
                           "TFLOP/s at the 1.577 GHz seen"));
    // Every row has a reason for what it holds, or does not.
    std::istringstream lines(table.out);
    std::string line, before;
    std::size_t rows = 0;
    for (std::getline(lines, line), std::getline(lines, line); std::getline(lines, line); before = line) {
        const bool isRow = !line.empty() && !line.starts_with("    ") && line.find("  ") != std::string::npos;
        if (!isRow) continue;
        ++rows;
        std::getline(lines, before);
        INFO(line);
        CHECK((before.starts_with("    measured: ") || before.starts_with("    not measured: ")));
    }
    CHECK(rows == 36); // 34 that were measured; FP16 and issue slots, which no benchmark reaches

    const json document = json::parse(runCli({"ceilings", "--format", "json"}, environment).out);
    CHECK(document["device"]["uuid"] == uuid);
    // At the clock each saw: NVIDIA's 4,096 FLOP per clock and SM of FP16, 256 of FP64.
    const std::map<std::string, double> perClock = {
        {"tensor_fp16", 4096}, {"tensor_fp64", 256}, {"fp32", 256}};
    std::size_t seen = 0;
    for (const json& ceiling : document["ceilings"]) {
        const auto found = perClock.find(ceiling["resource"].get<std::string>());
        if (found == perClock.end()) continue;
        ++seen;
        const double most = found->second * 132 * ceiling["clock_hz"].get<double>();
        CHECK(ceiling["theoretical_at_clock_per_second"] == Approx(most));
        CHECK(ceiling["share"] == Approx(ceiling["per_second"].get<double>() / most));
    }
    CHECK(seen == 3);
}

TEST_CASE("ceilings marks what the host limits, and shows its spread beside it", "[cli]") {
    json roofs = json::parse(readFile(DORMER_TEST_DATA "/h200-roofs.json"));
    const std::string uuid = "GPU-00102030-4050-6070-8090-a0b0c0d0e0f0";
    roofs["uuid"] = uuid;
    std::size_t ofHost = 0;
    for (json& roof : roofs["roofs"]) {
        if (roof["resource"] == "host_to_device_pageable") roof["spread"] = 0.305;
        ofHost += roof.contains("of_host") ? 1 : 0;
    }
    REQUIRE(ofHost == 4); // launches, copies of pageable memory both ways, small copies
    const CommandFolder cache;
    const std::filesystem::path folder = std::filesystem::path(cache / "dormer") / "ceilings";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / (uuid + "-580.65.06.json")) << roofs.dump();
    const Environment environment{{"XDG_CACHE_HOME", cache / ""}};
    const CliResult table = runCli({"ceilings"}, environment);
    const std::size_t marked = table.out.find("pageable *");
    REQUIRE(marked != std::string::npos);
    CHECK(holds(table.out.substr(marked, table.out.find('\n', marked) - marked), "30.5 %"));
    CHECK(static_cast<std::size_t>(std::ranges::count(table.out, '*')) == ofHost + 1); // and the note
    CHECK(holds(table.out, "* limited by the host"));
    const json document = json::parse(runCli({"ceilings", "--format", "json"}, environment).out);
    for (const json& ceiling : document["ceilings"])
        if (!ceiling["per_second"].is_null())
            CHECK(ceiling["of_host"] == std::ranges::any_of(roofs["roofs"], [&](const json& roof) {
                      return roof["resource"] == ceiling["resource"] && roof.contains("of_host");
                  }));
}

TEST_CASE("Sessions of a GPU whose roofs are known hold them", "[cli]") {
    json roofs = json::parse(readFile(DORMER_TEST_DATA "/h200-roofs.json"));
    roofs["uuid"] = "GPU-7";
    const CommandFolder cache;
    const std::filesystem::path folder = std::filesystem::path(cache / "dormer") / "ceilings";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "GPU-7-unknown.json") << roofs.dump();
    const std::string file = cache / "x.dormer";
    const auto measured = [&](const char* uuid) {
        const CliResult run = runCli({"run", "--on", "gpu", "-o", file},
                                     {{"XDG_CACHE_HOME", cache / ""}, {"DORMER_FAKE_UUID", uuid}});
        INFO(run.err);
        REQUIRE(run.exitCode == 0);
        std::map<std::string, double> found;
        const json shown = json::parse(runCli({"show", file, "--format", "json"}).out);
        for (const json& ceiling : shown["ceilings"])
            if (ceiling["measured"] == true)
                found[ceiling["resource"].get<std::string>() + ceiling.value("format", "")] =
                    ceiling["per_second"];
        return found;
    };
    const auto known = measured("GPU-7");
    CHECK(known.contains("dram"));
    CHECK(known.contains("tensorFP8"));
    CHECK_FALSE(known.contains("dram_copy")); // a part of DRAM's roof
    CHECK(measured("GPU-8").empty());         // another GPU
}
