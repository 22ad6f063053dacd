// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Programs that are hard to count on a GPU, profiled as a user does: dormer run as a process, and its file.

#include "analysis/store/session_file.h"
#include "analysis/view/timeline/timeline.h"
#include "tests/support/catch.h"
#include "tests/support/dormer_beside.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <array>
#include <chrono>

using namespace dormer;
using namespace dormer::session;

namespace {

struct Profiled {
    int exitCode = -1;
    std::string out;
    double seconds = 0;
    Session session;
};

Profiled profile(const std::string& options, const std::string& what) {
    const auto path = std::filesystem::temp_directory_path() / "dormer-gpu-profile-test.dormer";
    const auto program = tests::folderOfThisTest() / "waiting_program";
    const auto begin = std::chrono::steady_clock::now();
    const tests::Ran ran = tests::runDormer("profile --on gpu " + options + " -f -o '" + path.string() +
                                            "' -- '" + program.string() + "' " + what + " 2>&1");
    Profiled done;
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (ran.exitCode == 3) tests::skipWithoutGpu(ran.out);
    done.exitCode = ran.exitCode;
    done.out = ran.out;
    Result<Session> session = store::loadSession(path.string());
    std::filesystem::remove(path);
    INFO(ran.out);
    REQUIRE(session.has_value());
    done.session = std::move(*session);
    return done;
}

LaunchIndex launchOf(const Session& session, std::string_view kernel) {
    for (std::size_t i = 0; i < session.launches().size(); ++i)
        if (session.kernelOf(LaunchIndex(i)).name.find(kernel) != std::string::npos) return LaunchIndex(i);
    FAIL("no launch of " << kernel);
    return {};
}

} // namespace

TEST_CASE("Passes spread over launches, and replays, count what one launch does and change no result") {
    for (const char* how : {"none", "kernel", "auto"}) {
        INFO(how);
        const Profiled run = profile(std::string("--set memory --replay ") + how, "in_place");
        CHECK(run.exitCode == 0);
        // a' = (a + 2) / 2 + 1 for sixty times from 0 ends at 4, whatever was counted.
        CHECK_THAT(run.out, Catch::Contains("value 4.000000"));
        CHECK(run.session.launches().size() == 120);
        // All are timed but those that a pass counted: one in each of four passes and three rounds at most.
        CHECK(std::ranges::count_if(run.session.launches(), [](const Launch& launch) {
                  return launch.durationNs.has_value();
              }) >= (std::string_view(how) == "none" ? 96 : 120));
        const LaunchIndex one = launchOf(run.session, "addOne"), twice = launchOf(run.session, "addTwice");
        // 64 blocks of 256 threads.
        const auto counter = [&](LaunchIndex launch, const char* name) {
            return run.session.counter(launch, name).value_or(-1);
        };
        CHECK(counter(one, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") == 16384);
        CHECK(counter(one, "smsp__sass_inst_executed_op_global_ld.sum") == 512);
        CHECK(counter(one, "l1tex__t_bytes.sum") == 131072);
        CHECK(counter(twice, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 16384);
        // What ranges say of their own length would be some 10 µs too much.
        CHECK_FALSE(run.session.counter(one, "gpu__time_duration.sum").has_value());
    }
}

TEST_CASE("Kernels that wait for what the program does next end, counted or not") {
    for (const char* options : {"--set memory", "--set memory --replay none", "--set sampled"})
        for (const char* what : {"host", "stream"}) {
            INFO(options << " " << what);
            const Profiled run = profile(options, what);
            CHECK(run.exitCode == 0);
            CHECK(run.seconds < 20);
            CHECK(run.session.launches().size() == 12);
        }
}

TEST_CASE("A kernel that prints does so once, and a device that is reset is no end") {
    for (const char* options :
         {"--set sampled", "--set memory", "--set memory --lines", "--lines", "--stalls"}) {
        INFO(options);
        const Profiled printed = profile(options, "print");
        CHECK(printed.exitCode == 0);
        for (int i = 0; i < 8; ++i) {
            const std::string line = "said " + std::to_string(i) + "\n";
            const std::size_t at = printed.out.find(line);
            INFO(line);
            CHECK(at != std::string::npos);
            CHECK(printed.out.find(line, at + 1) == std::string::npos);
        }
        CHECK(printed.session.launches().size() == 8);
        const Profiled reset = profile(options, "reset");
        CHECK(reset.exitCode == 0);
        CHECK(reset.session.launches().size() == 3);
    }
}

TEST_CASE("Gaps between kernels are told by what the GPU waited for, and its activity over time") {
    using view::timeline::IdleCause;
    for (const char* options : {"--set none", "--set sampled"}) {
        INFO(options);
        const Profiled run = profile(options, "gaps");
        CHECK(run.exitCode == 0);
        const view::timeline::Timeline timeline = view::timeline::timelineOf(run.session);
        constexpr std::array kCauses{IdleCause::Host, IdleCause::Synchronization, IdleCause::Copy,
                                     IdleCause::Dependency};
        std::array<double, kCauses.size()> all{}, right{};
        for (const view::timeline::IdleGap& gap : timeline.gaps) {
            const std::size_t kind = run.session.launch(gap.next).grid.x - 1;
            REQUIRE(kind < kCauses.size());
            const auto ns = static_cast<double>(gap.endNs - gap.beginNs);
            all[kind] += ns;
            if (gap.cause == kCauses[kind]) right[kind] += ns;
        }
        for (std::size_t kind = 0; kind < kCauses.size(); ++kind) {
            INFO(toString(kCauses[kind]) << ": " << right[kind] << " of " << all[kind] << " ns");
            CHECK(right[kind] > 0.9 * all[kind]);
        }
        const bool sampled = std::string_view(options) == "--set sampled";
        CHECK(run.session.deviceActivity().empty() != sampled);
        CHECK(std::ranges::any_of(timeline.rows, [](const auto& row) {
                  return row.title == "SMs active" && !row.steps.empty();
              }) == sampled);
    }
}

TEST_CASE("Programs that end without a word keep the launches that they waited for") {
    for (const char* options : {"--set none", "--set sampled", "--set memory"})
        for (const char* what : {"_exit", "abort", "kill"}) {
            INFO(options << " " << what);
            const Profiled run = profile(options, what);
            CHECK(run.session.launches().size() == 7);
        }
}
