// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The planted faults as other programs read them.

#include "tests/app/cli_process.h"
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <map>

using namespace dormer::tests;
using nlohmann::json;

TEST_CASE("JSON names the lines of the planted faults") {
    const CliResult result = runCli({"profile", "--on", "emulator", "--lines", "--quiet", "--format", "json",
                                     "--", DORMER_BIN_DIR "/cases/dormer_planted"});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const json launches = json::parse(result.out).at("launches");
    REQUIRE(launches.size() == 1);
    std::map<std::string, int> lines;
    for (const json& finding : launches[0].at("findings"))
        for (const json& place : finding.at("places"))
            lines[finding.at("code")] = place.at("line");
    CHECK(lines == std::map<std::string, int>{
                       {"misaligned-global-access", lineOf("planted.cu", "planted: misaligned")},
                       {"shared-bank-conflicts", lineOf("planted.cu", "planted: conflict")}});
}
