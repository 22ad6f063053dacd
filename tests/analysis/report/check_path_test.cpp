// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dormer;
using namespace dormer::diagnosis;
using namespace dormer::metrics;
using namespace dormer::report;
using namespace dormer::session;
using dormer::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

} // namespace

TEST_CASE("a report's path is tried without leaving or harming a file", "[report]") {
    const TemporaryFolder folder;
    const fs::path fresh = folder.path() / "new.html";
    CHECK(checkReportPath(fresh));
    CHECK_FALSE(fs::exists(fresh));
    const fs::path old = folder.path() / "old.csv";
    std::ofstream(old) << "keep me";
    CHECK(checkReportPath(old));
    CHECK(contentOf(old) == "keep me");
}

TEST_CASE("bad report paths say what is wrong and what to do", "[report]") {
    const TemporaryFolder folder;
    for (const fs::path& path : {folder.path() / "report.pdf", folder.path() / "report",
                                 folder.path() / "no/such/r.html", folder.path() / "folder.html"}) {
        fs::create_directories(folder.path() / "folder.html");
        const auto checked = checkReportPath(path);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().kind == ErrorKind::Usage);
        CHECK(checked.error().message.find(path.string()) == 0);
        CHECK(checked.error().message.find('\n') == std::string::npos);
        const Session session = tests::sampleSession();
        const auto written = writeReport(Diagnosis(session), path);
        REQUIRE_FALSE(written);
        CHECK(written.error().message == checked.error().message);
    }
}

TEST_CASE("the ending chooses the format, whatever its case", "[report]") {
    const TemporaryFolder folder;
    const Session session = tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::pair<const char*, const char*> cases[] = {{"a.html", "<!doctype html>"},
                                                         {"a.md", "# Dormer"},
                                                         {"a.csv", "launch,"},
                                                         {"a.json", "{"},
                                                         {"a.svg", "<svg xmlns"},
                                                         {"A.SVG", "<svg xmlns"},
                                                         {"a.trace.json", "{\"displayTimeUnit\""}};
    for (const auto& [name, start] : cases) {
        REQUIRE(writeReport(diagnosis, folder.path() / name));
        CHECK(contentOf(folder.path() / name).starts_with(start));
    }
}

TEST_CASE("a full disk is an error, not a short report", "[report]") {
    if (!fs::exists("/dev/full")) return;
    const TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder.path() / "full.html");
    const Session session = tests::sampleSession();
    CHECK_FALSE(writeReport(Diagnosis(session), folder.path() / "full.html"));
}
