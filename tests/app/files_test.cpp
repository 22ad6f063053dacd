// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"
#include "tests/support/line_session.h"
#include "tests/support/sample_session.h"
#include "tests/support/source_session.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::string saveSample(const CommandFolder& folder, const std::string& name = "sample.dormer") {
    const std::string path = folder / name;
    REQUIRE(store::saveSession(sampleSession(), path));
    return path;
}

nlohmann::json showJson(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"show", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = runCli(arguments);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return nlohmann::json::parse(result.out);
}

} // namespace

TEST_CASE("show prints every format of a session", "[show]") {
    const CommandFolder folder;
    const std::string file = saveSample(folder);
    const auto json = showJson({file});
    CHECK(json.at("schema") == 1);
    CHECK(json.at("launches").size() == sampleSession().launches().size());
    for (const char* format : {"table", "csv", "markdown"}) {
        const CliResult result = runCli({"show", file, "--format", format});
        CHECK(result.exitCode == 0);
        CHECK(result.err.empty());
        INFO(format << ":\n" << result.out);
        CHECK(holds(result.out, "roofline/scale"));
    }
}

TEST_CASE("show begins with what to do and where, and keeps source through --kernel", "[show]") {
    const CommandFolder folder;
    const std::string file = folder / "source.dormer", page = folder / "source.html";
    REQUIRE(store::saveSession(tests::sourceSession(), file));
    for (const std::vector<std::string>& filter : {std::vector<std::string>{}, {"--kernel", "^transpose$"}}) {
        std::vector<std::string> arguments{"show", file};
        arguments.insert(arguments.end(), filter.begin(), filter.end());
        const std::string out = runCli(arguments).out;
        INFO(out);
        CHECK(out.starts_with("Recommendations, by estimated time saved:\n 1  "));
        CHECK(holds(out, "transpose: Shared-memory bank conflicts at transpose.cu:12\n"));
        CHECK(out.find("transpose.cu:12") < out.find("\nverdict"));
    }
    CHECK(showJson({file}).at("todo").at(0).at("finding").at("places").at(0).at("line") == 12);
    REQUIRE(runCli({"report", file, "-o", page}).exitCode == 0);
    std::ifstream in(page);
    const std::string html{std::istreambuf_iterator<char>(in), {}};
    CHECK(holds(html, "in[y * 1024 + x];"));
}

TEST_CASE("show --kernel keeps the launches that match", "[show]") {
    const CommandFolder folder;
    const std::string file = saveSample(folder);
    const session::Session sample = sampleSession();
    const std::string workload = sample.launches().front().workload;
    REQUIRE_FALSE(workload.empty());
    const auto expected = static_cast<std::size_t>(
        std::count_if(sample.launches().begin(), sample.launches().end(),
                      [&](const session::Launch& launch) { return launch.workload == workload; }));
    REQUIRE(expected < sample.launches().size());
    const auto json = showJson({file, "--kernel", "^" + workload + "$"});
    CHECK(json.at("launches").size() == expected);
    const CliResult none = runCli({"show", file, "--kernel", "no such kernel"});
    CHECK(none.exitCode == 2);
    CHECK(none.isOneErrorLine());
}

TEST_CASE("Aliases name kernels in what is shown, and wrong ones are refused", "[show]") {
    const CommandFolder folder;
    const std::string file = saveSample(folder), aliases = folder / "names.txt", page = folder / "out.md";
    std::ofstream(aliases) << "# ours\n::DeviceReduceKernel< => sum of everything\n";
    const CliResult shown = runCli({"show", file, "--aliases", aliases});
    INFO(shown.err << shown.out);
    CHECK(shown.exitCode == 0);
    CHECK(holds(shown.out, "sum of everything"));
    CHECK_FALSE(holds(shown.out, "cub::DeviceReduceKernel"));
    REQUIRE(runCli({"report", file, "--aliases", aliases, "-o", page}).exitCode == 0);
    CHECK(holds(readFile(page), "sum of everything"));
    CHECK(showJson({file, "--aliases", aliases, "--kernel", "^sum of"}).at("launches").size() > 0);

    std::ofstream(aliases) << "saxpy\n";
    const CliResult wrong = runCli({"show", file, "--aliases", aliases});
    CHECK(wrong.exitCode == 2);
    CHECK(wrong.isOneErrorLine());
    CHECK(holds(wrong.err, "names.txt:1: expected 'PATTERN => NAME'"));
}

