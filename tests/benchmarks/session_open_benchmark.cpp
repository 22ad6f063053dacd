// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "analysis/verdict/verdict.h"
#include "tests/support/sample_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

/// benchmark_session_open [LAUNCHES [KEEP.dormer]]: judges a generated session, saves it and opens it again,
/// thrice.
int main(int argc, char** argv) {
    using Clock = std::chrono::steady_clock;
    const auto seconds = [](Clock::time_point since) {
        return std::chrono::duration<double>(Clock::now() - since).count();
    };
    // Beside the wall's, the processor's time tells what a machine at rest would need.
    const auto cpuSeconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    const std::size_t launches = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
    const bool keep = argc > 2;
    const std::filesystem::path path =
        keep ? std::filesystem::path(argv[2])
             : std::filesystem::temp_directory_path() / "session_open_benchmark.dormer";

    auto begin = Clock::now();
    const auto session = dormer::tests::generatedSession(launches);
    fmt::print("generate {} launches, {} counters: {:.3f} s\n", launches, session.counters().names().size(),
               seconds(begin));

    double cpuBegin = cpuSeconds();
    const dormer::metrics::MetricEvaluator metrics(session);
    std::size_t memoryBound = 0;
    for (std::uint32_t i = 0; i < launches; ++i)
        memoryBound += dormer::verdict::judge(metrics, dormer::session::LaunchIndex{i}).bound ==
                               dormer::verdict::Bound::Memory
                           ? 1
                           : 0;
    fmt::print("judge: {:.3f} s of processor, {} memory-bound\n", cpuSeconds() - cpuBegin, memoryBound);

    begin = Clock::now();
    cpuBegin = cpuSeconds();
    if (const auto saved = dormer::store::saveSession(session, path); !saved) {
        fmt::print(stderr, "{}\n", saved.error().message);
        return static_cast<int>(saved.error().kind);
    }
    fmt::print("save: {:.3f} s ({:.3f} s of processor), {:.1f} MB\n", seconds(begin), cpuSeconds() - cpuBegin,
               static_cast<double>(std::filesystem::file_size(path)) / 1e6);

    double best = 1e9, bestCpu = 1e9;
    for (int i = 0; i < 3; ++i) {
        begin = Clock::now();
        cpuBegin = cpuSeconds();
        const auto loaded = dormer::store::loadSession(path);
        if (!loaded || loaded->launches().size() != launches) {
            fmt::print(stderr, "{}\n", loaded ? "launches are missing" : loaded.error().message);
            return 5;
        }
        best = std::min(best, seconds(begin));
        bestCpu = std::min(bestCpu, cpuSeconds() - cpuBegin);
    }
    fmt::print("open: {:.3f} s ({:.3f} s of processor), best of 3\n", best, bestCpu);
    if (!keep) std::filesystem::remove(path);
    return 0;
}
