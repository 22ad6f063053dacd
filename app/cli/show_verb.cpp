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
};

std::string rendered(const analysis::MetricEvaluator& metrics, std::string_view format) {
    if (format == "json") return analysis::sessionJson(metrics).dump(2);
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
    return printResult(rendered(analysis::MetricEvaluator{*session}, options.format));
}

} // namespace

void addShowVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("show", "Shows a recorded session");
    auto options = std::make_shared<ShowOptions>();
    verb->add_option("FILE", options->file, "session file (NAME.dormer)")->required();
    verb->add_option("--kernel", options->kernel,
                     "only launches whose kernel or workload matches this regex");
    verb->add_option("--format", options->format, "table, json, csv or markdown")
        ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
        ->capture_default_str();
    verb->callback([options, &action] { action = [options] { return show(*options); }; });
}

} // namespace dormer::cli
