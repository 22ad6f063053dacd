// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/compare_report.h"
#include "analysis/compare/page/compare_html.h"
#include "analysis/store/session_files.h"
#include "app/cli/console.h"
#include "app/cli/file_verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace dormer::cli {

namespace {

struct CompareOptions {
    std::filesystem::path base, fresh;
    std::vector<std::filesystem::path> moreBase, moreFresh;
    std::string format = "table";
    double margin = compare::kDefaultMargin * 100;
    bool force = false;
};

int compareFiles(CompareOptions options) {
    options.moreBase.insert(options.moreBase.begin(), options.base);
    options.moreFresh.insert(options.moreFresh.begin(), options.fresh);
    const Result<session::Session> base = store::loadSessions(options.moreBase);
    if (!base) return fail(base.error());
    const Result<session::Session> fresh = store::loadSessions(options.moreFresh);
    if (!fresh) return fail(fresh.error());
    const std::vector<std::string> reasons = compare::incomparable(*base, *fresh);
    if (!reasons.empty() && !options.force)
        return fail({ErrorKind::Usage,
                     fmt::format("not comparable: {}; --force compares counters and leaves times unsure",
                                 fmt::join(reasons, ", "))});
    const diagnosis::Diagnosis before{*base}, after{*fresh};
    const compare::Comparison comparison = compare::compareSessions(before, after, options.margin / 100);
    if (options.format == "json")
        return printResult(
            compare::compareJson(comparison).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
            "\n");
    if (options.format == "markdown") return printResult(compare::compareMarkdownText(comparison));
    if (options.format == "html")
        return printResult(
            compare::compareHtml(comparison, fmt::format("{} → {}", options.base.filename().string(),
                                                         options.fresh.filename().string())));
    return printResult(compare::compareTableText(comparison));
}

} // namespace

void addCompareVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("compare", "Compares two sessions, kernel by kernel");
    auto options = std::make_shared<CompareOptions>();
    verb->add_option("BASE", options->base, "session file to compare with")->required();
    verb->add_option("NEW", options->fresh, "session file to compare")->required();
    verb->add_option("--base", options->moreBase, "more runs of the base");
    verb->add_option("--new", options->moreFresh, "more runs of the new session");
    verb->add_option("--margin", options->margin, "changes by less than so many percent are none")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    verb->add_flag("--force", options->force, "compare counters though device or origin differ");
    addAliasesOption(*verb);
    verb->add_option("--format", options->format, "table, markdown, json or html")
        ->check(CLI::IsMember({"table", "markdown", "json", "html"}))
        ->capture_default_str();
    verb->callback([options, &action] { action = [options] { return compareFiles(*options); }; });
}

} // namespace dormer::cli
