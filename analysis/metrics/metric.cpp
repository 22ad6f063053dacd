// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric.h"

#include "analysis/metrics/counter_sets.h"
#include "analysis/metrics/expression.h"
#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace dormer::metrics {

namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// The catalogue's formulas, parsed once. A formula that does not parse is a bug of the catalogue.
const std::vector<Expression>& parsedCatalogue() {
    static const std::vector<Expression> parsed = [] {
        std::vector<Expression> all;
        for (const Metric& metric : metricCatalogue()) {
            auto expression = Expression::parse(metric.formula);
            assert(expression);
            all.push_back(std::move(*expression));
        }
        return all;
    }();
    return parsed;
}

std::size_t placeOf(const Metric& metric) {
    const std::size_t place = static_cast<std::size_t>(&metric - metricCatalogue().data());
    assert(place < metricCatalogue().size());
    return place;
}

/// Where a bound formula reads an input.
struct Source {
    enum class Kind { Counter, Fact, NotCollected } kind = Kind::NotCollected;
    std::size_t column = 0; ///< for Counter
    Fact fact{};            ///< for Fact
    std::string_view name;  ///< into the parsed catalogue
};

} // namespace

const Metric* findMetric(std::string_view name) {
    static const std::unordered_map<std::string_view, const Metric*> byName = [] {
        std::unordered_map<std::string_view, const Metric*> all;
        for (const Metric& metric : metricCatalogue())
            all.emplace(metric.name, &metric);
        return all;
    }();
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : found->second;
}

std::string_view unitSymbol(Unit unit) {
    switch (unit) {
    case Unit::None:
        return "";
    case Unit::Nanoseconds:
        return "ns";
    case Unit::Bytes:
        return "B";
    case Unit::BytesPerSecond:
        return "B/s";
    case Unit::Ratio:
        return "1";
    case Unit::Count:
        return "count";
    case Unit::PerSecond:
        return "1/s";
    case Unit::FlopPerByte:
        return "FLOP/B";
    case Unit::OpPerByte:
        return "op/B";
    case Unit::Hertz:
        return "Hz";
    }
    return "";
}

struct MetricEvaluator::Impl {
    explicit Impl(const session::Session& bound) : session(&bound) { bind(); }

    /// Metrics that use other metrics are spliced together, so that evaluation is one flat loop.
    void bind() {
        boundNames = session->counters().names().size();
        sources.clear();
        programs.assign(parsedCatalogue().size(), {});
        for (std::size_t i = 0; i < programs.size(); ++i)
            append(programs[i], i, 0);
        own.assign(programs.size(), {});
        order.clear();
        for (std::size_t i = 0; i < own.size(); ++i)
            bindOwn(i);
    }

    /// Metrics that this one uses come before it; its program reads them, rather than computing them again.
    void bindOwn(std::size_t metric) {
        if (!own[metric].empty()) return;
        const Expression& expression = parsedCatalogue()[metric];
        std::vector<Expression::Step> program = expression.steps();
        for (Expression::Step& step : program) {
            if (step.op != Expression::Op::Input) continue;
            const std::string& name = expression.inputs()[step.input];
            const Metric* other = findMetric(name);
            if (other != nullptr) bindOwn(placeOf(*other));
            step.input = other != nullptr ? static_cast<std::uint32_t>(placeOf(*other))
                                          : static_cast<std::uint32_t>(own.size()) + sourceOf(name);
        }
        own[metric] = std::move(program);
        order.push_back(metric);
    }

    void append(std::vector<Expression::Step>& program, std::size_t metric, std::size_t depth) {
        assert(depth < Expression::kMaxDepth); // a metric defined by itself
        const Expression& expression = parsedCatalogue()[metric];
        for (Expression::Step step : expression.steps()) {
            if (step.op == Expression::Op::Input) {
                const std::string& name = expression.inputs()[step.input];
                if (const Metric* other = findMetric(name)) {
                    append(program, placeOf(*other), depth + 1);
                    continue;
                }
                step.input = sourceOf(name);
            }
            program.push_back(step);
        }
    }

    std::uint32_t sourceOf(std::string_view name) {
        const auto found = std::ranges::find(sources, name, &Source::name);
        if (found != sources.end()) return static_cast<std::uint32_t>(found - sources.begin());
        Source source;
        source.name = name;
        const session::CounterTable& counters = session->counters();
        if (const auto fact = factNamed(name)) {
            source.kind = Source::Kind::Fact;
            source.fact = *fact;
        } else if (auto column = counters.find(name)) {
            source.kind = Source::Kind::Counter;
            source.column = *column;
        } else if (const auto other = alternativeCounterName(name);
                   !other.empty() && (column = counters.find(other))) {
            source.kind = Source::Kind::Counter;
            source.column = *column;
        }
        sources.push_back(source);
        return static_cast<std::uint32_t>(sources.size() - 1);
    }

