// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "app/cli/console.h"
#include "app/cli/kernel_filter.h"
#include "app/cli/session_input.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dormer::cli {

namespace {

struct ShowOptions {
    std::string file;
    std::string kernel;
    std::string format = "table";
    bool lines = false;
};

std::string rendered(const analysis::MetricEvaluator& metrics, std::string_view format, bool lines) {
    if (format == "json") return analysis::sessionJson(metrics, lines).dump(2);
    if (lines && format == "csv") return analysis::linesCsvText(metrics);
    if (lines && format == "markdown") return analysis::linesMarkdownText(metrics);
    if (lines) return analysis::linesTableText(metrics);
    if (format == "csv") return analysis::csvText(metrics);
    if (format == "markdown") return analysis::markdownText(metrics);
    return analysis::tableText(metrics);
}

int show(const ShowOptions& options) {
    std::optional<std::regex> pattern;
    if (!options.kernel.empty()) {
        auto compiled = compileRegex(options.kernel, "--kernel");
        if (!compiled) return fail(compiled.error());
        pattern = std::move(*compiled);
    }
    Result<analysis::Session> session = loadMerged({options.file});
    if (!session) return fail(session.error());
    if (pattern) {
        const std::size_t all = session->launches().size();
        *session = keepKernels(*session, *pattern);
        if (session->launches().empty())
            return fail({ErrorKind::Usage, fmt::format("--kernel '{}' matches none of the {} launches in {}",
                                                       options.kernel, all, options.file)});
    }
    if (options.lines && !session->hasLines())
        return fail({ErrorKind::Usage, fmt::format("{} has no counts per line{}: collect them with --lines",
                                                   options.file, pattern ? " of these kernels" : "")});
    return printResult(rendered(analysis::MetricEvaluator{*session}, options.format, options.lines));
}

} // namespace

void addShowVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("show", "Shows a recorded session");
    auto options = std::make_shared<ShowOptions>();
    verb->add_option("FILE", options->file, "session file (NAME.dormer)")->required();
    verb->add_option("--kernel", options->kernel,
                     "only launches whose kernel or workload matches this regex");
    verb->add_flag("--lines", options->lines, "what each source line did, instead of each kernel");
    verb->add_option("--format", options->format, "table, json, csv or markdown")
        ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
        ->capture_default_str();
    verb->callback([options, &action] { action = [options] { return show(*options); }; });
}

} // namespace dormer::cli
