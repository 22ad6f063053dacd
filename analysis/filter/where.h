// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/diagnosis/diagnosis.h"

#include <memory>

namespace dormer::filter {

/// Which launches somebody means: "time > 1ms and verdict = memory", "not kernel ~ gemm or l2_hit_rate <
/// 50%".
///
///   expression  term { "or" term }
///   term        factor { "and" factor }
///   factor      "not" factor | "(" expression ")" | field operator value
///   operator    = != < <= > >= for numbers; = != ~ !~ for names, ~ with a regular expression found anywhere
///   value       a number with an optional unit (ns us ms s, B KB MB GB, K M G T, each with /s if wanted, %),
///               or a word; "quoted" where it holds blanks
///
/// Fields are time (of all launches like this one), calls, savings (estimated, over all of them), any metric
/// of the catalogue (of the launch itself), and the names kernel, workload, nvtx, verdict and finding. Where
/// a number is not known, no comparison with it holds.
class Where {
public:
    /// ErrorKind::Usage with what is wrong and where.
    [[nodiscard]] static Result<Where> parse(std::string_view text);
    [[nodiscard]] bool accepts(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) const;

    struct Node;

private:
    explicit Where(std::shared_ptr<const Node> root) : m_root(std::move(root)) {}
    std::shared_ptr<const Node> m_root;
};

/// Whether a text is meant as an expression: it compares a field. Else it is words to be found in names.
[[nodiscard]] bool isExpression(std::string_view text);

struct Completion {
    std::string text; ///< the whole text with the completion at its end
    std::string hint; ///< what it means: "Time of all launches like this one"
};
/// What the last word of an expression may become, in the order of the catalogue: fields, operators,
/// verdicts, "and" and "or".
[[nodiscard]] std::vector<Completion> completions(std::string_view text);

} // namespace dormer::filter
