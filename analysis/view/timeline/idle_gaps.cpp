// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/idle_gaps.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace dormer::view::timeline {

namespace {

using session::LaunchIndex;

constexpr std::int64_t kLatestNs = 4'000'000'000'000'000'000;
/// From a launch to its kernel's first instruction on an idle GPU, and from one kernel's end to the next
/// one's begin in a stream, take less.
constexpr std::int64_t kLongestLaunchLatencyNs = 10'000;

struct Ran {
    std::int64_t beginNs = 0, endNs = 0;
    LaunchIndex launch{};
};

/// By index into Session::devices(): launches by begin, transfers likewise.
struct OfDevice {
    std::vector<Ran> launches;
    std::vector<TransferSpan> transfers;
};

std::map<std::size_t, OfDevice> byDevice(const session::Session& session) {
    std::map<std::size_t, OfDevice> devices;
    const auto deviceOf = [&](std::uint32_t process, std::int32_t device) {
        const auto at = session.deviceIndex().find({process, device});
        return at != session.deviceIndex().end() ? std::optional(at->second) : std::nullopt;
    };
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        if (!hasPlaceInTime(session, LaunchIndex{i})) continue;
        if (const auto device = deviceOf(launch.process, launch.device))
            devices[*device].launches.push_back({launch.startNs, endOf(launch), LaunchIndex{i}});
    }
    for (const session::Transfer& transfer : session.transfers())
        if (const auto device = deviceOf(transfer.process, transfer.device))
            std::ranges::copy(spansOf(transfer), std::back_inserter(devices[*device].transfers));
    for (auto& [device, ran] : devices) {
        std::ranges::sort(ran.launches, {}, &Ran::beginNs);
        std::ranges::sort(ran.transfers, {}, &TransferSpan::beginNs);
    }
    return devices;
}

IdleCause causeOf(const session::Launch& next, std::int64_t beginNs, std::int64_t copiedNs) {
    const std::int64_t lengthNs = next.startNs - beginNs;
    if (2 * copiedNs >= lengthNs) return IdleCause::Copy;
    if (next.calledNs <= 0) return IdleCause::Unknown;
    if (next.calledNs >= beginNs)
        return next.waitedUntilNs >= beginNs ? IdleCause::Synchronization : IdleCause::Host;
    if (lengthNs <= kLongestLaunchLatencyNs) return IdleCause::LaunchLatency;
    // The call itself may take long: when it has to load the kernel, or finds the queue full.
    const auto returnedNs = next.calledNs + static_cast<std::int64_t>(next.callNs.value_or(0));
    return returnedNs > beginNs + lengthNs / 2 ? IdleCause::Host : IdleCause::Dependency;
}

/// Time in which transfers ran within [beginNs, endNs); `first` is the first that may: it moves on, as gaps
/// come in order.
std::int64_t copiedWithin(const std::vector<TransferSpan>& transfers, std::size_t& first,
                          std::int64_t beginNs, std::int64_t endNs) {
    while (first < transfers.size() && transfers[first].endNs <= beginNs)
        ++first;
    std::int64_t copiedNs = 0, untilNs = beginNs; // they may overlap
    for (std::size_t i = first; i < transfers.size() && transfers[i].beginNs < endNs; ++i) {
        const std::int64_t from = std::max(untilNs, transfers[i].beginNs);
        const std::int64_t to = std::min(endNs, transfers[i].endNs);
        if (to <= from) continue;
        copiedNs += to - from;
        untilNs = to;
    }
    return copiedNs;
}

} // namespace

std::string_view toString(IdleCause cause) {
    constexpr std::array<std::string_view, kIdleCauseCount> kNames{
        "host", "synchronization", "copy", "dependency", "launch latency", "unknown"};
    return kNames[static_cast<std::size_t>(cause)];
}

std::string_view meaning(IdleCause cause) {
    constexpr std::array<std::string_view, kIdleCauseCount> kMeanings{
        "the host had not launched the next kernel yet",
        "the host was waiting for the GPU, and launched the next kernel only then",
        "a copy or fill ran, and no kernel",
        "the next kernel had been launched, and waited for an event, another stream or its turn",
        "the next kernel had been launched, and began as soon as the GPU could",
        "when the host launched the next kernel is not known"};
    return kMeanings[static_cast<std::size_t>(cause)];
}

bool isTime(std::int64_t ns) {
    return ns > 0 && ns < kLatestNs;
}

std::int64_t endOf(const session::Launch& launch) {
    const double ns = std::clamp(launch.durationNs.value_or(0), 0.0, static_cast<double>(kLatestNs));
    return launch.startNs + static_cast<std::int64_t>(ns);
}

bool hasPlaceInTime(const session::Session& session, LaunchIndex launch) {
    return isTime(session.launch(launch).startNs) && session.originOf(launch) != session::Origin::Emulated;
}

std::vector<TransferSpan> spansOf(const session::Transfer& transfer) {
    std::vector<TransferSpan> spans;
    if (!isTime(transfer.startNs) || !isTime(transfer.endNs)) return spans;
    if (transfer.spans.spans.empty()) {
        // Of several only the first's begin and the last's end are known.
        if (transfer.count == 1 && transfer.endNs >= transfer.startNs)
            spans.push_back({transfer.startNs, transfer.endNs});
        return spans;
    }
    for (const session::Spans::Span& span : transfer.spans.spans) {
        if (span.beginNs < 0 || span.beginNs >= kLatestNs || span.lengthNs >= kLatestNs) continue;
        const std::int64_t begin = transfer.startNs + span.beginNs;
        if (isTime(begin)) spans.push_back({begin, begin + span.lengthNs});
    }
    return spans;
}

std::vector<IdleGap> idleGaps(const session::Session& session) {
    std::vector<IdleGap> gaps;
    for (const auto& [device, ran] : byDevice(session)) {
        std::size_t firstTransfer = 0;
        std::int64_t busyUntilNs = 0;
        for (const Ran& each : ran.launches) {
            if (busyUntilNs > 0 && each.beginNs > busyUntilNs) {
                const std::int64_t copiedNs =
                    copiedWithin(ran.transfers, firstTransfer, busyUntilNs, each.beginNs);
                gaps.push_back({device, busyUntilNs, each.beginNs,
                                causeOf(session.launch(each.launch), busyUntilNs, copiedNs), each.launch});
            }
            busyUntilNs = std::max(busyUntilNs, each.endNs);
        }
    }
    return gaps;
}

double DeviceTime::busyNs() const {
    return spanNs - std::accumulate(idleNs.begin(), idleNs.end(), 0.0);
}

std::vector<DeviceTime> deviceTimes(const session::Session& session, const std::vector<IdleGap>& gaps) {
    std::vector<DeviceTime> times;
    for (const auto& [device, ran] : byDevice(session)) {
        if (ran.launches.empty()) continue;
        DeviceTime time{.device = device};
        const std::int64_t end = std::ranges::max(ran.launches, {}, &Ran::endNs).endNs;
        time.spanNs = static_cast<double>(end - ran.launches.front().beginNs);
        for (const IdleGap& gap : gaps) {
            if (gap.device != device) continue;
            const auto cause = static_cast<std::size_t>(gap.cause);
            time.idleNs[cause] += static_cast<double>(gap.endNs - gap.beginNs);
            ++time.gaps[cause];
            time.longestNs[cause] = std::max(time.longestNs[cause], gap.endNs - gap.beginNs);
        }
        times.push_back(time);
    }
    return times;
}

} // namespace dormer::view::timeline
