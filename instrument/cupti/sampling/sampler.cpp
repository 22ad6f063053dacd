// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/sampler.h"

#include "instrument/cupti/sampling/activity_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace dormer::instrument::cupti::sampling {

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
/// Bursts that wait for times of their launches; a program that calls far ahead of the GPU makes them wait.
constexpr std::size_t kMostPending = 64;
/// Times of what ran are kept for that long, for bursts that wait.
constexpr std::int64_t kKeepNs = 60'000 * kMillisecond;
constexpr std::int64_t kFirstTellNs = 1'000 * kMillisecond, kLongestTellNs = 10'000 * kMillisecond;
constexpr std::int64_t kIdlePollNs = 2 * kMillisecond;
/// What launches wait for: sampling to be set up, which takes 0.3 to 0.5 s from the first allocation on, and
/// later a burst to begin.
constexpr std::int64_t kSetUpNs = 1'000 * kMillisecond, kLongestWaitNs = 50 * kMillisecond,
                       kAllWaitsNs = 250 * kMillisecond;
/// Of so many a program leaves some idle.
constexpr unsigned kSpareCores = 4;

} // namespace

Sampler::Sampler(std::int32_t device, Open open, Timeline& timeline, SamplerHost host)
    : m_device(device)
    , m_open(std::move(open))
    , m_timeline(timeline)
    , m_host(std::move(host))
    , m_tellEveryNs(kFirstTellNs)
    , m_plan(1, std::thread::hardware_concurrency() >= kSpareCores)
    , m_waitLeftNs(kAllWaitsNs) {
    m_thread = std::thread([this] { run(); });
}

Sampler::~Sampler() {
    stop();
}

void Sampler::note(const std::string& code, const std::string& text) {
    m_host.emit(session::Note{0, code, text});
}

void Sampler::launchRan(std::int64_t durationNs) {
    const std::lock_guard lock(m_mutex);
    m_launched = true;
    m_plan.ran(durationNs);
}

void Sampler::awaitBurst() {
    std::unique_lock lock(m_mutex);
    const std::int64_t beganNs = m_host.nowNs();
    if (beganNs < m_freshUntilNs) return;
    const std::size_t started = m_started;
    const std::int64_t limitNs = started == 0 ? kSetUpNs : std::min(kLongestWaitNs, m_waitLeftNs);
    if (limitNs <= 0) return;
    m_wanted = true;
    m_wake.notify_all();
    m_begun.wait_for(lock, std::chrono::nanoseconds(limitNs),
                     [&] { return m_ended || m_stop || m_started != started; });
    if (started != 0) m_waitLeftNs -= m_host.nowNs() - beganNs;
}

void Sampler::burstBegan(std::int64_t nowNs, std::int64_t lengthNs) {
    {
        const std::lock_guard lock(m_mutex);
        m_wanted = false;
        ++m_started;
        m_freshUntilNs = nowNs + lengthNs / 3;
    }
    m_begun.notify_all();
}

bool Sampler::isWanted() {
    const std::lock_guard lock(m_mutex);
    return m_wanted;
}

bool Sampler::pause(std::int64_t ns) {
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return m_stop || m_wanted; });
    return !m_stop;
}

bool Sampler::wait(std::int64_t ns) {
    std::unique_lock lock(m_mutex);
    return !m_wake.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return m_stop; });
}

void Sampler::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    m_begun.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void Sampler::finish() {
    stop();
    attribute(true);
    tell(true);
    const bool launched = [&] {
        const std::lock_guard lock(m_mutex);
        return m_launched;
    }();
    if (m_opened && launched && std::ranges::none_of(m_attribution.totals(), [&](const auto& each) {
            return m_host.signature(each.first).has_value();
        }))
        note("nothing-sampled", "no sample met a launch of the program: their times are here, counters are "
                                "not; --set memory counts "
                                "them");
    if (m_overflows > 0)
        note("samples-lost",
             fmt::format("the hardware's buffer for samples was full in {} of {} bursts: what "
                         "ran then is not sampled",
                         m_overflows, m_bursts));
}

void Sampler::run() {
    open();
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
    }
    m_begun.notify_all();
}

void Sampler::open() {
    auto source = m_open();
    if (!source) {
        note("not-sampled", source.error().message);
        return;
    }
    m_groups = (*source)->groups();
    m_opened = true;
    {
        const std::lock_guard lock(m_mutex);
        const BurstPlan seen = m_plan;
        m_plan = BurstPlan(m_groups.size(), seen);
    }
    if (const Result<void> sampled = sample(**source); !sampled)
        note("sampling-ended", "sampling ended early, timing goes on: " + sampled.error().message);
    (*source)->release();
}

