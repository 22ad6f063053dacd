// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_files.h"
#include "app/cli/collect/output_name.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>

#include <set>

namespace dormer::cli {

namespace {

struct MergeOptions {
    std::vector<std::filesystem::path> files;
    std::filesystem::path output;
    bool forceOverwrite = false;
};

/// Copies of a file are other files, but what they hold counts twice.
void warnOfCopies(const session::Session& session) {
    std::set<std::tuple<std::string, std::int32_t, std::int64_t>> seen;
    for (const session::Process& process : session.processes())
        if (process.startUnixNs != 0 && !seen.emplace(process.host, process.pid, process.startUnixNs).second)
            say(fmt::format("note: process {} of {} is in several of the files: its launches count again",
                            process.pid, process.host));
}

int merge(const MergeOptions& options) {
    if (const auto free = checkFree(options.output, options.forceOverwrite); !free) return fail(free.error());
    const Result<session::Session> session = store::loadSessions(options.files);
    if (!session) return fail(session.error());
    warnOfCopies(*session);
    if (const auto saved = store::saveSession(*session, options.output); !saved) return fail(saved.error());
    std::set<std::string> hosts;
    for (const session::Process& process : session->processes())
        hosts.insert(process.host);
    say(fmt::format("wrote {} ({} launches, {} processes, {} {})", options.output.string(),
                    session->launches().size(), session->processes().size(), hosts.size(),
                    hosts.size() == 1 ? "host" : "hosts"));
    return 0;
}

} // namespace

void addMergeVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("merge", "Makes one session of several, such as those of ranks");
    auto options = std::make_shared<MergeOptions>();
    verb->add_option("FILE", options->files, "session files (NAME.dormer)")->required();
    verb->add_option("-o,--output", options->output, "session file to write")->required();
    verb->add_flag("-f,--force-overwrite", options->forceOverwrite, "replace the output if it exists");
    verb->callback([options, &action] { action = [options] { return merge(*options); }; });
}

} // namespace dormer::cli
