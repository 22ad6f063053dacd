// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_program.h"

#include "analysis/device/measured.h"
#include "analysis/findings/finding_catalogue.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace dormer::findings {

namespace {

/// What a launch costs the host where that was not measured: 2 to 4 us by CPU and driver (NVIDIA, "Getting
/// Started with CUDA Graphs": 3.8 us per launch where the GPU waits for the host).
constexpr double kLaunchNs = 3000;
/// Fewer short launches are a program's start and end.
constexpr std::size_t kMany = 100;
constexpr double kWorthwhile = 0.1;
/// Kernels that leave more than this of the GPU idle could run beside others.
constexpr double kHalfEmpty = 0.5;
constexpr std::size_t kFewInARow = 4;
/// Identifiers of the legacy default stream: CUPTI's, and the emulator's.
constexpr std::uint64_t kMeasuredDefault = 7, kEmulatedDefault = 1;

/// As measured on this host (dormer ceilings), of the first device that has it; 0 when none has.
double launchesPerSecond(const session::Session& session) {
    for (const session::Device& device : session.devices())
        if (const double rate = device::measuredRate(session, device.id, "launches"); rate > 0) return rate;
    return 0;
}

void checkLaunches(const session::Session& session, std::vector<TransferFinding>& out) {
    std::size_t count = 0, inGraphs = 0;
    double shortNs = 0, allNs = 0;
    std::vector<std::size_t> launchesOf(session.kernels().size());
    for (const session::Launch& launch : session.launches()) {
        const auto ns = metrics::plausibleDurationNs(launch);
        if (!ns) continue;
        allNs += *ns;
        if (*ns >= verdict::kTooShortNs) continue;
        if (launch.graphNode) {
            ++inGraphs;
            continue;
        }
        ++count;
        shortNs += *ns;
        ++launchesOf[launch.kernel];
    }
    const double measured = launchesPerSecond(session);
    const double hostNs = static_cast<double>(count) * (measured > 0 ? 1e9 / measured : kLaunchNs);
    if (count < kMany || hostNs < kWorthwhile * allNs || hostNs < shortNs / 2) return;
    std::map<std::string, std::size_t> kernels;
    for (std::size_t i = 0; i < launchesOf.size(); ++i)
        kernels[session::shortKernelName(session.kernels()[i].name)] += launchesOf[i];
    const auto most =
        std::ranges::max_element(kernels, {}, &std::pair<const std::string, std::size_t>::second);
    const std::string graphs =
        inGraphs > 0 ? fmt::format("; {} more come from CUDA graphs",
                                   metrics::forPeople(static_cast<double>(inGraphs), metrics::Unit::Count))
                     : "";
    out.push_back(
        {most->first, hostNs,
         makeFinding(
             FindingKind::LaunchOverhead,
             fmt::format("{} launches run for {} each, {} in total; at {} launching them costs {} of host "
                         "time{}",
                         metrics::forPeople(static_cast<double>(count), metrics::Unit::Count),
                         metrics::forPeople(shortNs / static_cast<double>(count), metrics::Unit::Nanoseconds),
                         metrics::forPeople(shortNs, metrics::Unit::Nanoseconds),
                         measured > 0
                             ? fmt::format("{} each, measured here,",
                                           metrics::forPeople(1e9 / measured, metrics::Unit::Nanoseconds))
                             : "about 3 µs each (2 to 4 by CPU and driver)",
                         metrics::forPeople(hostNs, metrics::Unit::Nanoseconds), graphs),
             std::nullopt)});
}

std::uint64_t defaultStream(const session::Session& session, session::LaunchIndex launch) {
    return session.originOf(launch) == session::Origin::Emulated ? kEmulatedDefault : kMeasuredDefault;
}

/// Kernels of the default stream between those of others: they wait for all that came before, and all that
/// comes after waits for them (CUDA C++ Programming Guide, implicit synchronization).
void checkDefaultStream(const session::Session& session, std::vector<TransferFinding>& out) {
    std::size_t between = 0, waiting = 0;
    double ns = 0;
    std::set<std::uint64_t> streams;
    bool others = false;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        if (launch.graphNode) continue;
        if (launch.stream == defaultStream(session, session::LaunchIndex{i})) {
            waiting += others ? 1 : 0;
            ns += others ? metrics::plausibleDurationNs(launch).value_or(0) : 0;
            continue;
        }
        between += std::exchange(waiting, 0);
        others = true;
        streams.insert(launch.stream);
    }
    if (between == 0 || streams.size() < 2) return;
    out.push_back(
        {"default stream", ns,
         makeFinding(
             FindingKind::SerialStreams,
             fmt::format("{} launch{} in the default stream among those of {} other streams: each waits for "
                         "all of them, and they wait for it",
                         between, between == 1 ? "" : "es", streams.size()),
             std::nullopt)});
}

/// A row of small kernels in one stream, with nothing in between that the host waits for.
void checkSerialKernels(const session::Session& session, std::vector<TransferFinding>& out) {
    std::vector<std::int64_t> copies;
    for (const session::Transfer& transfer : session.transfers())
        copies.push_back(transfer.startNs);
    std::ranges::sort(copies);
    const auto copiesBefore = [&](std::int64_t ns) {
        return std::ranges::lower_bound(copies, ns) - copies.begin();
    };
    std::size_t best = 0, row = 0;
    double bestNs = 0, rowNs = 0;
    const session::Launch* before = nullptr;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        const auto ns = metrics::plausibleDurationNs(launch);
        const session::Device* device = session.deviceOf(session::LaunchIndex{i});
        const double slots =
            device != nullptr ? launch.blocksPerSm.value_or(1) * static_cast<double>(device->smCount) : 0;
        const bool small = ns && *ns >= verdict::kTooShortNs && !launch.graphNode && slots > 0 &&
                           static_cast<double>(launch.grid.count()) < kHalfEmpty * slots &&
                           static_cast<double>(launch.grid.count()) < kHalfEmpty * device->smCount;
        const bool follows = small && before != nullptr && before->stream == launch.stream &&
                             before->process == launch.process &&
                             copiesBefore(before->startNs) == copiesBefore(launch.startNs);
        if (!follows) {
            row = 0;
            rowNs = 0;
        }
        before = small ? &launch : nullptr;
        if (!small) continue;
        ++row;
        rowNs += *ns;
        if (rowNs <= bestNs) continue;
        best = row;
        bestNs = rowNs;
    }
    if (best < kFewInARow) return;
    out.push_back(
        {"one stream", bestNs,
         makeFinding(FindingKind::SerialStreams,
                     fmt::format("{} launches in a row leave more than half of the SMs idle, one after the "
                                 "other in one stream, {} in total",
                                 best, metrics::forPeople(bestNs, metrics::Unit::Nanoseconds)),
                     std::nullopt)});
}

} // namespace

void programFindings(const session::Session& session, std::vector<TransferFinding>& out) {
    checkLaunches(session, out);
    checkDefaultStream(session, out);
    checkSerialKernels(session, out);
}

} // namespace dormer::findings
