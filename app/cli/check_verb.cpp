// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/gate_report.h"
#include "analysis/findings/finding_catalogue.h"
#include "analysis/metrics/counter_sets.h"
#include "analysis/metrics/launch_facts.h"
#include "analysis/store/session_files.h"
#include "app/cli/console.h"
#include "app/cli/file_verbs.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace dormer::cli {

namespace {

struct CheckOptions {
    std::filesystem::path rules;
    std::vector<std::filesystem::path> files, baseline;
    std::string format = "text";
    std::filesystem::path output;
    std::filesystem::path sourceRoot;
};

Result<std::vector<check::Rule>> loadRules(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (std::filesystem::is_directory(path) || !file || !(text << file.rdbuf()))
        return failure(ErrorKind::Input, fmt::format("{}: can't be read", path.string()));
    return check::parseRules(text.str(), path.string());
}

/// ErrorKind::Usage for a name that is neither a metric nor a counter, or a finding there is none of.
Result<void> checkNames(const std::vector<check::Rule>& rules, const session::Session& session,
                        const std::filesystem::path& file) {
    std::vector<std::string> known;
    for (const metrics::Metric& metric : metrics::metricCatalogue())
        known.emplace_back(metric.name);
    for (const metrics::FactInfo& fact : metrics::launchFacts())
        known.emplace_back(fact.name);
    std::ranges::copy(session.counters().names(), std::back_inserter(known));
    for (const metrics::CounterSet& set : metrics::counterSets())
        for (const metrics::CounterName& counter : set.counters)
            known.emplace_back(counter.name);
    const std::set<std::string> names(known.begin(), known.end());
    std::set<std::string> codes;
    for (const findings::FindingText& text : findings::findingCatalogue())
        codes.emplace(text.code);
    for (const check::Rule& rule : rules) {
        for (const std::string& name : check::namesIn(rule))
            if (!names.contains(name))
                return failure(
                    ErrorKind::Usage,
                    fmt::format("{}:{}: unknown metric '{}'{}", file.string(), rule.line, name,
                                instrument::launch::didYouMean(name, {names.begin(), names.end()})));
        if (!rule.finding) continue;
        const std::string& code = rule.finding->code;
        if (std::ranges::any_of(codes, [&](const std::string& each) { return each.starts_with(code); }))
            continue;
        // The beginning of a code is enough, so that beginnings may be meant.
        std::set<std::string> meant{codes.begin(), codes.end()};
        for (const std::string& each : codes)
            for (std::size_t end = each.find('-'); end != std::string::npos; end = each.find('-', end + 1))
                meant.insert(each.substr(0, end));
        return failure(ErrorKind::Usage,
                       fmt::format("{}:{}: unknown finding '{}'{}", file.string(), rule.line, code,
                                   instrument::launch::didYouMean(code, {meant.begin(), meant.end()})));
    }
    return {};
}

std::string textOf(const check::Gate& gate, const CheckOptions& options) {
    std::error_code ignored; // without a working folder paths stay as they are
    const std::string root = options.sourceRoot.empty()
                                 ? std::filesystem::current_path(ignored).string()
                                 : std::filesystem::absolute(options.sourceRoot, ignored).string();
    if (options.format == "json") return check::gateJson(gate).dump(2) + "\n";
    if (options.format == "sarif") return check::gateSarif(gate, root, DORMER_VERSION).dump(2) + "\n";
    if (options.format == "junit") return check::gateJunit(gate);
    if (options.format == "github") return check::gateAnnotations(gate, root);
    return check::gateText(gate);
}

int checkFiles(const CheckOptions& options) {
    Result<std::vector<check::Rule>> rules = loadRules(options.rules);
    if (!rules) return fail(rules.error());
    const bool needsBaseline = std::ranges::any_of(
        *rules, [](const check::Rule& rule) { return rule.comparison && rule.comparison->needsBaseline; });
    if (needsBaseline && options.baseline.empty())
        return fail(
            {ErrorKind::Usage, fmt::format("{} compares with a baseline: name one with --baseline FILE",
                                           options.rules.string())});
    const Result<session::Session> session = store::loadSessions(options.files);
    if (!session) return fail(session.error());
    Result<session::Session> baseline = session::Session{};
    if (!options.baseline.empty()) baseline = store::loadSessions(options.baseline);
    if (!baseline) return fail(baseline.error());
    if (const auto known = checkNames(*rules, *session, options.rules); !known) return fail(known.error());

    const diagnosis::Diagnosis diagnosis{*session}, before{*baseline};
    const check::Gate gate =
        check::checkRules(std::move(*rules), diagnosis, options.baseline.empty() ? nullptr : &before);
    const std::string text = textOf(gate, options);
    if (!options.output.empty()) {
        std::ofstream file(options.output, std::ios::binary);
        if (!(file << text) || !file.flush())
            return fail({ErrorKind::Usage, fmt::format("{} can't be written", options.output.string())});
    }
    // With an output file people still see what is broken.
    const int printed = printResult(options.output.empty() ? text : check::gateText(gate));
    return printed != 0 ? printed : gate.failures() > 0 ? static_cast<int>(ErrorKind::GateFailed) : 0;
}

} // namespace

void addCheckVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("check", "Checks rules on a session: a gate for CI");
    auto options = std::make_shared<CheckOptions>();
    verb->add_option("RULES", options->rules, "rules file (TOML)")->required();
    verb->add_option("SESSION", options->files, "session files; several are checked as one")->required();
    verb->add_option("--baseline", options->baseline,
                     "session files that rules with 'baseline' compare with");
    verb->add_option("--format", options->format, "text, json, junit, sarif or github")
        ->check(CLI::IsMember({"text", "json", "junit", "sarif", "github"}))
        ->capture_default_str();
    verb->add_option("-o,--output", options->output, "write that format to a file, and text to the terminal");
    verb->add_option("--source-root", options->sourceRoot,
                     "folder that files in sarif and github are relative to; default: the working folder");
    verb->callback([options, &action] { action = [options] { return checkFiles(*options); }; });
}

} // namespace dormer::cli
