// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/importer.h"
#include "analysis/store/session_file.h"
#include "app/cli/collect/output_name.h"
#include "app/cli/console.h"
#include "app/cli/file_verbs.h"

#include <fmt/format.h>

namespace dormer::cli {

namespace {

struct ImportOptions {
    std::filesystem::path file;
    std::filesystem::path output;
    bool forceOverwrite = false;
};

int import_(const ImportOptions& options) {
    if (const auto free = checkFree(options.output, options.forceOverwrite); !free) return fail(free.error());
    const Result<session::Session> session = importers::importFile(options.file);
    if (!session) return fail(session.error());
    if (const auto saved = store::saveSession(*session, options.output); !saved) return fail(saved.error());
    for (const session::Note& note : session->notes())
        say("note: " + note.text);
    say(fmt::format("wrote {} ({} launches, {} kernels, {} metrics)", options.output.string(),
                    session->launches().size(), session->kernels().size(),
                    session->counters().names().size()));
    return 0;
}

} // namespace

void addImportVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("import", "Makes a session of what other profilers recorded");
    auto options = std::make_shared<ImportOptions>();
    verb->add_option("FILE", options->file,
                     "CSV or text pages of ncu, .ncu-rep, .sqlite of nsys, trace of PyTorch's profiler")
        ->required();
    verb->add_option("-o,--output", options->output, "session file to write")->required();
    verb->add_flag("-f,--force-overwrite", options->forceOverwrite, "replace the output if it exists");
    verb->callback([options, &action] { action = [options] { return import_(*options); }; });
}

} // namespace dormer::cli
