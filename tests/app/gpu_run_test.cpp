// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The whole path on a real GPU: dormer run as a process, its stream, its file, its answers.

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/metrics/metric.h"
#include "analysis/store/session_file.h"
#include "analysis/verdict/verify.h"
#include "tests/support/catch.h"
#include "tests/support/gpu.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace dormer;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::store;
using namespace dormer::verdict;

namespace {

struct Ran {
    int exitCode = -1;
    std::string out;
    std::vector<double> lineAt; ///< seconds since the start
};

/// Runs the dormer beside this test: the tests may have been carried to another machine.
Ran runDormer(const std::string& arguments) {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "dormer";
    Ran ran;
    const auto start = std::chrono::steady_clock::now();
    std::FILE* pipe = popen(("'" + program.string() + "' " + arguments).c_str(), "r"); // NOLINT: fixed words
    REQUIRE(pipe != nullptr);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        ran.out += static_cast<char>(c);
        if (c == '\n')
            ran.lineAt.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const int status = pclose(pipe);
    ran.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

/// Ends the program as skipped where no GPU can be counted, unless one is required.
void requireGpu() {
    static const Ran tried = runDormer("run --on gpu vector_sum/coalesced --repeat 1 --quiet 2>&1");
    if (tried.exitCode != 3) return;
    tests::skipWithoutGpu(tried.out);
}

struct File {
    std::string path = (std::filesystem::temp_directory_path() / "dormer-gpu-run-test.dormer").string();
    ~File() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE("the suite's counters are complete in at most five passes and its known answers hold") {
    requireGpu();
    const File file;
    const Ran ran = runDormer("run --on gpu --verify --quiet -o '" + file.path + "' 2>&1");
    INFO(ran.out);
    CHECK(ran.exitCode == 0);
    const Result<Session> session = loadSession(file.path);
    REQUIRE(session.has_value());
    REQUIRE(session->processes().size() == 1);
    CHECK(session->processes().front().counterSet == "memory");
    CHECK(session->processes().front().passes >= 1);
    CHECK(session->processes().front().passes <= 5);
    REQUIRE(session->launches().size() >= 15);
    for (const Launch& launch : session->launches()) {
        INFO(launch.workload << ": " << launch.notCounted);
        CHECK(launch.counted);
        CHECK(launch.durationNs.value_or(0) > 0);
        CHECK(launch.blocksPerSm.value_or(0) > 0);
        CHECK_FALSE(launch.workload.empty());
        CHECK(launch.nvtx.starts_with(launch.workload)); // CUB's own ranges nest inside
    }
    const diagnosis::Diagnosis diagnosis(*session);
    for (std::size_t group = 0; group < diagnosis.groups().size(); ++group)
        for (const diagnosis::GroupFinding& each : diagnosis.findingsOfGroup(group)) {
            INFO(each.title << ": " << each.evidence);
            CHECK(each.code != "missing-counters");
        }
    const MetricEvaluator metrics(*session);
    const std::vector<Answer> answers = verify(metrics);
    CHECK(answers.size() >= session->checks().size() + 15);
    for (const Answer& answer : answers) {
        INFO(answer.workload << ": " << answer.what << ", reported " << answer.reported);
        CHECK(answer.held);
    }
}

TEST_CASE("CUB's kernels carry CUB's NVTX range") {
    requireGpu();
    const File file;
    CHECK(runDormer("run --on gpu 'device_wide/*' --repeat 1 --quiet --set live -o '" + file.path + "' 2>&1")
              .exitCode == 0);
    const Result<Session> session = loadSession(file.path);
    REQUIRE(session.has_value());
    for (const Launch& launch : session->launches()) {
        INFO(launch.nvtx);
        CHECK(launch.nvtx.find(" > ") != std::string::npos);
    }
}

TEST_CASE("each launch is printed when it is complete, not at the end") {
    requireGpu();
    const Ran ran = runDormer("run --on gpu --quiet --format jsonl 2>&1");
    CHECK(ran.exitCode == 0);
    REQUIRE(ran.lineAt.size() >= 15);
    const double span = ran.lineAt.back() - ran.lineAt.front();
    INFO("first line after " << ran.lineAt.front() << " s, last after " << ran.lineAt.back() << " s");
    CHECK(span > 0.25 * ran.lineAt.back());
}

TEST_CASE("timing alone needs no counters") {
    requireGpu();
    const File file;
    CHECK(runDormer("run --on gpu 'vector_sum/*' --repeat 2 --quiet --set none -o '" + file.path + "' 2>&1")
              .exitCode == 0);
    const Result<Session> session = loadSession(file.path);
    REQUIRE(session.has_value());
    REQUIRE(session->launches().size() == 4);
    CHECK(session->launches().front().durationNs.has_value());
    CHECK_FALSE(session->launches().front().counted);
    CHECK(session->counters().names().empty());
}

TEST_CASE("Option --launches counts a few of each kind and times them all") {
    requireGpu();
    const File file;
    CHECK(runDormer("run --on gpu 'vector_sum/*' --repeat 4 --launches 1 --quiet -o '" + file.path + "' 2>&1")
              .exitCode == 0);
    const Result<Session> session = loadSession(file.path);
    REQUIRE(session.has_value());
    REQUIRE(session->launches().size() == 8);
    int counted = 0;
    for (const Launch& launch : session->launches())
        counted += launch.counted ? 1 : 0;
    CHECK(counted == 2);
}

TEST_CASE("lines add up to the launch's counters, and show the strided access and the conflict") {
    requireGpu();
    const File file;
    // Several kernels in one process: CUPTI alone gives records of the first one only.
    const Ran ran = runDormer(
        "run --on gpu vector_sum/coalesced vector_sum/uncoalesced transpose/tiled histogram/global_atomics"
        " --lines --size 1048576 --repeat 2 --quiet -o '" +
        file.path + "' 2>&1");
    INFO(ran.out);
    REQUIRE(ran.exitCode == 0);
    const auto session = loadSession(file.path);
    REQUIRE(session);
    REQUIRE(session->launches().size() == 8);
    for (std::uint32_t i = 0; i < session->launches().size(); ++i) {
        const LaunchIndex launch{i};
        const std::string& workload = session->launch(launch).workload;
        CAPTURE(workload);
        double loads = 0, stores = 0, conflicts = 0, sectors = 0, ideal = 0;
        for (const LineCounts& line : session->lines(launch)) {
            CHECK_FALSE(line.file.empty());
            CHECK(line.line > 0);
            CHECK_FALSE(line.instruction.empty());
            if (line.op == MemoryOperation::Load) loads += static_cast<double>(line.sectors.value_or(0));
            if (line.op == MemoryOperation::Store) stores += static_cast<double>(line.sectors.value_or(0));
            sectors += static_cast<double>(line.sectors.value_or(0));
            ideal += static_cast<double>(line.sectorsIdeal.value_or(0));
            conflicts = std::max(conflicts, static_cast<double>(line.wavefronts.value_or(0)) /
                                                static_cast<double>(line.wavefrontsIdeal.value_or(1)));
        }
        CHECK(session->counter(launch, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum") == loads);
        CHECK(session->counter(launch, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum") == stores);
        if (workload == "vector_sum/uncoalesced") CHECK(sectors == 8 * ideal); // 32 lanes, 4 sectors of use
        if (workload == "vector_sum/coalesced") CHECK(sectors == ideal);
        if (workload == "transpose/tiled") CHECK(conflicts == 32);
    }
}
