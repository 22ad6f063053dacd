// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The program log's counters: which launches are wanted, and what is told of those that were counted.

#include "instrument/cupti/profile/program_log.h"

#include "analysis/base/demangle.h"
#include "analysis/session/signature_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti::profile {

using namespace session;
using passes::Place;

namespace {

/// "scale" of "void ns::scale<float>(float*)". Not by session::shortKernelName(): what it needs, foreign
/// programs must not have to load.
std::string functionOf(std::string_view name) {
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    std::size_t begin = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kUnnamed)) {
            at += kUnnamed.size() - 1;
            begin = at + 1;
        } else if (name[at] == '<' || name[at] == '(') {
            return std::string(name.substr(begin, at - begin));
        } else if (name[at] == ' ' || name[at] == ':') {
            begin = at + 1;
        }
    }
    return std::string(name.substr(begin));
}

} // namespace

bool countsLaunches(const stream::CollectOptions& options) {
    return options.counterSet != "none" && options.counterSet != stream::kSampledSet;
}

ProgramLog::Choice ProgramLog::choose(const SeenLaunch& launch, const Place& place) {
    if (!m_options.lines && !countsLaunches(m_options)) return {};
    const auto [at, isNew] =
        m_groupNumbers.try_emplace({.kernel = reinterpret_cast<std::uintptr_t>(launch.function),
                                    .device = static_cast<std::uint64_t>(launch.device) + 1,
                                    .workload = place.workload,
                                    .grid = launch.grid,
                                    .block = launch.block,
                                    .dynamicSharedBytes = launch.dynamicSharedBytes},
                                   static_cast<std::uint32_t>(m_groups.size()));
    if (isNew) m_groups.emplace_back().name = launch.mangledName != nullptr ? launch.mangledName : "";
    Group& group = m_groups[at->second];
    Choice choice{.group = at->second};
    if (!m_options.kernels.empty() || !m_options.nvtx.empty()) {
        if (!group.passes || !m_options.nvtx.empty()) {
            collect::LaunchCall call;
            call.function = launch.function;
            call.mangledName = group.name;
            call.workload = place.workload;
            call.nvtx = place.nvtx;
            group.passes = m_filter.whyNotCounted(call).empty();
        }
        if (!*group.passes) return choice;
    }
    choice.count = group.wanted = countsLaunches(m_options);
    choice.lines = m_options.lines && (!m_options.launches || group.lined < *m_options.launches);
    if (choice.lines) ++group.lined;
    return choice;
}

void ProgramLog::looksAt(const SeenLaunch& launch, Look look) {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_pending.find(launch.correlationId); found != m_pending.end()) {
        found->second.look = std::max(found->second.look, look); // its lines come first
        found->second.awaited += look == Look::Pass ? 0 : 1;
        if (look != Look::Pass) return;
        passes::KernelTiming& untimed = found->second.untimed.emplace();
        untimed.correlationId = launch.correlationId;
        untimed.mangledName = launch.mangledName != nullptr ? launch.mangledName : "";
        untimed.stream = launch.stream;
        untimed.device = launch.device;
        untimed.grid = launch.grid;
        untimed.block = launch.block;
        untimed.dynamicSharedBytes = launch.dynamicSharedBytes;
    }
}

void ProgramLog::counted(std::uint32_t correlationId, Result<std::map<std::string, double>> values) {
    {
        const std::lock_guard lock(m_mutex);
        if (!values) noteOnce("counters-failed", values.error().message);
        const auto found = m_pending.find(correlationId);
        if (found == m_pending.end()) return; // the launch failed
        Pending& pending = found->second;
        if (values) pending.values = std::move(*values);
        arrived(pending);
    }
    write();
}

void ProgramLog::arrived(Pending& pending) {
    if (pending.awaited > 0) --pending.awaited;
    // Else it is told when its time comes.
    if (pending.awaited == 0 && pending.timing) tell(passes::KernelTiming(*pending.timing));
}

double ProgramLog::takesNs(std::uint32_t group) {
    const std::lock_guard lock(m_mutex);
    const Group& known = m_groups[group];
    return known.timed > 0 ? known.timedNs / known.timed : 0;
}

void ProgramLog::letGo(std::uint32_t correlationId) {
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_pending.find(correlationId);
        if (found == m_pending.end()) return;
        arrived(found->second);
    }
    write();
}

void ProgramLog::groupCounted(std::uint32_t group, std::map<std::string, double> values) {
    {
        const std::lock_guard lock(m_mutex);
        m_groups[group].counted = true;
        m_groups[group].values.push_back(std::move(values));
        m_anyGroup = true;
    }
    write();
}

/// Those whose launches were told: only then is it known what else was launched like them.
void ProgramLog::tellGroups(bool everything) {
    if (!std::exchange(m_anyGroup, false)) return;
    for (Group& group : m_groups) {
        if (group.values.empty()) continue;
        if (!group.signature || (group.timed == 0 && !everything)) {
            m_anyGroup = true;
            continue;
        }
        const double eachNs = group.timed > 0 ? group.timedNs / group.timed : 0;
        for (const auto& values : std::exchange(group.values, {}))
            tellCounters(*group.signature, eachNs, values);
    }
}

void ProgramLog::tellCounters(std::uint32_t signature, double durationNs,
                              const std::map<std::string, double>& values) {
    Counted& all = m_counted[signature];
    all.launches += 1;
    all.ns += durationNs;
    SignatureCounter counter = m_signatures[signature];
    counter.method = CounterMethod::Counted;
    counter.launches = all.launches;
    counter.coveredNs = all.ns;
    for (const auto& [name, value] : values) {
        all.sums[name] += value;
        counter.counter = name;
        counter.value = all.sums[name] / all.launches;
        m_out.emplace_back(counter);
    }
}

void ProgramLog::noteNotCounted() {
    constexpr std::size_t kMostNamed = 5;
    std::size_t wanted = 0, missing = 0;
    std::vector<std::string> names;
    for (const Group& group : m_groups) {
        if (!group.wanted) continue;
        ++wanted;
        if (group.counted) continue;
        ++missing;
        std::string name = functionOf(base::demangled(group.name));
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    if (m_ofGraphs > 0 && countsLaunches(m_options))
        m_out.emplace_back(
            Note{0, "graphs-not-counted",
                 fmt::format("{} launches by CUDA graphs have times only: kernels of graphs are "
                             "not counted; without --set they are sampled",
                             m_ofGraphs)});
    if (missing == 0) return;
    const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
    names.resize(names.size() - more);
    m_out.emplace_back(Note{
        0, "not-counted",
        fmt::format(
            "{} of {} kernels and configurations have times only, as they were launched too seldom for "
            "the passes that the counters take, take too long, or wait for other launches: {}{}",
            missing, wanted, fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "")});
}

} // namespace dormer::instrument::cupti::profile
