// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/sweep.h"
#include "app/cli/collect/collect_run.h"
#include "app/cli/collect/output_name.h"
#include "app/cli/collect/run_summary.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/request/option_help.h"
#include "instrument/request/remote_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dormer::cli {

namespace {

constexpr auto kSubject = instrument::request::Subject::Workloads;

struct RunOptions {
    CollectArguments collect;
    std::vector<std::string> patterns;
    std::optional<std::int64_t> size;
    std::optional<std::int64_t> repeat;
    std::string sizes; ///< "gpu" or "emulator": whose defaults; empty = those of where it runs
    bool verify = false;
};

/// A sweep is of two points or more: said before anything runs.
Result<void> checkSweep(const RunOptions& options,
                        const std::vector<instrument::launch::WorkloadInfo>& selected) {
    if (!options.collect.sweep) return {};
    if (options.collect.format == "jsonl")
        return failure(ErrorKind::Usage, "--sweep shows its points at the end: use --format table, json, csv "
                                         "or markdown");
    std::map<std::pair<std::string, std::string>, std::size_t> points;
    for (const instrument::launch::WorkloadInfo& workload : selected)
        if (!workload.sweep.empty() && ++points[{workload.family, workload.sweep}] == 2) return {};
    return failure(ErrorKind::Usage,
                   fmt::format("--sweep: {} among the workloads chosen; 'dormer list' shows the sweeps",
                               points.empty() ? "no sweep" : "only one point of a sweep"));
}

/// The workloads that the patterns mean, and the device, are for the dormer there to find.
Result<CollectPlan> prepareThere(const RunOptions& options,
                                 const instrument::request::CollectRequest& request) {
    const auto where =
        instrument::launch::parseRemoteChoice(options.collect.on, options.collect.remoteDormer);
    if (!where) return std::unexpected(where.error());
    CollectPlan plan = remotePlan(
        remoteSuite({options.patterns, options.size, options.repeat, options.sizes}, request, *where),
        "built-in workloads", options.collect);
    if (const auto opened = openOutput(plan, options.collect); !opened)
        return std::unexpected(opened.error());
    return plan;
}

Result<CollectPlan> prepare(const RunOptions& options) {
    CollectPlan plan;
    const instrument::request::CollectRequest request = requestOf(options.collect);
    if (const auto known = instrument::request::passesText(request.set, false); !known)
        return std::unexpected(known.error());
    if (const auto known = collectOptions(request); !known) return std::unexpected(known.error());
    if (const auto named = checkOutputName(options.collect.output, "run"); !named)
        return std::unexpected(named.error());
    if (instrument::launch::isRemote(options.collect.on)) return prepareThere(options, request);
    const auto choice = instrument::launch::parseDeviceChoice(options.collect.on);
    if (!choice) return std::unexpected(choice.error());

    const instrument::launch::Installation installation = instrument::launch::findInstallation();
    Result<std::vector<instrument::launch::WorkloadInfo>> selected;
    // Without workloads the missing GPU is the better news: it is what people look for.
    const auto all = instrument::launch::listWorkloads(installation);
    if (all) {
        selected = instrument::launch::selectWorkloads(*all, options.patterns);
        if (!selected) return std::unexpected(selected.error());
        if (const auto sweep = checkSweep(options, *selected); !sweep) return std::unexpected(sweep.error());
    }
    const auto device = instrument::launch::chooseDevice(*choice, installation);
    if (!device) return std::unexpected(device.error());
    if (!all) return std::unexpected(all.error());
    const auto collect = collectOptions(request, kSubject, *device);
    if (!collect) return std::unexpected(collect.error());
    plan.choice = *choice;
    acceptDevice(plan, *device, options.collect);
    std::vector<std::string> paths;
    for (const instrument::launch::WorkloadInfo& workload : *selected)
        paths.push_back(workload.path());
    auto target = instrument::launch::suiteTarget(
        {std::move(paths), options.size, options.repeat, options.sizes}, *collect, *device, installation);
    if (!target) return std::unexpected(target.error());
    plan.target = std::move(*target);
    plan.workloads = selected->size();
    plan.intro =
        fmt::format("{} {} on {}, {}", selected->size(), selected->size() == 1 ? "workload" : "workloads",
                    deviceText(*device), collectText(request, kSubject, *device).value());
    if (const auto opened = openOutput(plan, options.collect); !opened)
        return std::unexpected(opened.error());
    return plan;
}

int verifyExit(const RunOptions& options, const RunOutput& output) {
    if (options.collect.sweep && metrics::sweepTables(output.diagnosis().metrics()).empty())
        return fail({ErrorKind::Usage, "--sweep: no sweep with at least two points ran"});
    const bool checkFailed =
        std::ranges::any_of(output.session().checks(), [](const auto& check) { return !check.passed; });
    if (!options.verify) {
        for (const session::Check& check : output.session().checks())
            if (!check.passed)
                say(fmt::format("{} computed a wrong result: {}", check.workload, check.detail));
        return checkFailed ? static_cast<int>(ErrorKind::GateFailed) : 0;
    }
    const std::vector<verdict::Answer> answers = verdict::verify(output.diagnosis().metrics());
    const auto broken = std::ranges::count(answers, false, &verdict::Answer::held);
    // JSON on stdout stays JSON.
    const std::string text = verifyText(answers);
    if (options.collect.format == "table")
        (void)print(text);
    else
        fmt::print(stderr, "{}", text);
    if (answers.empty())
        return fail({ErrorKind::GateFailed, "nothing to verify: the target has no expected values"});
    if (broken > 0 || checkFailed)
        return fail(
            {ErrorKind::GateFailed, fmt::format("{} of {} expected values failed", broken, answers.size())});
    if (!options.collect.quiet) say(fmt::format("all {} expected values passed", answers.size()));
    return 0;
}

int runWorkloads(RunOptions& options) {
    if (const auto named = nameOutput(options.collect); !named) return fail(named.error());
    Result<CollectPlan> plan = prepare(options);
    if (!plan) return failRun(plan.error(), options.collect);
    return collect(std::move(*plan), options.collect,
                   [&options](const RunOutput& output) { return verifyExit(options, output); });
}

} // namespace

void addRunVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("run", "Runs built-in workloads and collects their counters");
    auto options = std::make_shared<RunOptions>();
    verb->add_option("PATTERN", options->patterns,
                     "family, family/variant or a glob over them; all by default");
    addCollectArguments(*verb, options->collect);
    addAliasesOption(*verb);
    verb->add_option("--size", options->size, instrument::request::help::kSize)->check(CLI::PositiveNumber);
    verb->add_option("--sizes", options->sizes, instrument::request::help::kSizes)
        ->check(CLI::IsMember({"gpu", "emulator"}));
    verb->add_option("--repeat", options->repeat, instrument::request::help::kRepeat)
        ->check(CLI::PositiveNumber);
    verb->add_flag("--verify", options->verify, "check results and expected values, one line each");
    verb->add_flag("--sweep", options->collect.sweep,
                   "show a table and a plot per sweep instead of the kernels");
    verb->callback([options, &action] { action = [options] { return runWorkloads(*options); }; });
}

} // namespace dormer::cli
