// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/store/session_files.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>

namespace dormer::cli {

namespace {

struct ReportOptions {
    std::vector<std::filesystem::path> files;
    std::filesystem::path output;
};

int report(const ReportOptions& options) {
    if (const auto writable = report::checkReportPath(options.output); !writable)
        return fail(writable.error());
    const Result<session::Session> session = store::loadSessions(options.files);
    if (!session) return fail(session.error());
    const diagnosis::Diagnosis diagnosis{*session};
    if (const auto written = report::writeReport(diagnosis, options.output); !written)
        return fail(written.error());
    say(fmt::format("wrote {} ({} launches)", options.output.string(), session->launches().size()));
    return 0;
}

} // namespace

void addReportVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("report", "Writes a report of recorded sessions");
    auto options = std::make_shared<ReportOptions>();
    verb->add_option("FILE", options->files, "session files; several are merged into one report")->required();
    verb->add_option("-o,--output", options->output,
                     "OUT.html, .md, .csv, .json, .trace.json (Perfetto) or .svg")
        ->required();
    addAliasesOption(*verb);
    verb->callback([options, &action] { action = [options] { return report(*options); }; });
}

} // namespace dormer::cli
