// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/analysis/compare/side.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::string write(const CommandFolder& folder, const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
}

std::string save(const CommandFolder& folder, const std::string& name, const session::Session& session) {
    REQUIRE(store::saveSession(session, folder / name));
    return folder / name;
}

const std::string kPage =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"usecond\"\n\"0\",\"7\",\"scale\",\"0\",\"9.0\",\"12.50\"\n";

} // namespace

TEST_CASE("import makes a session that says so and what is missing", "[import]") {
    const CommandFolder folder;
    const std::string page = write(folder, "page.csv", kPage), file = folder / "page.dormer";
    const CliResult result = runCli({"import", page, "-o", file});
    CHECK(result.exitCode == 0);
    CHECK(result.out.empty());
    CHECK(holds(result.err, "wrote " + file + " (1 launch"));
    CHECK(holds(result.err, "note: Not concluded: DRAM traffic"));
    const CliResult table = runCli({"show", file});
    CHECK(holds(table.out, "imported"));
    CHECK(holds(table.out, "12.5"));
    CHECK(runCli({"import", page, "-o", file}).exitCode == 2);
    CHECK(runCli({"import", page, "-o", file, "-f"}).exitCode == 0);
    CHECK(runCli({"report", file, "-o", folder / "page.html"}).exitCode == 0);
    CHECK(holds(readFile(folder / "page.html"), "imported"));
    for (const std::string& bad :
         {write(folder, "bad", "x"), folder / "none", save(folder, "own.dormer", sampleSession())}) {
        const CliResult refused = runCli({"import", bad, "-o", folder / "out.dormer"});
        INFO(refused.err);
        CHECK(refused.exitCode == 5);
        CHECK(refused.isOneErrorLine());
    }
}

TEST_CASE("compare prints its formats, and refuses other devices", "[compare]") {
    const CommandFolder folder;
    Side base, fresh, other(session::Origin::Measured, "NVIDIA A100");
    base.kernel("scale()", spread(1e5));
    fresh.kernel("scale()", spread(0.7e5));
    other.kernel("scale()", spread(1e5));
    const std::string a = save(folder, "a.dormer", base.session()),
                      b = save(folder, "b.dormer", fresh.session());
    for (const char* format : {"table", "markdown", "html", "json"}) {
        const CliResult result = runCli({"compare", a, b, "--format", format});
        INFO(result.err);
        CHECK(result.exitCode == 0);
        CHECK(holds(result.out, "faster"));
        CHECK(holds(result.out, "scale"));
    }
    const std::string c = save(folder, "c.dormer", other.session());
    const CliResult refused = runCli({"compare", a, c});
    CHECK(refused.exitCode == 2);
    CHECK(holds(refused.errorLine(), "NVIDIA A100"));
    CHECK(refused.isOneErrorLine());
    CHECK(holds(runCli({"compare", a, c, "--force"}).out, "unsure"));
    CHECK(runCli({"compare", a, folder / "none.dormer"}).exitCode == 5);
}

TEST_CASE("check ends with what the rules say", "[check]") {
    const CommandFolder folder;
    const std::string session = save(folder, "s.dormer", sampleSession());
    const auto check = [&](const std::string& rules, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"check", write(folder, "rules.toml", rules), session};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    };
    const std::string holding = "rules = ['transpose/tiled_padded: shared_wavefronts_excess == 0']";
    const std::string broken = "rules = ['^transpose/tiled$: shared_wavefronts_excess == 0']";
    CHECK(check(holding).exitCode == 0);
    const CliResult failed = check(broken);
    CHECK(failed.exitCode == 1);
    CHECK(holds(failed.out, "BROKEN"));
    for (const char* format : {"json", "junit", "sarif", "github"}) {
        const std::string file = folder / std::string("out.") + format;
        CHECK(check(broken, {"--format", format, "-o", file}).exitCode == 1);
        CHECK(holds(readFile(file), "transpose/tiled"));
    }
    const CliResult unknown = check("rules = ['l2_hit_rat > 0']");
    CHECK(unknown.exitCode == 2);
    CHECK(holds(unknown.errorLine(), "did you mean l2_hit_rate"));
    CHECK(holds(check("rules = ['no finding uncoalesed']").errorLine(), "uncoalesced"));
    const CliResult baseline = check("rules = ['duration_ns <= baseline']");
    CHECK(baseline.exitCode == 2);
    CHECK(holds(baseline.errorLine(), "--baseline"));
    CHECK(check("rules = ['duration_ns <= baseline']", {"--baseline", session}).exitCode == 0);
    CHECK(check("rules = [").exitCode == 2);
    CHECK(check("rules = [").isOneErrorLine());
    CHECK(runCli({"check", folder / "none.toml", session}).exitCode == 5);
    CHECK(
        runCli({"check", write(folder, "ok.toml", holding), write(folder, "broken.dormer", "x")}).exitCode ==
        5);
}

TEST_CASE("show --roofline draws the chart, and refuses forms that can't hold it", "[cli]") {
    const std::string file = DORMER_SOURCE_DIR "/samples/h100-basics.dormer";
    const CliResult all = runCli({"show", file, "--roofline"});
    INFO(all.err);
    REQUIRE(all.exitCode == 0);
    CHECK(holds(all.out, "arithmetic intensity, FLOP per DRAM byte"));
    CHECK_FALSE(holds(all.out, "slopes, highest first")); // of several kernels, only over DRAM
    const CliResult one = runCli({"show", file, "--roofline", "--kernel", "^roofline/vector_add$"});
    REQUIRE(one.exitCode == 0);
    CHECK(holds(one.out, "slopes, highest first"));
    for (const char* format : {"csv", "markdown"}) {
        const CliResult refused = runCli({"show", file, "--roofline", "--format", format});
        CHECK(refused.exitCode == 2);
        CHECK(std::ranges::count(refused.err, '\n') == 1);
    }
    CHECK(runCli({"show", file, "--roofline", "--timeline"}).exitCode == 2);
}
