// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/process.h"
#include "tests/support/catch.h"
#include "tests/support/gpu.h"

#include "kernels/suite/registry.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

using namespace dormer;
using dormer::tests::Finished;
using dormer::tests::runWorkloads;

namespace {

/// Ends the whole program as skipped where there is no device, unless one is required.
void requireGpu() {
    const Finished tried = runWorkloads("vector_sum/coalesced --size 2048 --repeat 1");
    if (tried.exitCode != 3) return;
    tests::skipWithoutGpu(tried.err);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

TEST_CASE("every workload's result is right at its default size") {
    requireGpu();
    const Finished finished = runWorkloads("");
    INFO(finished.out << finished.err);
    CHECK(finished.exitCode == 0);
    const auto lines = linesOf(finished.out);
    const auto all = kernels::everything();
    REQUIRE(lines.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(lines[i].starts_with(kernels::pathOf(all[i]) + " "));
        CHECK(lines[i].find(" ok ") != std::string::npos);
    }
}

TEST_CASE("results are right at odd sizes and other seeds") {
    requireGpu();
    for (const char* arguments : {"--size 1 --repeat 1", "--size 100003 --repeat 3 --seed 7",
                                  "--size 1000000 --repeat 2 --seed 18446744073709551615"}) {
        const Finished finished = runWorkloads(arguments);
        INFO(arguments << '\n' << finished.out << finished.err);
        CHECK(finished.exitCode == 0);
        CHECK(linesOf(finished.out).size() == kernels::everything().size());
    }
}

TEST_CASE("a device that is not there is named") {
    requireGpu();
    const Finished finished = runWorkloads("vector_sum --device 1000");
    CHECK(finished.exitCode == 3);
    CHECK(finished.err.find("no CUDA device 1000") != std::string::npos);
}

TEST_CASE("a size beyond the memory is refused before it is tried") {
    requireGpu();
    // 2^30 elements take 47 GB in this family; on larger devices they simply run.
    const Finished finished = runWorkloads("roofline/vector_add --size 1073741824 --repeat 1");
    INFO(finished.err);
    CHECK((finished.exitCode == 0 ||
           (finished.exitCode == 2 && finished.err.find("--size") != std::string::npos)));
}

TEST_CASE("under a collector every family is a session of equal passes, followed by its checks") {
    requireGpu();
    const auto log = std::filesystem::temp_directory_path() / ("workloads-log-" + std::to_string(getpid()));
    const Finished finished =
        runWorkloads("--size 65536 --repeat 2",
                     "DORMER_COLLECTOR=" +
                         (dormer::tests::programFolder() / "libdormer_kernels_fake_collector.so").string() +
                         " FAKE_COLLECTOR_LOG=" + log.string());
    std::ifstream file(log);
    std::map<std::string, int> pushes;
    std::vector<std::string> pass;
    std::vector<std::string> firstPass;
    int sessions = 0;
    std::size_t checks = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("push ")) {
            ++pushes[line.substr(5)];
            pass.push_back(line);
        } else if (line.starts_with("pass ") || line == "end") {
            if (line == "pass 2") firstPass = pass;
            if (line == "pass 3" || line == "end") CHECK(pass == firstPass);
            if (line == "end") ++sessions;
            pass.clear();
        } else if (line.starts_with("check ")) {
            INFO(line);
            CHECK(line.find(" 1 ") != std::string::npos);
            ++checks;
        }
    }
    file.close();
    std::filesystem::remove(log);
    CHECK(finished.exitCode == 0);
    CHECK(finished.out.empty());
    int wantedSessions = 0;
    for (const kernels::Family& family : kernels::families()) {
        std::set<bool> kinds; // what launches no kernels has a session of its own
        for (const kernels::Group& group : family.groups)
            kinds.insert(group.launchesKernels);
        wantedSessions += static_cast<int>(kinds.size());
    }
    CHECK(sessions == wantedSessions);
    CHECK(checks == kernels::everything().size());
    for (const kernels::Selected& place : kernels::everything()) {
        INFO(kernels::pathOf(place));
        // 3 passes of 2 launches; graphs that are kept are captured once before, in their range.
        const bool kept = kernels::pathOf(place).starts_with("graphs/");
        const int count = pushes[kernels::pathOf(place)];
        CHECK((count == 6 || (kept && count == 7)));
    }
}