    double read(session::LaunchIndex launch, std::uint32_t input) const {
        const Source& source = sources[input];
        switch (source.kind) {
        case Source::Kind::Counter:
            return session->counter(launch, source.column).value_or(kAbsent);
        case Source::Kind::Fact:
            return factOf(*session, launch, source.fact).value_or(kAbsent);
        case Source::Kind::NotCollected:
            return kAbsent;
        }
        return kAbsent;
    }

    /// The program, bound to the columns the session has by now.
    const std::vector<Expression::Step>& program(std::size_t metric) {
        bindNew();
        return programs[metric];
    }

    void bindNew() {
        if (session->counters().names().size() != boundNames) bind();
    }

    const session::Session* session;
    std::size_t boundNames = 0;
    std::vector<Source> sources;
    std::vector<std::vector<Expression::Step>> programs;
    std::vector<std::vector<Expression::Step>> own; ///< each without those of the metrics it uses
    std::vector<std::size_t> order;                 ///< of `own`, so that what is used comes first
    std::vector<Expression::Column> inputs;         ///< of the launches at hand: metrics, then sources
};

MetricEvaluator::MetricEvaluator(const session::Session& session) : m_impl(std::make_unique<Impl>(session)) {}
MetricEvaluator::~MetricEvaluator() = default;
MetricEvaluator::MetricEvaluator(MetricEvaluator&&) noexcept = default;

const session::Session& MetricEvaluator::session() const {
    return *m_impl->session;
}

std::optional<double> MetricEvaluator::value(session::LaunchIndex launch, const Metric& metric) const {
    const auto& program = m_impl->program(placeOf(metric));
    const double result =
        Expression::run(program, [&](std::uint32_t input) { return m_impl->read(launch, input); });
    return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

std::optional<double> MetricEvaluator::value(session::LaunchIndex launch, std::string_view metric) const {
    const Metric* found = findMetric(metric);
    return found != nullptr ? value(launch, *found) : std::nullopt;
}

void MetricEvaluator::values(session::LaunchIndex first, std::size_t launches,
                             std::vector<double>& into) const {
    m_impl->bindNew();
    const std::size_t metrics = m_impl->own.size();
    std::vector<Expression::Column>& inputs = m_impl->inputs;
    inputs.resize(metrics + m_impl->sources.size());
    into.resize(launches * metrics);
    for (std::size_t done = 0; done < launches; done += Expression::kColumnRows) {
        const std::size_t rows = std::min(Expression::kColumnRows, launches - done);
        const auto begin = static_cast<std::uint32_t>(session::raw(first) + done);
        for (std::uint32_t source = 0; source < m_impl->sources.size(); ++source)
            for (std::uint32_t row = 0; row < rows; ++row)
                inputs[metrics + source][row] = m_impl->read(session::LaunchIndex{begin + row}, source);
        for (const std::size_t metric : m_impl->order) {
            Expression::runColumns(
                m_impl->own[metric],
                [&inputs](std::uint32_t input) -> const Expression::Column& { return inputs[input]; },
                inputs[metric]);
            for (std::size_t row = 0; row < rows; ++row) {
                const double value = inputs[metric][row];
                into[(done + row) * metrics + metric] = std::isfinite(value) ? value : kAbsent;
            }
        }
    }
}

std::string MetricEvaluator::missingInput(session::LaunchIndex launch, std::string_view metric) const {
    const Metric* found = findMetric(metric);
    if (found == nullptr) return std::string(metric);
    if (value(launch, *found)) return {};
    // Inputs of each value on the stack; of first() those of what it prefers.
    std::vector<std::vector<std::uint32_t>> stack;
    for (const auto& step : m_impl->program(placeOf(*found))) {
        if (step.op == Expression::Op::Constant || step.op == Expression::Op::Input) {
            stack.emplace_back();
            if (step.op == Expression::Op::Input) stack.back().push_back(step.input);
        } else if (step.op != Expression::Op::Negate) {
            const std::vector<std::uint32_t> second = std::move(stack.back());
            stack.pop_back();
            if (step.op != Expression::Op::First)
                stack.back().insert(stack.back().end(), second.begin(), second.end());
        }
    }
    for (const std::uint32_t input : stack.front())
        if (std::isnan(m_impl->read(launch, input))) return std::string(m_impl->sources[input].name);
    return "nothing to divide by";
}

} // namespace dormer::metrics
