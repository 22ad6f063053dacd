// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/metrics/expression.h"
#include "analysis/session/names/name_filter.h"

#include <optional>
#include <vector>

namespace dormer::check {

enum class Relation { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// A comparison of a metric or counter, or of a formula of them, with another formula.
struct Comparison {
    metrics::Expression left, right;
    Relation relation = Relation::Equal;
    bool needsBaseline = false; ///< `right` names "baseline"
};

/// No finding of this kind.
struct NoFinding {
    std::string code;                 ///< as written, a finding's code or its beginning; empty: of any kind
    std::optional<double> aboveShare; ///< savings below this share of the launch's time don't count
};

/// One rule of a gate.
struct Rule {
    std::string text;       ///< as written
    std::string title;      ///< what reports call it: its name, else its text
    std::uint32_t line = 0; ///< in the rules file
    std::string pattern;    ///< of kernels; empty: all
    std::optional<session::NameFilter> kernels;
    std::optional<Comparison> comparison; ///< else finding
    std::optional<NoFinding> finding;
    bool warning = false;     ///< reported, but does not fail the gate
    bool skipMissing = false; ///< what was not collected, or matches no kernel, is no failure
};

/// Reads a rules file (docs/check.md). ErrorKind::Usage with file and line for what is no rule.
[[nodiscard]] Result<std::vector<Rule>> parseRules(std::string_view toml, const std::string& file);

/// Names of metrics and counters that a rule reads; "baseline" is none of them.
[[nodiscard]] std::vector<std::string> namesIn(const Rule& rule);

} // namespace dormer::check
