// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Streams launches as a program that runs for minutes does, through what shows them live, and prints time and
// peak memory: live_memory_benchmark [LAUNCHES [all]]. With "all", none is folded.
#include "analysis/diagnosis/diagnosis.h"
#include "instrument/launch/live_fold.h"
#include "instrument/stream/codec.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>

using namespace dormer;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t kKernels = 40;

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

session::Launch launchOf(std::uint64_t id) {
    session::Launch launch;
    launch.id = id;
    launch.kernel = id % kKernels;
    launch.grid = {132, 1, 1};
    launch.block = {256, 1, 1};
    launch.nvtx = id % kKernels < 20 ? "train > forward" : "train > backward";
    launch.startNs = static_cast<std::int64_t>(1'800'000'000'000'000'000 + id * 30'000);
    launch.durationNs = 20'000 + static_cast<double>(id * 7919 % 1000);
    return launch;
}

} // namespace

int main(int argc, char* argv[]) {
    const std::uint64_t launches = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
    const bool all = argc > 2 && std::string_view(argv[2]) == "all";
    session::Session session;
    diagnosis::Diagnosis diagnosis(session);
    instrument::launch::LiveFold fold;
    const auto show = [&] {
        for (const auto& each : fold.take())
            if (const auto kept = session.apply(each.kept, each.process))
                diagnosis.fold(*kept, {each.launches, each.ns});
        return diagnosis.groups().size();
    };
    const auto apply = [&](const session::Record& record) {
        if (!all && fold.absorbs(record, 0)) return;
        const auto changed = session.apply(record);
        diagnosis.follow(record, changed);
    };
    session::ProcessStart start;
    start.process.bySignature = true;
    apply(start);
    for (std::uint64_t id = 0; id < kKernels; ++id)
        apply(session::Kernel{
            .id = id, .mangledName = fmt::format("kernel{}", id), .name = fmt::format("kernel{}()", id)});
    const double before = peakMegabytes();
    const auto began = Clock::now();
    double seconds = 0, showing = 0, expectedNs = 0;
    for (std::uint64_t id = 0; id < launches; ++id) {
        expectedNs += *launchOf(id).durationNs;
        const std::string line = instrument::stream::formatRecord(launchOf(id));
        const auto at = Clock::now();
        if (const auto record = instrument::stream::parseRecord(line)) apply(*record);
        seconds += std::chrono::duration<double>(Clock::now() - at).count();
        if (id % 50'000 == 0) { // as a screen does now and then
            const auto shown = Clock::now();
            static_cast<void>(show());
            showing += std::chrono::duration<double>(Clock::now() - shown).count();
        }
    }
    const std::size_t groups = show();
    std::size_t calls = 0;
    double ns = 0;
    for (const metrics::LaunchGroup& group : diagnosis.groups()) {
        calls += group.calls();
        ns += group.totalNs;
    }
    fmt::print(
        "{} launches in {} groups, {} kept, {:.1f} s in all, {:.2f} us each to read and fold, {:.2f} s to "
        "show; peak memory {:.0f} MB, {:.0f} MB of it before\n",
        calls, groups, session.launches().size(), std::chrono::duration<double>(Clock::now() - began).count(),
        1e6 * seconds / static_cast<double>(launches), showing, peakMegabytes(), before);
    const bool right = calls == launches && std::abs(ns - expectedNs) < 1e-9 * expectedNs;
    if (!right)
        fmt::print(stderr, "{} launches and {} ns were sent, {} and {} arrived\n", launches, expectedNs,
                   calls, ns);
    return right ? 0 : 1;
}
