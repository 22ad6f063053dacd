// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/roofline/chart_feed.h"

#include "analysis/view/plot/roof_geometry.h"
#include "ui/sessions/session_hub.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace dormer::ui::roofline {

using session::LaunchIndex;

namespace {

/// How many launches are placed between two looks at the clock.
constexpr int kBatch = 16;

void collect(std::unordered_map<std::uint32_t, GutterGroup>& groups, std::uint32_t label,
             session::LaunchIndex launch, double durationNs) {
    GutterGroup& group = groups[label];
    if (durationNs > group.longestNs) {
        group.longestNs = durationNs;
        group.longest = launch;
    }
    group.labelId = label;
    group.totalNs += durationNs;
    ++group.launches;
}

/// Tells a launch without the work from one that worked but moved nothing at the chosen level.
bool worksAtAnyLevel(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                     verdict::Work work) {
    using verdict::MemoryLevel;
    for (const verdict::MemoryLevel level :
         {verdict::MemoryLevel::Dram, verdict::MemoryLevel::L2, verdict::MemoryLevel::L1}) {
        const auto point = verdict::rooflinePoint(metrics, launch, work, level);
        if (point && point->rate > 0) return true;
    }
    return false;
}

} // namespace

int Gutter::listed() const {
    std::uint32_t sum = 0;
    for (const auto* groups : {&withoutWork, &withoutTraffic}) {
        for (const GutterGroup& group : *groups)
            sum += group.launches;
    }
    return static_cast<int>(sum);
}

void ChartFeed::restart() {
    m_points.clear();
    m_entries.clear();
    m_queue.clear();
    m_labelIds.clear();
    m_labelled.clear();
    m_gutterStale = m_labelsStale = true;
    refreshRoofs();
    const std::size_t count = m_hub.session().launches().size();
    m_entries.resize(count);
    m_queued.assign(count, true);
    for (std::size_t i = 0; i < count; ++i)
        m_queue.push_back(session::LaunchIndex{static_cast<std::uint32_t>(i)});
}

void ChartFeed::enqueue(session::LaunchIndex launch) {
    // What is sampled belongs to a signature: news of a launch that is drawn are news of all like it.
    const session::Session& session = m_hub.session();
    const bool isDrawn =
        session::raw(launch) < m_entries.size() && m_entries[session::raw(launch)].place != Place::None;
    if (isDrawn && session.processes()[session.launch(launch).process].bySignature) {
        const diagnosis::Diagnosis& diagnosis = m_hub.diagnosis();
        for (const session::LaunchIndex each : diagnosis.groups()[diagnosis.groupOf(launch)].launches)
            enqueueOne(each);
        return;
    }
    enqueueOne(launch);
}

void ChartFeed::enqueueOne(session::LaunchIndex launch) {
    if (session::raw(launch) >= m_queued.size()) m_queued.resize(session::raw(launch) + 1, false);
    if (m_queued[session::raw(launch)]) return;
    m_queued[session::raw(launch)] = true;
    m_queue.push_back(launch);
}

void ChartFeed::requeue() {
    refreshRoofs();
    for (std::size_t i = 0; i < m_hub.session().launches().size(); ++i) {
        enqueueOne(session::LaunchIndex{static_cast<std::uint32_t>(i)});
    }
}

bool ChartFeed::advance(double budgetMs, double nowMs) {
    if (m_queue.empty()) return false;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double, std::milli>(budgetMs);
    do {
        for (int i = 0; i < kBatch && !m_queue.empty(); ++i) {
            const session::LaunchIndex launch = m_queue.front();
            m_queue.pop_front();
            m_queued[session::raw(launch)] = false;
            place(launch, nowMs);
        }
    } while (!m_queue.empty() && Clock::now() < end);
    m_gutterStale = m_labelsStale = true;
    return true;
}

void ChartFeed::choose(verdict::Work work, verdict::MemoryLevel level) {
    m_roofline.work = work;
    m_roofline.level = level;
}

void ChartFeed::setFilter(std::function<bool(session::LaunchIndex)> accepts) {
    m_accepts = std::move(accepts);
    m_points.filter([this](session::LaunchIndex launch) { return this->accepts(launch); });
    m_gutterStale = m_labelsStale = true;
}

void ChartFeed::refreshRoofs() {
    m_roofline = view::plot::roofsOf(m_hub.session(), m_roofline.work, m_roofline.level);
}

