// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/gate_report.h"
#include "analysis/check/source_path.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::check {

namespace {

std::string placeOf(const Outcome& outcome) {
    return outcome.file.empty() ? std::string() : fmt::format("{}:{}: ", outcome.file, outcome.line);
}

/// Text of a workflow command: one line, with its own escapes.
std::string commandText(std::string_view text, bool isProperty) {
    std::string out;
    for (const char c : view::cleanText(text)) {
        if (c == '%')
            out += "%25";
        else if (isProperty && (c == ':' || c == ','))
            out += c == ':' ? "%3A" : "%2C";
        else
            out += c;
    }
    return out;
}

} // namespace

std::string gateText(const Gate& gate) {
    std::string out;
    for (const Outcome& outcome : gate.outcomes) {
        if (outcome.status == Status::Held) continue;
        const Rule& rule = gate.rules[outcome.rule];
        const std::string_view word = outcome.status == Status::Skipped ? "skipped"
                                      : rule.warning                    ? "warning"
                                                                        : "BROKEN";
        out += view::cleanText(
                   fmt::format("{}  {}{}{}: {}", word, placeOf(outcome), outcome.kernel,
                               outcome.kernel.empty() ? "" : ": " + outcome.message,
                               outcome.kernel.empty() ? outcome.message : "rule '" + rule.title + "'")) +
               "\n";
    }
    const std::size_t failures = gate.failures();
    return out + fmt::format("{}: {} rules, {} checks: {} passed, {} broken, {} skipped\n",
                             failures == 0 ? "PASS" : "FAIL", gate.rules.size(), gate.outcomes.size(),
                             gate.count(Status::Held), gate.count(Status::Broken),
                             gate.count(Status::Skipped));
}

std::string gateAnnotations(const Gate& gate, const std::string& root) {
    std::string out;
    for (const Outcome& outcome : gate.outcomes) {
        if (outcome.status != Status::Broken) continue;
        const Rule& rule = gate.rules[outcome.rule];
        std::string properties = fmt::format("title={}", commandText("Dormer: " + rule.title, true));
        if (!outcome.file.empty())
            properties =
                fmt::format("file={},line={},{}", commandText(relativePath(outcome.file, root), true),
                            outcome.line, properties);
        out += fmt::format(
            "::{} {}::{}\n", rule.warning ? "warning" : "error", properties,
            commandText(outcome.kernel.empty() ? outcome.message : outcome.kernel + ": " + outcome.message,
                        false));
    }
    return out;
}

} // namespace dormer::check
