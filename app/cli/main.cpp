// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ceilings/ceilings_verb.h"
#include "app/cli/console.h"
#include "app/cli/file_verbs.h"
#include "app/cli/help/completion_verb.h"
#include "instrument/launch/near_name.h"

#include <algorithm>
#include <exception>

namespace {

namespace cli = dormer::cli;

int usage(const std::string& message) {
    return cli::fail({dormer::ErrorKind::Usage, message});
}

std::vector<std::string> verbNames(const CLI::App& root) {
    std::vector<std::string> names;
    for (const CLI::App* verb : root.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

int run(int argc, char** argv) {
    CLI::App root{"Dormer profiles CUDA kernels: what bounds each, where, and what to change.", "dormer"};
    root.set_version_flag("--version", "dormer " DORMER_VERSION);
    root.require_subcommand(1);
    root.footer("Exit codes: 0 done, 1 an expected value failed, 2 wrong usage, 3 no usable device or no\n"
                "permission, 4 the target failed, 5 unreadable input.");
    cli::Action action;
    cli::addListVerb(root, action);
    cli::addRunVerb(root, action);
    cli::addProfileVerb(root, action);
    cli::addShowVerb(root, action);
    cli::addMergeVerb(root, action);
    cli::addImportVerb(root, action);
    cli::addCompareVerb(root, action);
    cli::addCheckVerb(root, action);
    cli::addReportVerb(root, action);
    cli::addPatternVerb(root, action);
    cli::addCeilingsVerb(root, action);
    cli::addMetricsVerb(root, action);
    cli::addDoctorVerb(root, action);
    cli::addCompletionVerb(root, action);

    const std::vector<std::string> verbs = verbNames(root);
    if (argc < 2)
        return usage(
            "missing command: list, run, profile, show, merge, import, compare, check, report, pattern, "
            "ceilings, metrics, doctor or completion (dormer --help)");
    const std::string first = argv[1];
    // CLI11 would only say that a verb is missing.
    if (first.starts_with('-') && first != "-h" && first != "--help" && first != "--version")
        return usage("unknown option '" + first + "' (dormer --help)");
    if (!first.starts_with('-') && std::ranges::find(verbs, first) == verbs.end())
        return usage("unknown command '" + first + "'" +
                     dormer::instrument::launch::didYouMean(first, verbs) + " (dormer --help)");
    try {
        root.parse(argc, argv);
    } catch (const CLI::CallForHelp& call) {
        return root.exit(call);
    } catch (const CLI::CallForVersion& call) {
        return root.exit(call);
    } catch (const CLI::ParseError& error) {
        return usage(std::string{error.what()} + " (dormer " + (first.starts_with('-') ? "" : first + " ") +
                     "--help)");
    }
    return action();
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        // Nothing of ours throws on purpose: out of memory, or a library's surprise.
        return cli::fail({dormer::ErrorKind::Input, error.what()});
    }
}
