// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/gate.h"

#include "analysis/check/broken_place.h"
#include "analysis/compare/bootstrap.h"
#include "analysis/compare/match.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::check {

namespace {

using compare::KernelLaunches;

/// Value of a name of a rule: a metric, a fact of the launch, else a counter. NaN where it is absent.
double valueOf(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch, const std::string& name) {
    std::optional<double> value;
    if (metrics::findMetric(name) != nullptr)
        value = diagnosis.metrics().value(launch, name);
    else if (const auto fact = metrics::factNamed(name))
        value = metrics::factOf(diagnosis.session(), launch, *fact);
    else
        value = diagnosis.session().counter(launch, name);
    return value.value_or(NAN);
}

double evaluate(const metrics::Expression& expression, const diagnosis::Diagnosis& diagnosis,
                session::LaunchIndex launch, double baseline) {
    return expression.evaluate([&](std::uint32_t input) {
        const std::string& name = expression.inputs()[input];
        return name == "baseline" ? baseline : valueOf(diagnosis, launch, name);
    });
}

/// Median over launches; NaN when it is known for none.
double medianOf(const metrics::Expression& expression, const diagnosis::Diagnosis& diagnosis,
                const KernelLaunches& kernel, double baseline = NAN) {
    std::vector<double> all;
    for (const session::LaunchIndex launch : kernel.launches)
        if (const double value = evaluate(expression, diagnosis, launch, baseline); !std::isnan(value))
            all.push_back(value);
    return all.empty() ? NAN : compare::medianOf({std::move(all)});
}

bool holds(Relation relation, double left, double right) {
    switch (relation) {
    case Relation::Equal:
        return left == right;
    case Relation::NotEqual:
        return left != right;
    case Relation::Less:
        return left < right;
    case Relation::LessOrEqual:
        return left <= right;
    case Relation::Greater:
        return left > right;
    case Relation::GreaterOrEqual:
        return left >= right;
    }
    return false;
}

/// What of a formula is not known for the launch.
std::string missingOf(const metrics::Expression& expression, const diagnosis::Diagnosis& diagnosis,
                      session::LaunchIndex launch) {
    for (const std::string& name : expression.inputs()) {
        if (name == "baseline" || !std::isnan(valueOf(diagnosis, launch, name))) continue;
        const std::string input =
            metrics::findMetric(name) != nullptr ? diagnosis.metrics().missingInput(launch, name) : name;
        return input.empty() || input == name
                   ? fmt::format("{} has no value", name)
                   : fmt::format("{} has no value: {} was not collected", name, input);
    }
    return "it gives no number";
}

class Checker {
public:
    Checker(const Rule& rule, std::size_t index, const diagnosis::Diagnosis& diagnosis,
            const diagnosis::Diagnosis* baseline)
        : m_rule(rule), m_index(index), m_diagnosis(diagnosis), m_baseline(baseline) {}

    [[nodiscard]] Outcome check(const KernelLaunches& kernel, const KernelLaunches* before) const {
        Outcome outcome{m_index, Status::Held, kernel.label, {}, {}, 0};
        if (m_rule.finding)
            checkFinding(kernel, outcome);
        else if (m_rule.comparison->needsBaseline)
            checkMedians(kernel, before, outcome);
        else
            checkLaunches(kernel, outcome);
        return outcome;
    }

    void missing(Outcome& outcome, std::string why) const {
        outcome.status = m_rule.skipMissing ? Status::Skipped : Status::Broken;
        outcome.message = std::move(why);
    }

private:
    void broken(Outcome& outcome, session::LaunchIndex launch, std::string why) const {
        outcome.status = Status::Broken;
        outcome.message = std::move(why);
        if (!m_rule.comparison) return;
        const session::SourceFrame place = brokenPlace(m_diagnosis, launch, namesIn(m_rule));
        outcome.file = place.file;
        outcome.line = place.line;
    }

    [[nodiscard]] std::string numbers(double left, double right) const {
        return fmt::format("{} is {:.10g}, required {} {:.10g}", leftText(), left, relationText(), right);
    }
    [[nodiscard]] std::string leftText() const {
        const auto& inputs = m_rule.comparison->left.inputs();
        return inputs.size() == 1 && m_rule.comparison->left.steps().size() == 1 ? inputs.front()
                                                                                 : "left-hand side";
    }
    [[nodiscard]] std::string_view relationText() const {
        static constexpr std::array<std::string_view, 6> kTexts = {"==", "!=", "<", "<=", ">", ">="};
        return kTexts[static_cast<std::size_t>(m_rule.comparison->relation)];
    }

