// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/timeline.h"

#include "analysis/view/timeline/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace dormer::view::timeline {

namespace {

using session::LaunchIndex;
using session::Session;

/// Bars that overlap go below each other, but a row does not grow without end.
constexpr int kMostLanes = 6;
/// Kernels of one stream follow one another: what their times overlap by is how exact these are, or the head
/// start of a kernel launched ahead of its stream's order.
constexpr std::int64_t kOverlapOfStreamNs = 1'000;

void arrange(TimelineRow& row) {
    std::ranges::sort(row.bars, {}, [](const Bar& bar) { return std::tuple(bar.beginNs, -bar.endNs); });
    std::vector<std::int64_t> ends; // by lane
    const std::int64_t overlap = row.kind == RowKind::Kernels ? kOverlapOfStreamNs : 0;
    for (Bar& bar : row.bars) {
        const auto free =
            std::ranges::find_if(ends, [&](std::int64_t end) { return end <= bar.beginNs + overlap; });
        bar.lane = static_cast<int>(free - ends.begin());
        if (free != ends.end())
            *free = bar.endNs;
        else if (static_cast<int>(ends.size()) < kMostLanes)
            ends.push_back(bar.endNs);
        else
            bar.lane = kMostLanes - 1;
        row.longestNs = std::max(row.longestNs, bar.endNs - bar.beginNs);
    }
    row.lanes = std::max(1, static_cast<int>(ends.size()));
}

/// Which process and device; which is said only where there are several.
class Scopes {
public:
    explicit Scopes(const Session& session) : m_session(session) {}
    [[nodiscard]] std::string ofProcess(std::uint32_t process) const {
        if (m_session.processes().size() < 2) return {};
        const session::Process& each = m_session.processes()[process];
        const std::size_t slash = each.program.rfind('/');
        return fmt::format("{} {}{}{}",
                           slash == std::string::npos ? each.program : each.program.substr(slash + 1),
                           each.pid, each.host.empty() ? "" : " on ", each.host);
    }
    [[nodiscard]] std::string ofDevice(std::size_t device) const {
        return fmt::format("GPU {}", m_session.devices()[device].id);
    }
    [[nodiscard]] std::string of(std::uint32_t process, std::int32_t device) const {
        const std::string program = ofProcess(process);
        return fmt::format("{}{}GPU {}", program, program.empty() ? "" : " · ", device);
    }

private:
    const Session& m_session;
};

std::string transferTitle(const session::Transfer& transfer) {
    const std::string_view direction = toString(transfer.direction);
    std::string title(toString(transfer.kind));
    if (!direction.empty()) title += fmt::format(" {}", direction);
    std::ranges::replace(title, '_', ' ');
    return title;
}

/// By process, device and name, so that rows of one device stay together.
using Key = std::tuple<std::uint32_t, std::int32_t, RowKind, std::uint64_t, std::string>;

std::map<Key, TimelineRow> barRows(const Session& session, const Scopes& scopes) {
    std::map<Key, TimelineRow> rows;
    std::map<std::tuple<std::uint32_t, std::int32_t, std::uint64_t>, TimelineRow*> streams;
    const auto rowOf = [&](const Key& key, const std::string& title, const std::string& scope) {
        TimelineRow& row = rows[key];
        if (row.title.empty()) row = {.kind = std::get<2>(key), .title = title, .scope = scope};
        return &row;
    };
    for (std::size_t i = 0; i < session.ranges().size(); ++i) {
        const session::NvtxRange& range = session.ranges()[i];
        if (!isTime(range.startNs) || !isTime(range.endNs) || range.endNs < range.startNs) continue;
        rowOf({range.process, std::numeric_limits<std::int32_t>::min(), RowKind::Ranges, 0, ""},
              "NVTX ranges", scopes.ofProcess(range.process))
            ->bars.push_back({range.startNs, range.endNs, i});
    }
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        if (!hasPlaceInTime(session, LaunchIndex{i})) continue;
        const session::Launch& launch = session.launches()[i];
        TimelineRow*& row = streams[{launch.process, launch.device, launch.stream}];
        if (row == nullptr)
            row = rowOf({launch.process, launch.device, RowKind::Kernels, launch.stream, ""},
                        fmt::format("stream {}", launch.stream), scopes.of(launch.process, launch.device));
        row->bars.push_back({launch.startNs, endOf(launch), i});
    }
    for (std::size_t i = 0; i < session.transfers().size(); ++i) {
        const session::Transfer& transfer = session.transfers()[i];
        for (const TransferSpan& span : spansOf(transfer)) {
            const std::string title = transferTitle(transfer);
            rowOf({transfer.process, transfer.device, RowKind::Transfers, 0, title}, title,
                  scopes.of(transfer.process, transfer.device))
                ->bars.push_back({span.beginNs, span.endNs, i});
        }
    }
    return rows;
}

bool anyOnGpu(const Session& session) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (hasPlaceInTime(session, LaunchIndex{i})) return true;
    return false;
}

} // namespace

Timeline timelineOf(const Session& session) {
    Timeline timeline;
    if (!anyOnGpu(session)) return timeline;
    const Scopes scopes(session);
    timeline.gaps = idleGaps(session);
    std::map<Key, TimelineRow> rows = barRows(session, scopes);
    const auto take = [&](bool ranges) {
        for (auto& [key, row] : rows)
            if ((std::get<2>(key) == RowKind::Ranges) == ranges) timeline.rows.push_back(std::move(row));
    };
    take(true);
    for (std::size_t device = 0; device < session.devices().size(); ++device) {
        for (TimelineRow& row : activityRows(session, device)) {
            row.scope = scopes.ofDevice(device);
            timeline.rows.push_back(std::move(row));
        }
        TimelineRow idle{.kind = RowKind::Idle, .title = "idle", .scope = scopes.ofDevice(device)};
        for (std::size_t i = 0; i < timeline.gaps.size(); ++i)
            if (timeline.gaps[i].device == device)
                idle.bars.push_back({timeline.gaps[i].beginNs, timeline.gaps[i].endNs, i});
        if (!idle.bars.empty()) timeline.rows.push_back(std::move(idle));
    }
    take(false);

    std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = 0;
    for (TimelineRow& row : timeline.rows) {
        arrange(row);
        for (const Bar& bar : row.bars)
            begin = std::min(begin, bar.beginNs), end = std::max(end, bar.endNs);
        for (const Step& step : row.steps)
            begin = std::min(begin, step.beginNs), end = std::max(end, step.endNs);
    }
    timeline.originNs = begin;
    timeline.lengthNs = std::max<std::int64_t>(1, end - begin);
    for (TimelineRow& row : timeline.rows) {
        for (Bar& bar : row.bars)
            bar.beginNs -= begin, bar.endNs -= begin;
        for (Step& step : row.steps)
            step.beginNs -= begin, step.endNs -= begin;
    }
    return timeline;
}

std::vector<std::size_t> barsBetween(const TimelineRow& row, std::int64_t fromNs, std::int64_t toNs) {
    std::vector<std::size_t> found;
    const auto first = std::ranges::lower_bound(row.bars, fromNs - row.longestNs, {}, &Bar::beginNs);
    for (auto bar = first; bar != row.bars.end() && bar->beginNs < toNs; ++bar)
        if (bar->endNs > fromNs || bar->beginNs >= fromNs)
            found.push_back(static_cast<std::size_t>(bar - row.bars.begin()));
    return found;
}

} // namespace dormer::view::timeline
