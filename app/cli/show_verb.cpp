// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_files.h"
#include "analysis/view/timeline/timeline.h"
#include "app/cli/console.h"
#include "app/cli/kernel_filter.h"
#include "app/cli/session_text.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>

#include <map>

namespace dormer::cli {

namespace {

const std::map<std::string, std::optional<session::Scope>> kGroups{{"kernel", std::nullopt},
                                                                   {"process", session::Scope::Process},
                                                                   {"nvtx", session::Scope::Nvtx},
                                                                   {"stream", session::Scope::Stream}};

struct ShowOptions {
    std::vector<std::filesystem::path> files;
    std::string kernel, where;
    std::string group = "kernel";
    SessionView view;
};

/// "a.dormer", "a.dormer and 3 more".
std::string nameOf(const std::vector<std::filesystem::path>& files) {
    const std::string first = files.front().string();
    return files.size() == 1 ? first : fmt::format("{} and {} more", first, files.size() - 1);
}

/// ErrorKind::Usage when the session has nothing of what is requested.
Result<void> checkAsked(const diagnosis::Diagnosis& diagnosis, const ShowOptions& options) {
    const session::Session& session = diagnosis.session();
    if (options.view.wide && options.view.format != "csv")
        return failure(ErrorKind::Usage, "--wide is a form of CSV: add --format csv");
    const std::string_view filtered =
        options.kernel.empty() && options.where.empty() ? "" : " of these kernels";
    const std::string name = nameOf(options.files);
    if (options.view.lines && !session.hasLines())
        return failure(ErrorKind::Usage,
                       fmt::format("{} has no counts per line{}: collect them with --lines", name, filtered));
    if (options.view.stalls && !session.hasWarpSamples())
        return failure(ErrorKind::Usage,
                       fmt::format("{} has no samples of warps{}: collect them with dormer profile --stalls, "
                                   "or on the emulator",
                                   name, filtered));
    if (options.view.stalls && options.view.format == "csv")
        return failure(ErrorKind::Usage,
                       "--stalls: there is no CSV of it; --format json has every instruction");
    if (options.view.timeline && view::timeline::timelineOf(session).empty())
        return failure(ErrorKind::Usage,
                       fmt::format("{} has no launches{} with a place in time: emulated ones have none", name,
                                   filtered));
    if (options.view.timeline && options.view.format == "csv")
        return failure(ErrorKind::Usage,
                       "--timeline: there is no CSV of it; --format json has every launch's "
                       "times, 'dormer report -o NAME.trace.json' a trace");
    if (options.view.roofline && (options.view.format == "csv" || options.view.format == "markdown"))
        return failure(ErrorKind::Usage, "--roofline is drawn for a terminal: --format json has the numbers, "
                                         "'dormer report -o NAME.svg' a picture");
    if (options.view.sweep && metrics::sweepTables(diagnosis.metrics()).empty())
        return failure(ErrorKind::Usage,
                       fmt::format("{} has no sweep{}: run workloads that are points of one ('dormer list')",
                                   name, filtered));
    if (options.view.transfers && session.transfers().empty() && session.memoryCalls().empty())
        return failure(ErrorKind::Usage,
                       fmt::format("{} has no transfers and no memory API calls{}", name, filtered));
    return {};
}

int show(const ShowOptions& options) {
    std::optional<session::NameFilter> filter;
    if (!options.kernel.empty()) {
        auto compiled = session::NameFilter::compile(options.kernel, "--kernel");
        if (!compiled) return fail(compiled.error());
        filter = std::move(*compiled);
    }
    std::optional<filter::Where> where;
    if (!options.where.empty()) {
        auto parsed = filter::Where::parse(options.where);
        if (!parsed) return fail({ErrorKind::Usage, "--where: " + parsed.error().message});
        where = std::move(*parsed);
    }
    Result<session::Session> session = store::loadSessions(options.files);
    if (!session) return fail(session.error());
    if (filter) {
        const std::size_t all = session->launches().size();
        *session = keepKernels(*session, *filter);
        if (session->launches().empty() && session->transfers().empty())
            return fail({ErrorKind::Usage, fmt::format("--kernel '{}' matches none of the {} launches in {}",
                                                       options.kernel, all, nameOf(options.files))});
    }
    if (where) {
        const std::size_t all = session->launches().size();
        *session = keepWhere(*session, *where);
        if (session->launches().empty())
            return fail({ErrorKind::Usage, fmt::format("--where '{}' holds for none of the {} launches in {}",
                                                       options.where, all, nameOf(options.files))});
    }
    const diagnosis::Diagnosis diagnosis{*session};
    if (const auto there = checkAsked(diagnosis, options); !there) return fail(there.error());
    SessionView view = options.view;
    // JSON and CSV name process, range and stream of each launch.
    if (view.format == "table" || view.format == "markdown") view.by = kGroups.at(options.group);
    return printResult([&](const base::TextSink& sink) { writeSession(diagnosis, view, sink); });
}

} // namespace

void addShowVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("show", "Shows a recorded session");
    auto options = std::make_shared<ShowOptions>();
    verb->add_option("FILE", options->files, "session files (NAME.dormer); several are shown as one session")
        ->required();
    verb->add_option("--kernel", options->kernel,
                     "only launches whose kernel or workload matches this regular expression");
    verb->add_option("--where", options->where,
                     "only launches that this holds for: 'time > 1ms and verdict = memory' (docs/filter.md)");
    addAliasesOption(*verb);
    CLI::Option* lines = verb->add_flag("--lines", options->view.lines,
                                        "show what each source line did instead of the kernels");
    CLI::Option* sweep = verb->add_flag("--sweep", options->view.sweep,
                                        "show a table and a plot per sweep instead of the kernels");
    CLI::Option* transfers = verb->add_flag("--transfers", options->view.transfers,
                                            "show transfers and memory API calls instead of the kernels");
    lines->excludes(sweep)->excludes(transfers);
    verb->add_flag("--stalls", options->view.stalls,
                   "show what warps wait for, and at which lines, instead of the kernels")
        ->excludes(lines)
        ->excludes(sweep)
        ->excludes(transfers);
    verb->add_flag("--timeline", options->view.timeline,
                   "show what ran when, and what the GPU waited for, instead of the kernels")
        ->excludes(lines)
        ->excludes(sweep)
        ->excludes(transfers)
        ->excludes("--stalls");
    verb->add_flag(
            "--roofline", options->view.roofline,
            "show the roofline and its numbers instead of the kernels; of one kernel at every memory level")
        ->excludes(lines)
        ->excludes(sweep)
        ->excludes(transfers)
        ->excludes("--stalls")
        ->excludes("--timeline");
    sweep->excludes(transfers);
    verb->add_option("--group", options->group,
                     "kernel: the launches of a kernel are one row; process, nvtx, stream: the same for each "
                     "process, NVTX range or stream")
        ->check(CLI::IsMember({"kernel", "process", "nvtx", "stream"}))
        ->capture_default_str();
    verb->add_option("--format", options->view.format, "table, json, csv or markdown")
        ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
        ->capture_default_str();
    verb->add_flag("--wide", options->view.wide,
                   "with --format csv: a row per launch and a column per metric")
        ->excludes(lines)
        ->excludes(sweep)
        ->excludes(transfers);
    verb->callback([options, &action] { action = [options] { return show(*options); }; });
}

} // namespace dormer::cli
