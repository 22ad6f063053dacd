// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/verify.h"

#include "analysis/metrics/workload_facts.h"
#include "analysis/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::verdict {

namespace {

/// Equal counts divide to equal ratios up to the last bits of a double.
constexpr double kEqual = 1e-9;

std::string what(const session::Expectation& expected) {
    const std::string kernel = expected.kernel.empty() ? "" : fmt::format(" ({})", expected.kernel);
    if (expected.relation == "verdict") return fmt::format("verdict is {}{}", expected.text, kernel);
    const std::string value = expected.reference.empty()
                                  ? fmt::format("{:.10g}", expected.value)
                                  : fmt::format("{:g} x that of {}", expected.value, expected.reference);
    const std::string within =
        expected.relation == "~" ? fmt::format(" within {:g} %", expected.tolerance * 100) : "";
    return fmt::format("{} {} {}{}{}", expected.metric, expected.relation, value, within, kernel);
}

bool holds(const session::Expectation& expected, double value, double wanted) {
    const double slack = kEqual * std::abs(wanted);
    if (expected.relation == "==") return std::abs(value - wanted) <= slack;
    if (expected.relation == "<=") return value <= wanted + slack;
    if (expected.relation == ">=") return value >= wanted - slack;
    if (expected.relation == "~") return std::abs(value - wanted) <= expected.tolerance * std::abs(wanted);
    return false;
}

/// "memory", or several that are right: "memory|balanced".
bool holdsVerdict(std::string_view allowed, std::string_view bound) {
    while (true) {
        const auto bar = allowed.find('|');
        if (allowed.substr(0, bar) == bound) return true;
        if (bar == std::string_view::npos) return false;
        allowed.remove_prefix(bar + 1);
    }
}

/// Checks one launch; fills what was reported.
bool check(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
           const session::Expectation& expected, std::string& reported) {
    if (expected.relation == "verdict") {
        const Verdict verdict = judge(metrics, launch);
        reported = headline(verdict);
        return holdsVerdict(expected.text, toString(verdict.bound));
    }
    const bool isMetric = metrics::findMetric(expected.metric) != nullptr;
    const auto value = isMetric ? metrics.value(launch, expected.metric)
                                : metrics.session().counter(launch, expected.metric);
    if (!value) {
        const session::Launch& of = metrics.session().launch(launch);
        reported =
            !of.notCounted.empty()
                ? fmt::format("no value: {}", of.notCounted)
                : fmt::format("no value: {} is missing",
                              isMetric ? metrics.missingInput(launch, expected.metric) : expected.metric);
        return false;
    }
    reported = fmt::format("{:.10g}", *value);
    return holds(expected, *value, expected.value);
}

bool concerns(const session::Session& session, session::LaunchIndex launch,
              const session::Expectation& expected) {
    return session.launch(launch).workload == expected.workload &&
           (expected.kernel.empty() ||
            session.kernelOf(launch).name.find(expected.kernel) != std::string::npos);
}

/// Asked once: of the workload as a whole, or of two workloads.
Answer checkWhole(const metrics::MetricEvaluator& metrics, const session::Expectation& expected) {
    Answer answer{expected.workload, what(expected), {}, false};
    const auto noValue = [&](const std::string& workload) {
        answer.reported = fmt::format(
            "no value: {} is not known of {}", expected.metric,
            expected.kernel.empty() ? workload : fmt::format("{} ({})", workload, expected.kernel));
        return answer;
    };
    const auto value = metrics::workloadValue(metrics, expected.workload, expected.metric, expected.kernel);
    if (!value) return noValue(expected.workload);
    if (expected.reference.empty()) {
        answer.reported = fmt::format("{:.10g}", *value);
        answer.held = holds(expected, *value, expected.value);
        return answer;
    }
    const auto other = metrics::workloadValue(metrics, expected.reference, expected.metric, expected.kernel);
    if (!other) return noValue(expected.reference);
    answer.reported = fmt::format("{:.10g} against {:.10g}", *value, *other);
    if (*other != 0) answer.reported += fmt::format(": {:.3g} x", *value / *other);
    answer.held = holds(expected, *value, expected.value * *other);
    return answer;
}

/// Asked of every launch; nothing when only launches were seen that it is not asked of.
std::optional<Answer> checkLaunches(const metrics::MetricEvaluator& metrics,
                                    const session::Expectation& expected) {
    const session::Session& session = metrics.session();
    Answer answer{expected.workload, what(expected), "no such launch", false};
    bool skipped = false;
    bool seen = false;
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const auto launch = static_cast<session::LaunchIndex>(i);
        if (!concerns(session, launch, expected)) continue;
        if (expected.gpuOnly && session.originOf(launch) != session::Origin::Measured) {
            skipped = true;
            continue;
        }
        seen = true;
        std::string reported;
        answer.held = check(metrics, launch, expected, reported);
        answer.reported = std::move(reported);
        if (!answer.held) break;
    }
    if (!seen && skipped) return std::nullopt;
    return answer;
}

std::optional<Answer> ask(const metrics::MetricEvaluator& metrics, const session::Expectation& expected) {
    const bool ofTwo = !expected.reference.empty();
    if (!ofTwo && metrics::findWorkloadMetric(expected.metric) == nullptr)
        return checkLaunches(metrics, expected);
    const auto measured = [&](const std::string& workload) {
        const auto origin = metrics::originOfWorkload(metrics.session(), workload);
        if (origin) return *origin == session::Origin::Measured;
        return std::ranges::find(metrics.session().processes(), session::Origin::Measured,
                                 &session::Process::origin) != metrics.session().processes().end();
    };
    if (expected.gpuOnly && !(measured(expected.workload) && (!ofTwo || measured(expected.reference))))
        return std::nullopt;
    // Whoever runs a part of the suite did not ask what holds between it and the rest.
    if (ofTwo && !metrics::originOfWorkload(metrics.session(), expected.reference)) return std::nullopt;
    return checkWhole(metrics, expected);
}

Answer answerOf(const session::Session& session, const session::Check& check) {
    const auto& workloads = session.workloads();
    const auto known = std::ranges::find(workloads, check.workload, &session::Workload::workload);
    const bool wrong = known != workloads.end() && known->wrongByDesign;
    return {check.workload, wrong ? "result is wrong, by design" : "result is right", check.detail,
            check.passed};
}

} // namespace

std::vector<Answer> verify(const metrics::MetricEvaluator& metrics) {
    const session::Session& session = metrics.session();
    std::vector<Answer> answers;
    for (const session::Check& functional : session.checks())
        answers.push_back(answerOf(session, functional));
    for (const session::Expectation& expected : session.expectations())
        if (auto answer = ask(metrics, expected)) answers.push_back(std::move(*answer));
    return answers;
}

} // namespace dormer::verdict