    void checkLaunches(const KernelLaunches& kernel, Outcome& outcome) const {
        const Comparison& comparison = *m_rule.comparison;
        std::size_t failed = 0, unknown = 0;
        double worst = 0, required = 0;
        session::LaunchIndex where{}, without{};
        for (const session::LaunchIndex launch : kernel.launches) {
            const double left = evaluate(comparison.left, m_diagnosis, launch, NAN);
            const double right = evaluate(comparison.right, m_diagnosis, launch, NAN);
            if (std::isnan(left) || std::isnan(right)) {
                if (++unknown == 1) without = launch;
                continue;
            }
            if (holds(comparison.relation, left, right)) continue;
            if (++failed == 1 || std::abs(left - right) > std::abs(worst - required)) {
                worst = left;
                required = right;
                where = launch;
            }
        }
        if (failed > 0) {
            broken(outcome, where, numbers(worst, required));
            if (kernel.launches.size() > 1)
                outcome.message += fmt::format(" ({} of {} launches)", failed, kernel.launches.size());
        } else if (unknown == kernel.launches.size()) {
            std::string why = missingOf(comparison.left, m_diagnosis, without);
            if (why == "it gives no number") why = missingOf(comparison.right, m_diagnosis, without);
            missing(outcome, std::move(why));
        }
    }

    void checkMedians(const KernelLaunches& kernel, const KernelLaunches* before, Outcome& outcome) const {
        const Comparison& comparison = *m_rule.comparison;
        if (before == nullptr) return missing(outcome, "the kernel is not in the baseline");
        const double baseline = medianOf(comparison.left, *m_baseline, *before);
        if (std::isnan(baseline))
            return missing(outcome, "in the baseline " +
                                        missingOf(comparison.left, *m_baseline, before->launches.front()));
        const double left = medianOf(comparison.left, m_diagnosis, kernel);
        const double right = medianOf(comparison.right, m_diagnosis, kernel, baseline);
        if (std::isnan(left))
            return missing(outcome, missingOf(comparison.left, m_diagnosis, kernel.launches.front()));
        if (std::isnan(right))
            return missing(outcome, missingOf(comparison.right, m_diagnosis, kernel.launches.front()));
        if (!holds(comparison.relation, left, right))
            broken(outcome, kernel.launches.front(),
                   fmt::format("{} (baseline {:.10g})", numbers(left, right), baseline));
    }

    void checkFinding(const KernelLaunches& kernel, Outcome& outcome) const {
        const NoFinding& rule = *m_rule.finding;
        std::size_t failed = 0;
        for (const session::LaunchIndex launch : kernel.launches) {
            for (const findings::Finding& finding : m_diagnosis.findings(launch)) {
                if (!finding.code.starts_with(rule.code)) continue;
                const auto ns = metrics::plausibleDurationNs(m_diagnosis.session().launch(launch));
                // Without an estimate it can't be told to be small enough.
                if (rule.aboveShare && finding.gainNs && ns && *finding.gainNs <= *rule.aboveShare * *ns)
                    continue;
                if (++failed > 1) break;
                broken(outcome, launch, fmt::format("{}: {}", finding.title, finding.evidence));
                if (finding.gainNs && ns)
                    outcome.message += fmt::format(
                        "; est. savings {}", metrics::forPeople(*finding.gainNs / *ns, metrics::Unit::Ratio));
                if (!finding.places.empty()) {
                    outcome.file = finding.places.front().file;
                    outcome.line = finding.places.front().line;
                }
                break;
            }
        }
        if (failed > 1) outcome.message += " (and other launches)";
    }

    const Rule& m_rule;
    std::size_t m_index;
    const diagnosis::Diagnosis& m_diagnosis;
    const diagnosis::Diagnosis* m_baseline;
};

} // namespace

std::size_t Gate::count(Status status) const {
    return static_cast<std::size_t>(std::ranges::count(outcomes, status, &Outcome::status));
}

std::size_t Gate::failures() const {
    return static_cast<std::size_t>(std::ranges::count_if(outcomes, [&](const Outcome& outcome) {
        return outcome.status == Status::Broken && !rules[outcome.rule].warning;
    }));
}

Gate checkRules(std::vector<Rule> rules, const diagnosis::Diagnosis& session,
                const diagnosis::Diagnosis* baseline) {
    const std::vector<KernelLaunches> kernels = compare::kernelsOf(session);
    std::vector<KernelLaunches> before;
    std::vector<const KernelLaunches*> matched(kernels.size(), nullptr);
    if (baseline != nullptr) {
        before = compare::kernelsOf(*baseline);
        for (const compare::Match& match : compare::matchKernels(before, kernels))
            matched[match.fresh] = &before[match.base];
    }
    Gate gate{std::move(rules), {}};
    for (std::size_t i = 0; i < gate.rules.size(); ++i) {
        const Rule& rule = gate.rules[i];
        const Checker checker(rule, i, session, baseline);
        bool any = false;
        for (std::size_t k = 0; k < kernels.size(); ++k) {
            if (rule.kernels && !rule.kernels->matches(kernels[k].workload, kernels[k].fullName)) continue;
            any = true;
            gate.outcomes.push_back(checker.check(kernels[k], matched[k]));
        }
        if (any) continue;
        Outcome none{i, Status::Held, {}, {}, {}, 0};
        checker.missing(none, rule.pattern.empty() ? "the session has no launches"
                                                   : fmt::format("'{}' matches no kernel", rule.pattern));
        gate.outcomes.push_back(std::move(none));
    }
    return gate;
}

} // namespace dormer::check
