// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/activity.h"

#include "analysis/device/architecture.h"
#include "analysis/view/number_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view::timeline {

namespace {

using session::DeviceActivity;

/// What fills a row: a ceiling of the device, or its busy cycles: SMs times SM clock.
enum class Full { Dram, L2, Issue, SmCycles };

struct Activity {
    std::string_view counter;
    std::string_view title;
    Full full;
    double perCount = 1; ///< what a count makes of what `full` counts
    bool always = true;  ///< shown where it was zero throughout
};

constexpr double kSectorBytes = 32;
constexpr auto kActivities = std::to_array<Activity>({
    {"sm__cycles_active.sum", "SMs active", Full::SmCycles},
    {"smsp__issue_active.sum", "issue slots", Full::Issue},
    {"sm__pipe_tensor_cycles_active.sum", "tensor pipe", Full::SmCycles, 1, false},
    {"dram__bytes_read.sum", "DRAM read", Full::Dram},
    {"dram__bytes_write.sum", "DRAM write", Full::Dram},
    {"lts__t_sectors.sum", "L2", Full::L2, kSectorBytes},
});

std::vector<const DeviceActivity*> activityOf(const session::Session& session, std::size_t device,
                                              std::string_view counter) {
    std::vector<const DeviceActivity*> all;
    for (const DeviceActivity& each : session.deviceActivity()) {
        if (each.counter != counter || !isTime(each.startNs) || each.stepNs <= 0) continue;
        const auto at = session.deviceIndex().find({each.process, each.device});
        if (at != session.deviceIndex().end() && at->second == device) all.push_back(&each);
    }
    std::ranges::sort(all, {}, &DeviceActivity::startNs);
    return all;
}

/// Mean of the clock that was sampled, while the device was sampled; else its maximum.
double smClockHz(const session::Session& session, std::size_t device) {
    double sum = 0, count = 0;
    for (const DeviceActivity* each : activityOf(session, device, "sm__cycles_elapsed.avg.per_second"))
        for (const double hz : each->values.values)
            if (hz > 0) sum += hz, ++count;
    return count > 0 ? sum / count : session.devices()[device].smClockMaxHz;
}

struct Filled {
    double perSecond = 0;
    std::string text;
};

Filled fullOf(const session::Session& session, std::size_t index, Full full) {
    const session::Device& device = session.devices()[index];
    const auto rate = [](double bytesPerSecond) {
        const NumberScale scale = scaleFor(metrics::Unit::BytesPerSecond, std::span(&bytesPerSecond, 1));
        return Filled{bytesPerSecond, fmt::format("{} {}", scale.text(bytesPerSecond), scale.unit)};
    };
    const double smCycles = device.smCount * smClockHz(session, index);
    const device::Architecture* architecture = device::architectureOf(device);
    switch (full) {
    case Full::SmCycles:
        return {smCycles, fmt::format("{} SMs", device.smCount)};
    case Full::Issue:
        return {architecture != nullptr ? smCycles * architecture->warpIssues : 0, "an instruction a cycle"};
    case Full::Dram:
        return rate(device::peakPerSecond(device, architecture, device::Resource::Dram,
                                          device::maximumClocks(device)));
    case Full::L2:
        break;
    }
    return rate(
        device::peakPerSecond(device, architecture, device::Resource::L2, device::maximumClocks(device)));
}

} // namespace

std::vector<TimelineRow> activityRows(const session::Session& session, std::size_t device) {
    std::vector<TimelineRow> rows;
    for (const Activity& activity : kActivities) {
        const std::vector<const DeviceActivity*> all = activityOf(session, device, activity.counter);
        if (all.empty()) continue;
        Filled full = fullOf(session, device, activity.full);
        if (!(full.perSecond > 0)) continue;
        TimelineRow row{.kind = RowKind::Activity, .title = std::string(activity.title), .full = full.text};
        bool any = activity.always;
        for (const DeviceActivity* each : all) {
            std::int64_t at = each->startNs;
            for (const double value : each->values.values) {
                if (!isTime(at)) break;
                const double share = value * activity.perCount / full.perSecond;
                any = any || share > 0;
                if (std::isfinite(share)) row.steps.push_back({at, at + each->stepNs, share});
                at += each->stepNs;
            }
        }
        if (any && !row.steps.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace dormer::view::timeline