TEST_CASE("show --lines shows source lines in every format", "[show]") {
    const CommandFolder folder;
    const std::string file = folder / "lines.dormer";
    REQUIRE(store::saveSession(lineSession(), file));
    const CliResult table = runCli({"show", file, "--lines"});
    CHECK(table.exitCode == 0);
    CHECK(holds(table.out, "a.cu:5"));
    CHECK(holds(table.out, "inlined at b.cuh:20 < a.cu:6"));
    const auto json = showJson({file, "--lines"});
    CHECK(json.at("launches").at(0).at("lines").size() == 5);
    CHECK_FALSE(showJson({file}).at("launches").at(0).contains("lines"));
    CHECK(holds(runCli({"show", file, "--lines", "--format", "csv"}).out, "0,,k,measured,/src/a.cu,5,"));
    CHECK(holds(runCli({"show", file, "--lines", "--format", "markdown"}).out, "| a.cu:5 |"));
    // Kept by --kernel, too.
    CHECK(holds(runCli({"show", file, "--lines", "--kernel", "^k$"}).out, "a.cu:5"));
    const CliResult none = runCli({"show", saveSample(folder), "--lines"});
    CHECK(none.exitCode == 2);
    CHECK(none.isOneErrorLine());
    CHECK(holds(none.err, "has no counts per line: collect them with --lines"));
}

TEST_CASE("report writes what the ending names, merging several files", "[report]") {
    const CommandFolder folder;
    const std::string file = saveSample(folder);
    for (const char* ending : {"html", "md", "csv", "json", "svg"}) {
        const std::string output = folder / (std::string{"out."} + ending);
        const CliResult result = runCli({"report", file, "-o", output});
        INFO(result.err);
        CHECK(result.exitCode == 0);
        CHECK(readFile(output).size() > 100);
    }
    const std::string merged = folder / "merged.json";
    REQUIRE(runCli({"report", file, saveSample(folder, "second.dormer"), "-o", merged}).exitCode == 0);
    CHECK(nlohmann::json::parse(readFile(merged)).at("launches").size() ==
          2 * sampleSession().launches().size());
}

TEST_CASE("a report that can't be written is refused in one line", "[report]") {
    const CommandFolder folder;
    const std::string file = saveSample(folder);
    for (const std::string& output : {folder / "missing/out.html", folder / "out.docx"}) {
        const CliResult result = runCli({"report", file, "-o", output});
        CHECK(result.exitCode == 2);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, output));
    }
}

TEST_CASE("an unreadable session is one line naming it, and exit code 5", "[show]") {
    const CommandFolder folder;
    const std::string whole = readFile(saveSample(folder));
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::ofstream{folder / name, std::ios::binary} << bytes;
        return folder / name;
    };
    std::string overwritten = whole;
    for (std::size_t i = 4096; i < std::min<std::size_t>(overwritten.size(), 12288); ++i)
        overwritten[i] = static_cast<char>(i * 131);
    const std::vector<std::string> files{
        folder / "missing.dormer",
        write("empty.dormer", ""),
        write("text.dormer", "hello, I am no database\n"),
        write("head.dormer", whole.substr(0, 100)),
        write("half.dormer", whole.substr(0, whole.size() / 2)),
        write("overwritten.dormer", overwritten),
        folder / "", // a folder
    };
    for (const std::string& file : files) {
        INFO(file);
        for (const auto& arguments : {std::vector<std::string>{"show", file},
                                      std::vector<std::string>{"report", file, "-o", folder / "out.html"}}) {
            const CliResult result = runCli(arguments);
            INFO(result.err);
            CHECK(result.exitCode == 5);
            CHECK(result.isOneErrorLine());
            CHECK(holds(result.err, file));
            CHECK(result.out.empty());
        }
    }
}
