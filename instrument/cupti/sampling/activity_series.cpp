// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/activity_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::instrument::cupti::sampling {

namespace {

constexpr std::size_t kMostSteps = 64;
/// Of those there are some fifteen a second at first.
constexpr std::size_t kBurstsAtMostSteps = 256;

} // namespace

std::size_t sectorsColumn(const SampleGroup& group) {
    return static_cast<std::size_t>(std::ranges::find(group, "lts__t_sectors.sum", &SampledMetric::counter) -
                                    group.begin());
}

double valueOf(const Burst& burst, std::size_t sample, std::size_t column, const SampleGroup& group,
               std::size_t sectors) {
    const auto row = burst.sample(sample, group.size());
    if (group[column].meaning != Meaning::ShareOfSectors) return row[column];
    // Nothing looked up: no share of nothing.
    return std::isfinite(row[column]) && sectors < group.size() ? row[column] * row[sectors] : 0;
}

std::size_t activitySteps(std::size_t burstsBefore) {
    std::size_t steps = kMostSteps;
    for (std::size_t bursts = burstsBefore / kBurstsAtMostSteps; bursts > 0 && steps > 1; bursts /= 2)
        steps /= 2;
    return steps;
}

std::vector<session::DeviceActivity> activityOf(const Burst& burst, const SampleGroup& group,
                                                std::int64_t offsetNs, std::size_t steps) {
    std::vector<session::DeviceActivity> all;
    if (burst.size() == 0 || steps == 0) return all;
    const std::size_t samplesPerStep = (burst.size() + steps - 1) / steps;
    const std::size_t sectors = sectorsColumn(group);
    // A step that is not whole would be shorter than the others.
    const std::size_t wholeSteps = std::max<std::size_t>(1, burst.size() / samplesPerStep);
    const std::size_t used = std::min(burst.size(), wholeSteps * samplesPerStep);
    const std::int64_t stepNs =
        (burst.endNs[used - 1] - burst.startNs.front()) / static_cast<std::int64_t>(wholeSteps);
    if (stepNs <= 0) return all;
    for (std::size_t column = 0; column < group.size(); ++column) {
        const Meaning meaning = group[column].meaning;
        if (meaning == Meaning::Constant) continue;
        session::DeviceActivity activity;
        activity.counter = group[column].counter;
        activity.startNs = burst.startNs.front() + offsetNs;
        activity.stepNs = stepNs;
        for (std::size_t step = 0; step < wholeSteps; ++step) {
            double value = 0, ns = 0;
            const std::size_t end = std::min(used, (step + 1) * samplesPerStep);
            for (std::size_t i = step * samplesPerStep; i < end; ++i) {
                const double each = valueOf(burst, i, column, group, sectors);
                const auto lengthNs = static_cast<double>(burst.endNs[i] - burst.startNs[i]);
                if (!std::isfinite(each) || lengthNs <= 0) continue;
                value += meaning == Meaning::Mean ? each * lengthNs : each;
                ns += lengthNs;
            }
            const double perNs = ns > 0 ? value / ns : std::numeric_limits<double>::quiet_NaN();
            activity.values.values.push_back(meaning == Meaning::Mean ? perNs : perNs * 1e9);
        }
        all.push_back(std::move(activity));
    }
    return all;
}

} // namespace dormer::instrument::cupti::sampling
