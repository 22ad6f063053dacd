// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verify.h"

#include "analysis/verdict.h"

#include <fmt/format.h>

#include <cmath>

namespace dormer::analysis {

namespace {

/// Equal counts divide to equal ratios up to the last bits of a double.
constexpr double kEqual = 1e-9;

std::string what(const Expectation& expected) {
    const std::string kernel = expected.kernel.empty() ? "" : fmt::format(" ({})", expected.kernel);
    if (expected.relation == "verdict") return fmt::format("verdict is {}{}", expected.text, kernel);
    if (expected.relation == "~")
        return fmt::format("{} ~ {:.10g} within {:g} %{}", expected.metric, expected.value,
                           expected.tolerance * 100, kernel);
    return fmt::format("{} {} {:.10g}{}", expected.metric, expected.relation, expected.value, kernel);
}

bool holds(const Expectation& expected, double value) {
    const double slack = kEqual * std::abs(expected.value);
    if (expected.relation == "==") return std::abs(value - expected.value) <= slack;
    if (expected.relation == "<=") return value <= expected.value + slack;
    if (expected.relation == ">=") return value >= expected.value - slack;
    if (expected.relation == "~")
        return std::abs(value - expected.value) <= expected.tolerance * std::abs(expected.value);
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
bool check(const MetricEvaluator& metrics, LaunchIndex launch, const Expectation& expected,
           std::string& reported) {
    if (expected.relation == "verdict") {
        const Verdict verdict = judge(metrics, launch);
        reported = headline(verdict);
        return holdsVerdict(expected.text, toString(verdict.bound));
    }
    const bool isMetric = findMetric(expected.metric) != nullptr;
    const auto value = isMetric ? metrics.value(launch, expected.metric)
                                : metrics.session().counter(launch, expected.metric);
    if (!value) {
        const Launch& of = metrics.session().launch(launch);
        reported =
            !of.notCounted.empty()
                ? fmt::format("no value: {}", of.notCounted)
                : fmt::format("no value: {} is missing",
                              isMetric ? metrics.missingInput(launch, expected.metric) : expected.metric);
        return false;
    }
    reported = fmt::format("{:.10g}", *value);
    return holds(expected, *value);
}

bool concerns(const Session& session, LaunchIndex launch, const Expectation& expected) {
    return session.launch(launch).workload == expected.workload &&
           (expected.kernel.empty() ||
            session.kernelOf(launch).name.find(expected.kernel) != std::string::npos);
}

} // namespace

std::vector<Answer> verify(const MetricEvaluator& metrics) {
    const Session& session = metrics.session();
    std::vector<Answer> answers;
    for (const Check& functional : session.checks())
        answers.push_back({functional.workload, "result is right", functional.detail, functional.passed});

    for (const Expectation& expected : session.expectations()) {
        Answer answer{expected.workload, what(expected), "no such launch", false};
        bool skipped = false;
        bool seen = false;
        for (std::size_t i = 0; i < session.launches().size(); ++i) {
            const auto launch = static_cast<LaunchIndex>(i);
            if (!concerns(session, launch, expected)) continue;
            if (expected.gpuOnly && session.originOf(launch) != Origin::Measured) {
                skipped = true;
                continue;
            }
            seen = true;
            std::string reported;
            answer.held = check(metrics, launch, expected, reported);
            answer.reported = std::move(reported);
            if (!answer.held) break;
        }
        if (seen || !skipped) answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace dormer::analysis
