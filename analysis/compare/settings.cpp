// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/settings.h"

#include "analysis/compare/bootstrap.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

namespace dormer::compare {

namespace {

std::string joined(const std::set<std::string>& words) {
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string ofProcesses(const session::Session& session, std::string session::Process::*field) {
    std::set<std::string> words;
    for (const session::Process& process : session.processes())
        if (!(process.*field).empty()) words.insert(process.*field);
    return joined(words);
}

std::optional<double> medianClock(const metrics::MetricEvaluator& metrics, std::string_view name) {
    std::vector<double> all;
    for (std::size_t i = 0; i < metrics.session().launches().size(); ++i)
        if (const auto hz = metrics.value(session::LaunchIndex{static_cast<std::uint32_t>(i)}, name);
            hz && *hz > 0)
            all.push_back(*hz);
    return all.empty() ? std::nullopt : std::optional(medianOf({std::move(all)}));
}

} // namespace

std::string devicesOf(const session::Session& session) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < session.launches().size(); ++i)
        if (const session::Device* device =
                session.deviceOf(session::LaunchIndex{static_cast<std::uint32_t>(i)}))
            names.insert(device->name);
    return joined(names);
}

std::string originsOf(const session::Session& session) {
    std::set<std::string> names;
    for (const session::Process& process : session.processes())
        names.insert(std::string(session::toString(process.origin)));
    return joined(names);
}

std::optional<std::string> differentClocks(const metrics::MetricEvaluator& base,
                                           const metrics::MetricEvaluator& fresh) {
    for (const auto& [name, what] : {std::pair{"sm_clock_hz", "SM"}, std::pair{"memory_clock_hz", "DRAM"}}) {
        const auto before = medianClock(base, name);
        const auto after = medianClock(fresh, name);
        if (before && after && std::abs(*after / *before - 1) > kClockTolerance)
            return fmt::format("the {} clock differs: {} in the base, {} in the new session; lock the clocks "
                               "(nvidia-smi -lgc) to compare times",
                               what, metrics::forPeople(*before, metrics::Unit::Hertz),
                               metrics::forPeople(*after, metrics::Unit::Hertz));
    }
    return std::nullopt;
}

std::vector<std::string> differentSettings(const session::Session& base, const session::Session& fresh) {
    std::vector<std::string> texts;
    for (const auto& [field, what] : {std::pair{&session::Process::counterSet, "counter set"},
                                      std::pair{&session::Process::cacheControl, "cache control"}})
        if (ofProcesses(base, field) != ofProcesses(fresh, field))
            texts.push_back(fmt::format("the {} differs: {} in the base, {} in the new session", what,
                                        ofProcesses(base, field), ofProcesses(fresh, field)));
    return texts;
}

} // namespace dormer::compare
