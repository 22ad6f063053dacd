// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/group.h"
#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"
#include "tests/support/german_locale.h"

#include <nlohmann/json.hpp>

#include <set>

using namespace dormer::tests;

namespace {

std::string profile(const CommandFolder& folder, const std::string& which,
                    const Environment& environment = {}) {
    const std::string file = folder / (which + ".dormer");
    const CliResult result =
        runCli({"profile", "--on", "emulator", "-o", file, "--", DORMER_BIN_DIR "/cases/dormer_names", which},
               environment);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(holds(result.err, "0 results are wrong"));
    if (!environment.empty()) CHECK(holds(result.err, "one and a half is 1,5"));
    return file;
}

std::string shown(const std::string& file, std::vector<std::string> options,
                  const Environment& environment = {}) {
    options.insert(options.begin(), {"show", file});
    const CliResult result = runCli(options, environment);
    REQUIRE(result.exitCode == 0);
    return result.out;
}

} // namespace

TEST_CASE("Kernel names of 25 kB are whole in JSON, short and different in tables, and never repeated") {
    const CommandFolder folder;
    const std::string file = profile(folder, "long");
    const auto launches = nlohmann::json::parse(shown(file, {"--format", "json"}))["launches"];
    REQUIRE(launches.size() == 5);
    // Each of 11 levels doubles the name: 2048 leaves of "(anonymous namespace)::Leaf".
    const std::string longest = launches[1]["kernel"];
    std::size_t leaves = 0;
    for (std::size_t at = longest.find("Leaf"); at != std::string::npos; at = longest.find("Leaf", at + 1))
        ++leaves;
    CHECK(leaves >= 2048);
    CHECK(shown(file, {"--format", "csv"}).size() < 100'000);
    CHECK(shown(file, {"--format", "csv", "--wide"}).size() < longest.size() + 100'000);
    CHECK(shown(file, {"--format", "markdown"}).size() < 100'000);

    const auto session = dormer::store::loadSession(file);
    REQUIRE(session);
    std::string table = shown(file, {"--format", "markdown"}); // as wide as it needs to be
    std::erase(table, '\\');
    std::set<std::string> labels;
    const dormer::metrics::LaunchGroups groups(*session);
    for (const dormer::metrics::LaunchGroup& group : groups.all()) {
        CHECK(group.label.size() < 60);
        CHECK(holds(table, group.label));
        labels.insert(group.label);
    }
    CHECK(labels.size() == 5);
    CHECK(labels.contains("combine<Least>"));
    CHECK(labels.contains("combine<Moved>"));
    CHECK(labels.contains("hidden"));
}

TEST_CASE("Ranges in every script survive a German locale, and no format follows it") {
    const CommandFolder folder;
    const GermanLocale locale;
    if (!locale.isThere()) {
        WARN("no German locale, and none can be made");
        return;
    }
    const Environment german{{"LC_ALL", GermanLocale::kName}}, plain{{"LC_ALL", "C"}};
    const std::string file = profile(folder, "unicode", german);
    const auto launches = nlohmann::json::parse(shown(file, {"--format", "json"}))["launches"];
    std::vector<std::string> names;
    for (const auto& launch : launches)
        names.push_back(launch["nvtx"].is_null() ? "" : launch["nvtx"].get<std::string>());
    CHECK(names == std::vector<std::string>{"Stra\u00dfe; 12,5 %", "he said \"no, never\"",
                                            "\u884c\u5217 \U0001F680", "two\r\nlines\tand a tab", "=1+2",
                                            "</script><i>", "a > b", "broken \ufffd\ufffd( bytes", "",
                                            "wide Stra\u00dfe \U0001F680"});
    const std::string csv = shown(file, {"--format", "csv"});
    CHECK(holds(csv, ",\"he said \"\"no, never\"\"\"\r\n"));
    CHECK(holds(csv, ",\"two\r\nlines\tand a tab\"\r\n"));
    CHECK(holds(csv, ",wide Stra\u00dfe \U0001F680\r\n"));
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--format", "json"},
                                                    {"--format", "csv"},
                                                    {"--format", "csv", "--wide"},
                                                    {"--format", "markdown"},
                                                    {"--format", "table"}})
        CHECK(shown(file, options, german) == shown(file, options, plain));
    for (const char* ending : {"html", "md", "csv", "json", "svg"}) {
        const std::string one = folder / (std::string("german.") + ending),
                          other = folder / (std::string("plain.") + ending);
        REQUIRE(runCli({"report", file, "-o", one}, german).exitCode == 0);
        REQUIRE(runCli({"report", file, "-o", other}, plain).exitCode == 0);
        CHECK(readFile(one) == readFile(other));
    }
}
