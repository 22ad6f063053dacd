// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/counter_sets.h"
#include "app/cli/console.h"
#include "app/cli/device_choice.h"
#include "app/cli/kernel_filter.h"
#include "app/cli/run_output.h"
#include "app/cli/run_summary.h"
#include "app/cli/verbs.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>

namespace dormer::cli {

namespace {

struct RunOptions {
    std::vector<std::string> patterns;
    std::string on = "auto";
    std::string set{analysis::kDefaultCounterSet};
    std::string kernels;
    std::string nvtx;
    std::string launches = "all";
    std::string cache = "flush";
    std::string output;
    std::string format = "table";
    std::optional<std::int64_t> size;
    std::optional<std::int64_t> repeat;
    bool lines = false;
    bool quiet = false;
    bool progress = false;
    bool verify = false;
};

/// Everything that must hold before the target starts.
struct Plan {
    instrument::Target target;
    std::size_t workloads = 0;
    std::string intro;
    DeviceChoice choice;
    bool probed = false; ///< the device was asked before the start
    std::optional<analysis::SessionWriter> writer;
};

std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void onStopSignal(int) {
    stopRequested.store(true, std::memory_order_relaxed);
}

Result<std::optional<std::uint32_t>> parseLaunches(const std::string& text) {
    if (text == "all") return std::nullopt;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count == 0)
        return failure(ErrorKind::Usage, fmt::format("--launches {}: say a number from 1, or all", text));
    return count;
}

/// What --set means in launches of each kernel, before anything runs.
Result<std::string> passesText(const std::string& set) {
    if (set == "none") return "timing only, one pass";
    if (const auto found = analysis::findCounterSet(set))
        return fmt::format("counter set '{}': one pass for timing and at most {} for counters", set,
                           found->passBound);
    std::vector<std::string> names{"none"};
    for (const analysis::CounterSet& known : analysis::counterSets())
        names.emplace_back(known.name);
    return failure(ErrorKind::Usage, fmt::format("no counter set '{}'{} (there are {})", set,
                                                 instrument::didYouMean(set, names), fmt::join(names, ", ")));
}

Result<instrument::CollectOptions> collectOptions(const RunOptions& options) {
    instrument::CollectOptions collect;
    collect.counterSet = options.set;
    collect.kernels = options.kernels;
    collect.nvtx = options.nvtx;
    collect.lines = options.lines;
    collect.flushCaches = options.cache == "flush";
    if (const auto pattern = compileRegex(options.kernels, "--kernels"); !pattern)
        return std::unexpected(pattern.error());
    const auto launches = parseLaunches(options.launches);
    if (!launches) return std::unexpected(launches.error());
    collect.launches = *launches;
    return collect;
}

Result<void> checkOutputName(const std::string& output) {
    const std::string ending = std::filesystem::path{output}.extension();
    for (const char* report : {".html", ".md", ".csv", ".json", ".svg"})
        if (ending == report)
            return failure(ErrorKind::Usage,
                           fmt::format("{}: run keeps a session (-o FILE.dormer); 'dormer report FILE.dormer "
                                       "-o {}' makes reports of it",
                                       output, output));
    return {};
}

Result<Plan> prepare(const RunOptions& options) {
    Plan plan;
    const auto passes = passesText(options.set);
    if (!passes) return std::unexpected(passes.error());
    auto collect = collectOptions(options);
    if (!collect) return std::unexpected(collect.error());
    const auto choice = parseDeviceChoice(options.on);
    if (!choice) return std::unexpected(choice.error());
    if (const auto named = checkOutputName(options.output); !named) return std::unexpected(named.error());

    const instrument::Installation installation = instrument::findInstallation();
    Result<std::vector<instrument::WorkloadInfo>> selected;
    // Without workloads the missing GPU is the better news: it is what people look for.
    const auto all = instrument::listWorkloads(installation);
    if (all) {
        selected = instrument::selectWorkloads(*all, options.patterns);
        if (!selected) return std::unexpected(selected.error());
    }
    const auto device = chooseDevice(*choice, installation);
    if (!device) return std::unexpected(device.error());
    if (!all) return std::unexpected(all.error());
    if (installation.collector.empty() && options.set != "none")
        return failure(ErrorKind::Device, "the collector is not built here (libdormer-inject.so is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    collect->device = device->id;
    plan.choice = *choice;
    plan.probed = device->probed;

    plan.target.program = installation.workloads;
    plan.target.collector = installation.collector;
    plan.target.options = *collect;
    auto& arguments = plan.target.arguments;
    for (const instrument::WorkloadInfo& workload : *selected)
        arguments.push_back(workload.path());
    arguments.insert(arguments.end(), {"--device", std::to_string(device->id)});
    if (options.size) arguments.insert(arguments.end(), {"--size", std::to_string(*options.size)});
    if (options.repeat) arguments.insert(arguments.end(), {"--repeat", std::to_string(*options.repeat)});
    plan.workloads = selected->size();
    plan.intro =
        fmt::format("{} {} on {} (gpu:{}), {}", selected->size(),
                    selected->size() == 1 ? "workload" : "workloads", device->name, device->id, *passes);
    // Last, so that nothing is replaced when the run can't be.
    if (!options.output.empty()) {
        auto writer = analysis::SessionWriter::create(options.output);
        if (!writer) return std::unexpected(writer.error());
        plan.writer = std::move(*writer);
    }
    return plan;
}

int verifyExit(const RunOptions& options, const RunOutput& output) {
    const bool checkFailed =
        std::ranges::any_of(output.session().checks(), [](const auto& check) { return !check.passed; });
    if (!options.verify) {
        for (const analysis::Check& check : output.session().checks())
            if (!check.passed)
                say(fmt::format("{} computed a wrong result: {}", check.workload, check.detail));
        return checkFailed ? static_cast<int>(ErrorKind::GateFailed) : 0;
    }
    const std::vector<analysis::Answer> answers = analysis::verify(output.metrics());
    const auto broken = std::ranges::count(answers, false, &analysis::Answer::held);
    // JSON on stdout stays JSON.
    const std::string text = verifyText(answers);
    if (options.format == "table")
        (void)print(text);
    else
        fmt::print(stderr, "{}", text);
    if (answers.empty())
        return fail({ErrorKind::GateFailed, "nothing could be verified: the target named no known answers"});
    if (broken > 0 || checkFailed)
        return fail({ErrorKind::GateFailed,
                     fmt::format("{} of {} known answers did not hold", broken, answers.size())});
    if (!options.quiet) say(fmt::format("all {} known answers held", answers.size()));
    return 0;
}

int runWorkloads(const RunOptions& options) {
    Result<Plan> plan = prepare(options);
    if (!plan) return fail(plan.error());

    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, onStopSignal);
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away ends the run in order
    if (!options.quiet) say(plan->intro);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    RunOutput output{{.format = options.format,
                      .quiet = options.quiet,
                      .progress = options.progress || terminal,
                      .terminal = terminal,
                      .workloads = plan->workloads,
                      .timingOnly = options.set == "none",
                      .lines = options.lines},
                     std::move(plan->writer)};
    const auto end = instrument::runTarget(
        plan->target,
        [&](const analysis::Record& record) {
            if (!output.onRecord(record)) stopRequested.store(true, std::memory_order_relaxed);
        },
        stopRequested);
    const Result<void> finished = output.finish();
    if (!end) return fail(end.error());
    if (!finished) return fail(finished.error());

    // Started unasked and found nothing usable: now the probe says what is wrong.
    if (!plan->probed && end->exitCode == static_cast<int>(ErrorKind::Device)) {
        if (const auto asked = probeDevice(plan->choice, instrument::findInstallation()); !asked)
            return fail(asked.error());
    }
    const std::string kept = keptText(output.finishedLaunches(), options.output);
    if (output.readerGone())
        return fail({ErrorKind::Target, "nobody reads stdout any more; stopped; " + kept});
    if (const auto problem = targetProblem(*end, output.session(), kept)) return fail(*problem);
    if (options.set != "none") {
        const std::vector<std::string> lines = whyNothingWasCounted(output.session());
        for (const std::string& line : lines)
            say(line);
        if (!lines.empty()) {
            const bool filtered = !options.kernels.empty() || !options.nvtx.empty();
            return static_cast<int>(filtered ? ErrorKind::Usage : ErrorKind::Target);
        }
    }
    if (!options.quiet && !options.output.empty()) say(kept);
    return verifyExit(options, output);
}

} // namespace

void addRunVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("run", "Runs built-in workloads and collects their counters");
    auto options = std::make_shared<RunOptions>();
    verb->add_option("PATTERN", options->patterns,
                     "family, family/variant or a glob over them; all by default");
    verb->add_option("--on", options->on, "auto, gpu, gpu:N or emulator")->capture_default_str();
    verb->add_option("--set", options->set, "counter set: none, live, roofline or memory")
        ->capture_default_str();
    verb->add_option("--kernels", options->kernels, "count only kernels whose name matches this regex");
    verb->add_option("--nvtx", options->nvtx, "count only inside NVTX ranges whose path matches this glob");
    verb->add_option("--launches", options->launches, "count so many launches of one signature, or all")
        ->capture_default_str();
    verb->add_flag("--lines", options->lines, "count per instruction and source line, too");
    verb->add_option("--cache", options->cache, "flush or keep the caches before each counted launch")
        ->check(CLI::IsMember({"flush", "keep"}))
        ->capture_default_str();
    verb->add_option("--size", options->size, "elements per workload")->check(CLI::PositiveNumber);
    verb->add_option("--repeat", options->repeat, "launches of each workload")->check(CLI::PositiveNumber);
    verb->add_option("-o,--output", options->output, "session file to write (NAME.dormer)");
    verb->add_option("--format", options->format, "table, json, or jsonl: each launch as it completes")
        ->check(CLI::IsMember({"table", "json", "jsonl"}))
        ->capture_default_str();
    verb->add_flag("--verify", options->verify, "check results and known answers, one line each");
    verb->add_flag("--quiet", options->quiet, "nothing on stderr but errors");
    verb->add_flag("--progress", options->progress, "progress on stderr even when it is no terminal");
    verb->callback([options, &action] { action = [options] { return runWorkloads(*options); }; });
}

} // namespace dormer::cli