std::uint32_t ChartFeed::labelOf(session::LaunchIndex launch) {
    const session::LaunchSignature signature = m_hub.diagnosis().signatureOf(launch);
    session::LaunchSignature key{.kernel = signature.kernel, .workload = signature.workload};
    const auto known = m_labelIds.find(key);
    if (known != m_labelIds.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(m_labelled.size());
    m_labelled.push_back(launch);
    m_labelIds.emplace(std::move(key), id);
    return id;
}

std::string ChartFeed::labelText(std::uint32_t id) const {
    return m_hub.diagnosis().label(m_labelled[id]);
}

std::string ChartFeed::labelTextOf(session::LaunchIndex launch) const {
    if (session::raw(launch) >= m_entries.size() || m_entries[session::raw(launch)].place == Place::None)
        return {};
    return labelText(m_entries[session::raw(launch)].label);
}

void ChartFeed::place(session::LaunchIndex launch, double nowMs) {
    const session::Session& session = m_hub.session();
    if (session::raw(launch) >= m_entries.size()) m_entries.resize(session.launches().size());
    Entry& entry = m_entries[session::raw(launch)];
    entry.label = labelOf(launch);
    entry.durationNs = session.launch(launch).durationNs.value_or(0);

    const session::Device* device = session.deviceOf(launch);
    std::optional<verdict::RooflinePoint> where;
    if (device && device != &session.devices().front()) {
        entry.place = Place::OtherDevice;
    } else {
        where = verdict::rooflinePoint(m_hub.metrics(), launch, m_roofline.work, m_roofline.level);
        if (!where) {
            entry.place = Place::NotCounted;
        } else if (where->rate > 0 && where->intensity > 0 && std::isfinite(where->intensity)) {
            entry.place = Place::Point;
        } else {
            entry.place = worksAtAnyLevel(m_hub.metrics(), launch, m_roofline.work) ? Place::WithoutTraffic
                                                                                    : Place::WithoutWork;
        }
    }
    if (entry.place != Place::Point) {
        m_points.remove(launch);
        return;
    }
    entry.durationNs = where->durationNs;
    m_points.put({.launch = launch,
                  .bound = m_hub.verdict(launch).bound,
                  .x = std::log10(where->intensity),
                  .y = std::log10(where->rate),
                  .durationNs = where->durationNs,
                  .appearedMs = nowMs,
                  .label = entry.label,
                  .shown = accepts(launch)});
}

const Gutter& ChartFeed::gutter() const {
    if (!m_gutterStale) return m_gutter;
    m_gutterStale = false;
    m_gutter = {};
    std::unordered_map<std::uint32_t, GutterGroup> withoutWork, withoutTraffic;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const session::LaunchIndex launch{static_cast<std::uint32_t>(i)};
        if (entry.place == Place::None || entry.place == Place::Point || !accepts(launch)) continue;
        switch (entry.place) {
        case Place::WithoutWork:
            collect(withoutWork, entry.label, launch, entry.durationNs);
            break;
        case Place::WithoutTraffic:
            collect(withoutTraffic, entry.label, launch, entry.durationNs);
            break;
        case Place::NotCounted:
            ++m_gutter.notCounted;
            break;
        case Place::OtherDevice:
            ++m_gutter.otherDevices;
            break;
        default:
            break;
        }
    }
    const auto finish = [this](const std::unordered_map<std::uint32_t, GutterGroup>& from,
                               std::vector<GutterGroup>& into) {
        for (const auto& [id, group] : from) {
            into.push_back(group);
            into.back().label = labelText(id);
            into.back().bound = m_hub.verdict(group.longest).bound;
        }
        std::sort(into.begin(), into.end(), [](const GutterGroup& a, const GutterGroup& b) {
            return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.labelId < b.labelId;
        });
    };
    finish(withoutWork, m_gutter.withoutWork);
    finish(withoutTraffic, m_gutter.withoutTraffic);
    return m_gutter;
}

const std::vector<ChartLabel>& ChartFeed::labels() const {
    if (!m_labelsStale) return m_labels;
    m_labelsStale = false;
    m_labels.assign(m_labelled.size(), {});
    std::vector<double> longest(m_labelled.size(), -1);
    for (const ChartPoint& point : m_points.all()) {
        if (!point.shown) continue;
        ChartLabel& label = m_labels[point.label];
        label.id = point.label;
        label.totalNs += point.durationNs;
        if (point.durationNs > longest[point.label]) {
            longest[point.label] = point.durationNs;
            label.longest = point.launch;
        }
    }
    std::erase_if(m_labels,
                  [&](const ChartLabel& label) { return longest[label.id] < 0 || label.totalNs <= 0; });
    std::sort(m_labels.begin(), m_labels.end(), [](const ChartLabel& a, const ChartLabel& b) {
        return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.id < b.id;
    });
    return m_labels;
}

} // namespace dormer::ui::roofline