Result<void> Sampler::sample(SampleSource& source) {
    std::optional<BurstPlan::Choice> configured;
    std::int64_t idleSinceNs = 0;
    while (wait(0)) {
        // Nothing is read of an idle device, but all is made ready for its first launch.
        if (configured && !m_timeline.activeSince(idleSinceNs) && !isWanted()) {
            if (!pause(kIdlePollNs)) break;
            continue;
        }
        BurstPlan::Choice choice;
        {
            const std::lock_guard lock(m_mutex);
            const std::int64_t nowNs = m_host.nowNs();
            if (m_started == 0) m_plan.launchesBegin(nowNs);
            choice = m_plan.choose(nowNs);
        }
        if (choice != configured) {
            if (auto done = source.configure(choice.group, choice.intervalNs, choice.samples); !done)
                return done;
            configured = choice;
            continue;
        }
        const std::int64_t beganNs = m_host.nowNs(),
                           lengthNs = static_cast<std::int64_t>(choice.samples) * choice.intervalNs * 9 / 10;
        if (auto started = source.start(); !started) return started;
        burstBegan(m_host.nowNs(), lengthNs);
        (void)wait(lengthNs);
        const std::int64_t endedNs = m_host.nowNs();
        Result<Burst> burst = source.stop();
        if (!burst) return std::unexpected(burst.error());
        idleSinceNs = beganNs;
        ++m_bursts;
        m_overflows += burst->overflowed ? 1 : 0;
        if (burst->size() > 0) m_pending.push_back(std::move(*burst));
        m_host.flushActivity();
        attribute(false);
        tell(false);
        const std::int64_t nowNs = m_host.nowNs();
        std::int64_t pauseNs = 0;
        {
            const std::lock_guard lock(m_mutex);
            pauseNs = m_plan.pauseNs(nowNs, nowNs - endedNs);
        }
        (void)pause(pauseNs);
    }
    return {};
}

void Sampler::attribute(bool everything) {
    while (!m_pending.empty()) {
        const Burst& burst = m_pending.front();
        const std::int64_t from = burst.startNs.front(), to = burst.endNs.back();
        if (!everything && m_pending.size() <= kMostPending && !m_timeline.completeUntil(to)) return;
        std::vector<KernelInterval> kernels;
        const std::vector<Timeline::Ran> ran = m_timeline.between(from - kMillisecond, to + kMillisecond);
        for (const Timeline::Ran& each : ran)
            kernels.push_back(each.interval);
        const SampleGroup& group = m_groups[burst.group];
        // What differs most from kernel to kernel.
        for (const char* telling : {"smsp__inst_executed.sum", "lts__t_sectors.sum"}) {
            const auto column = std::ranges::find(group, telling, &SampledMetric::counter);
            if (column == group.end()) continue;
            std::vector<double> values(burst.size());
            for (std::size_t i = 0; i < burst.size(); ++i)
                values[i] = burst.sample(i, group.size())[static_cast<std::size_t>(column - group.begin())];
            m_offset.learn(burst, values, kernels);
        }
        for (const Attribution::Whole& whole : m_attribution.add(burst, group, kernels, m_offset.ns())) {
            if (!ran[whole.kernel].launch) continue;
            session::LaunchCounters counters{*ran[whole.kernel].launch, {}, false};
            counters.values.insert(whole.values.begin(), whole.values.end());
            m_host.emit(counters);
        }
        for (session::DeviceActivity& activity :
             activityOf(burst, group, m_offset.ns(), activitySteps(m_attributed++))) {
            activity.device = m_device;
            m_host.emit(activity);
        }
        m_timeline.forget(from - kKeepNs);
        m_pending.pop_front();
    }
}

void Sampler::tell(bool everything) {
    const std::int64_t nowNs = m_host.nowNs();
    if (!everything && nowNs < m_nextTellNs) return;
    m_nextTellNs = nowNs + m_tellEveryNs;
    m_tellEveryNs = std::min(2 * m_tellEveryNs, kLongestTellNs);
    for (const auto& [signature, totals] : m_attribution.totals()) {
        double coveredNs = 0;
        for (const auto& [name, total] : totals)
            coveredNs += total.coveredNs;
        double& told = m_told[signature];
        if (coveredNs <= told) continue;
        told = coveredNs;
        std::optional<session::SignatureCounter> counter = m_host.signature(signature);
        if (!counter) continue;
        counter->method = session::CounterMethod::Sampled;
        for (const auto& [name, total] : totals) {
            counter->counter = name;
            // Sharing out leaves ever smaller shares; less than one count in two launches is none.
            const bool none = session::isSum(name) && total.value < 0.5 * total.launches;
            counter->value = none ? 0 : total.perNs() * (session::isSum(name) ? 1e9 : 1);
            counter->coveredNs = total.coveredNs;
            counter->launches = total.launches;
            counter->uncertainty = total.uncertainty().value_or(0);
            m_host.emit(*counter);
            if (name == "lts__t_sectors_lookup_hit.sum")
                if (const auto sectors = totals.find("lts__t_sectors.sum"); sectors != totals.end()) {
                    counter->counter = "lts__t_sectors_lookup_miss.sum";
                    counter->value = std::max(0.0, sectors->second.perNs() - total.perNs()) * 1e9;
                    m_host.emit(*counter);
                }
        }
    }
}

} // namespace dormer::instrument::cupti::sampling
