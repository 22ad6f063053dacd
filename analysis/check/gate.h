// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/check/rules.h"
#include "analysis/diagnosis/diagnosis.h"

namespace dormer::check {

enum class Status { Held, Broken, Skipped };

/// What one rule gives for one kernel, or for the session where it matches none.
struct Outcome {
    std::size_t rule = 0; ///< index into the rules
    Status status = Status::Held;
    std::string kernel;  ///< label; empty where the rule matches no kernel
    std::string message; ///< why it is broken or skipped, with numbers
    std::string file;    ///< source line that the message is about; empty where none is known
    std::uint32_t line = 0;
};

struct Gate {
    std::vector<Rule> rules;
    std::vector<Outcome> outcomes; ///< in the rules' order, kernels in launch order

    [[nodiscard]] std::size_t count(Status status) const;
    /// Broken rules that are errors: any of them fails the gate.
    [[nodiscard]] std::size_t failures() const;
};

/// Checks the rules. A rule without a baseline has to hold for every launch; one with a baseline compares
/// medians over the launches of a kernel with those of the kernel it matches there (compare::matchKernels).
/// What was not collected breaks a rule unless the rule skips it: a gate never passes unseen.
[[nodiscard]] Gate checkRules(std::vector<Rule> rules, const diagnosis::Diagnosis& session,
                              const diagnosis::Diagnosis* baseline);

} // namespace dormer::check
