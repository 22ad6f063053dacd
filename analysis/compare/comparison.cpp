// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/comparison.h"

#include "analysis/compare/settings.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dormer::compare {

namespace {

/// Durations by process; launches without a plausible one are left out.
Runs runsOf(const session::Session& session, const KernelLaunches& kernel) {
    std::map<std::uint32_t, std::vector<double>> byProcess;
    for (const session::LaunchIndex launch : kernel.launches)
        if (const auto ns = metrics::plausibleDurationNs(session.launch(launch)))
            byProcess[session.launch(launch).process].push_back(*ns);
    Runs runs;
    for (auto& [process, durations] : byProcess)
        runs.push_back(std::move(durations));
    return runs;
}

bool isPredicted(const session::Session& session, const KernelLaunches& kernel) {
    return session.originOf(kernel.launches.front()) == session::Origin::Emulated;
}

/// One value of a counter over launches.
struct Values {
    double median = 0, least = 0, most = 0;
};

std::optional<Values> valuesOf(const session::Session& session, const KernelLaunches& kernel,
                               std::size_t column) {
    std::vector<double> all;
    for (const session::LaunchIndex launch : kernel.launches)
        if (const auto value = session.counters().get(launch, column)) all.push_back(*value);
    if (all.empty()) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(all);
    return Values{medianOf({std::move(all)}), least, most};
}

/// What the emulator itself took for a launch.
constexpr std::string_view kEmulatorsTime = "emulator__wall_time_ns.sum";

void compareCounters(const session::Session& base, const session::Session& fresh, const KernelLaunches& ours,
                     const KernelLaunches& theirs, KernelComparison& result) {
    const std::vector<std::string>& names = base.counters().names();
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (names[column] == kEmulatorsTime) continue; // no two runs take the same, whatever is emulated
        const auto other = fresh.counters().find(names[column]);
        if (!other) continue;
        const auto before = valuesOf(base, ours, column);
        const auto after = valuesOf(fresh, theirs, *other);
        if (!before || !after) continue;
        ++result.countersCompared;
        const bool exact = before->least == before->most && after->least == after->most;
        const bool overlap = before->least <= after->most && after->least <= before->most;
        if (overlap) continue;
        result.counters.push_back({names[column], before->median, after->median, exact});
    }
    const auto size = [](const CounterChange& change) {
        return change.base == 0 || change.fresh == 0 ? INFINITY
                                                     : std::abs(std::log(change.fresh / change.base));
    };
    std::ranges::stable_sort(result.counters, std::greater{}, size);
}

void judgeTimes(const Runs& base, const Runs& fresh, bool predicted, double margin,
                KernelComparison& result) {
    if (base.empty() || fresh.empty()) {
        result.why = "not timed";
        return;
    }
    result.baseNs = medianOf(base);
    result.freshNs = medianOf(fresh);
    const double ratio = *result.ratio();
    if (predicted) {
        result.change = ratio < 1 - margin   ? Change::Faster
                        : ratio > 1 + margin ? Change::Slower
                                             : Change::Same;
        return;
    }
    result.interval = ratioInterval(base, fresh);
    const std::size_t fewest = std::min(launchesOf(base), launchesOf(fresh));
    if (fewest < kFewestLaunches) {
        result.why = fmt::format("{} {} a side, a verdict takes {}", fewest,
                                 fewest == 1 ? "launch" : "launches", kFewestLaunches);
        return;
    }
    if (result.interval->high < 1 && ratio < 1 - margin)
        result.change = Change::Faster;
    else if (result.interval->low > 1 && ratio > 1 + margin)
        result.change = Change::Slower;
    else if (result.interval->low >= 1 - margin && result.interval->high <= 1 + margin)
        result.change = Change::Same;
    else
        result.why = "the interval allows for more than one answer";
}

} // namespace

std::string_view toString(Change change) {
    switch (change) {
    case Change::Faster:
        return "faster";
    case Change::Slower:
        return "slower";
    case Change::Same:
        return "same";
    case Change::Unsure:
        return "unsure";
    }
    return "";
}

std::vector<std::string> incomparable(const session::Session& base, const session::Session& fresh) {
    std::vector<std::string> reasons;
    const auto compare = [&](std::string_view what, const std::string& before, const std::string& after) {
        if (before != after)
            reasons.push_back(
                fmt::format("the {} differs: {} in the base, {} in the new session", what, before, after));
    };
    compare("device", devicesOf(base), devicesOf(fresh));
    compare("origin", originsOf(base), originsOf(fresh));
    return reasons;
}

Comparison compareSessions(const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh,
                           double margin) {
    Comparison comparison;
    comparison.base = kernelsOf(base);
    comparison.fresh = kernelsOf(fresh);
    comparison.warnings = incomparable(base.session(), fresh.session());
    const bool refused = !comparison.warnings.empty();
    const auto clocks = differentClocks(base.metrics(), fresh.metrics());
    if (clocks) comparison.warnings.push_back(*clocks);
    for (std::string& text : differentSettings(base.session(), fresh.session()))
        comparison.warnings.push_back(std::move(text));

    std::vector<bool> baseMatched(comparison.base.size()), freshMatched(comparison.fresh.size());
    for (const Match& match : matchKernels(comparison.base, comparison.fresh)) {
        const KernelLaunches& ours = comparison.base[match.base];
        const KernelLaunches& theirs = comparison.fresh[match.fresh];
        baseMatched[match.base] = freshMatched[match.fresh] = true;
        KernelComparison result;
        result.match = match;
        result.baseLaunches = ours.launches.size();
        result.freshLaunches = theirs.launches.size();
        const bool predicted = isPredicted(base.session(), ours) && isPredicted(fresh.session(), theirs);
        judgeTimes(runsOf(base.session(), ours), runsOf(fresh.session(), theirs), predicted, margin, result);
        if (refused || clocks) {
            result.change = Change::Unsure;
            result.why = refused ? "device or origin differ" : "clocks differ";
        }
        compareCounters(base.session(), fresh.session(), ours, theirs, result);
        comparison.kernels.push_back(std::move(result));
    }
    std::ranges::stable_sort(comparison.kernels, std::greater{},
                             [](const KernelComparison& k) { return std::abs(k.savedNs()); });
    for (std::size_t i = 0; i < baseMatched.size(); ++i)
        if (!baseMatched[i]) comparison.onlyBase.push_back(i);
    for (std::size_t i = 0; i < freshMatched.size(); ++i)
        if (!freshMatched[i]) comparison.onlyFresh.push_back(i);
    return comparison;
}

} // namespace dormer::compare
