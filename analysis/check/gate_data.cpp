// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/gate_report.h"
#include "analysis/check/source_path.h"
#include "analysis/view/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dormer::check {

namespace {

std::string_view toString(Status status) {
    switch (status) {
    case Status::Held:
        return "passed";
    case Status::Broken:
        return "broken";
    case Status::Skipped:
        return "skipped";
    }
    return "";
}

nlohmann::json textOrNull(const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(view::cleanText(text));
}

/// Rules have no names that are sure to be unique; their lines are.
std::string idOf(const Rule& rule) {
    return fmt::format("rule-{}", rule.line);
}

} // namespace

nlohmann::json gateJson(const Gate& gate) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const Outcome& outcome : gate.outcomes) {
        const Rule& rule = gate.rules[outcome.rule];
        outcomes.push_back(
            {{"rule", rule.title},
             {"require", rule.text},
             {"rule_line", rule.line},
             {"level", rule.warning ? "warning" : "error"},
             {"status", toString(outcome.status)},
             {"kernel", textOrNull(outcome.kernel)},
             {"message", textOrNull(outcome.message)},
             {"file", textOrNull(outcome.file)},
             {"line", outcome.file.empty() ? nlohmann::json() : nlohmann::json(outcome.line)}});
    }
    return {{"schema", 1},
            {"passed", gate.failures() == 0},
            {"broken", gate.count(Status::Broken)},
            {"skipped", gate.count(Status::Skipped)},
            {"outcomes", std::move(outcomes)}};
}

std::string gateJunit(const Gate& gate) {
    std::string cases;
    for (const Outcome& outcome : gate.outcomes) {
        const Rule& rule = gate.rules[outcome.rule];
        const std::string message = view::escapeMarkup(outcome.message);
        cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", view::escapeMarkup(rule.title),
                             view::escapeMarkup(outcome.kernel.empty() ? "all kernels" : outcome.kernel));
        if (!outcome.file.empty())
            cases += fmt::format(" file=\"{}\" line=\"{}\"", view::escapeMarkup(outcome.file), outcome.line);
        if (outcome.status == Status::Broken && !rule.warning)
            cases += fmt::format("><failure message=\"{}\"/></testcase>\n", message);
        else if (outcome.status == Status::Skipped)
            cases += fmt::format("><skipped message=\"{}\"/></testcase>\n", message);
        else if (outcome.status == Status::Broken)
            cases += fmt::format("><system-out>warning: {}</system-out></testcase>\n", message);
        else
            cases += "/>\n";
    }
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"dormer "
                       "check\" tests=\"{}\" "
                       "failures=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n</testsuites>\n",
                       gate.outcomes.size(), gate.failures(), gate.count(Status::Skipped), cases);
}

nlohmann::json gateSarif(const Gate& gate, const std::string& root, const std::string& version) {
    nlohmann::json rules = nlohmann::json::array();
    for (const Rule& rule : gate.rules)
        rules.push_back({{"id", idOf(rule)},
                         {"shortDescription", {{"text", rule.title}}},
                         {"fullDescription", {{"text", rule.text}}},
                         {"defaultConfiguration", {{"level", rule.warning ? "warning" : "error"}}}});
    nlohmann::json results = nlohmann::json::array();
    for (const Outcome& outcome : gate.outcomes) {
        if (outcome.status != Status::Broken) continue;
        const Rule& rule = gate.rules[outcome.rule];
        const std::string kernel = view::cleanText(outcome.kernel);
        nlohmann::json location = nlohmann::json::object();
        if (!outcome.file.empty())
            location["physicalLocation"] = {{"artifactLocation", {{"uri", sourceUri(outcome.file, root)}}},
                                            {"region", {{"startLine", std::max(1U, outcome.line)}}}};
        if (!kernel.empty()) location["logicalLocations"] = {{{"name", kernel}, {"kind", "function"}}};
        nlohmann::json result{
            {"ruleId", idOf(rule)},
            {"ruleIndex", outcome.rule},
            {"level", rule.warning ? "warning" : "error"},
            {"message",
             {{"text",
               view::cleanText(kernel.empty() ? outcome.message : kernel + ": " + outcome.message)}}}};
        if (!location.empty()) result["locations"] = nlohmann::json::array({std::move(location)});
        results.push_back(std::move(result));
    }
    return {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", nlohmann::json::array(
                     {{{"tool",
                        {{"driver",
                          {{"name", "Dormer"}, {"semanticVersion", version}, {"rules", std::move(rules)}}}}},
                       {"results", std::move(results)}}})}};
}

} // namespace dormer::check
