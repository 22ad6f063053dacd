// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_run.h"

#include "app/cli/collect/run_summary.h"
#include "app/cli/console.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace dormer::cli {

namespace {

std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void onStopSignal(int) {
    stopRequested.store(true, std::memory_order_relaxed);
}

/// True when no process of the target sent its first line: launchers make up the last one.
bool neverBegan(const session::Session& session) {
    return std::ranges::all_of(session.processes(), [](const auto& process) { return process.pid == 0; });
}

} // namespace

Result<void> setDevice(CollectPlan& plan, const ChosenDevice& device, const CollectArguments& arguments,
                       const instrument::launch::Installation& installation) {
    plan.probed = device.probed;
    instrument::launch::Target& target = plan.target;
    if (device.chip != nullptr) {
        target.emulator = installation.emulator;
        target.options.chip = device.chip->key;
        if (!device.whyEmulated.empty() && !arguments.quiet)
            say(fmt::format("no usable GPU ({}): emulating {}; --on emulator:CHIP selects another chip",
                            device.whyEmulated, device.chip->key));
        return {};
    }
    if (arguments.timeLimitSeconds > 0)
        return failure(ErrorKind::Usage,
                       "--time-limit is for the emulator (--on emulator): a GPU can't be stopped");
    if (installation.collector.empty() && arguments.set != "none")
        return failure(ErrorKind::Device, "the collector was not built (libdormer-inject.so is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    target.collector = installation.collector;
    target.options.device = device.id;
    return {};
}

std::string deviceText(const ChosenDevice& device) {
    return device.chip != nullptr ? device.name : fmt::format("{} (gpu:{})", device.name, device.id);
}

Result<void> openOutput(CollectPlan& plan, const CollectArguments& arguments) {
    if (arguments.output.empty()) return {};
    auto writer = store::SessionWriter::create(arguments.output);
    if (!writer) return std::unexpected(writer.error());
    plan.writer = std::move(*writer);
    return {};
}

int collect(CollectPlan plan, const CollectArguments& arguments,
            const std::function<int(const RunOutput&)>& conclude) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, onStopSignal);
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away ends the run in order
    if (!arguments.quiet) say(plan.intro);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    RunOutput output{{.format = arguments.format,
                      .quiet = arguments.quiet,
                      .progress = arguments.progress || terminal,
                      .terminal = terminal,
                      .workloads = plan.workloads,
                      .timingOnly = arguments.set == "none",
                      .lines = arguments.lines,
                      .sweep = arguments.sweep},
                     std::move(plan.writer)};
    const auto end = instrument::launch::runTarget(
        plan.target,
        [&](const session::Record& record) {
            if (!output.onRecord(record)) stopRequested.store(true, std::memory_order_relaxed);
        },
        stopRequested);
    const Result<void> finished = output.finish();
    if (!end) return fail(end.error());
    if (!finished) return fail(finished.error());

    // Started unasked and found nothing usable: now the probe says what is wrong.
    if (!plan.probed && end->exitCode == static_cast<int>(ErrorKind::Device)) {
        if (const auto asked = probeDevice(plan.choice, instrument::launch::findInstallation()); !asked)
            return fail(asked.error());
    }
    const std::string kept = keptText(output.session(), output.finishedLaunches(), arguments.output);
    if (output.readerGone()) return fail({ErrorKind::Target, "stdout was closed; stopped; " + kept});
    if (const auto problem = targetProblem(*end, output.session(), kept)) return fail(*problem);
    if (!plan.target.emulator.empty() && neverBegan(output.session()))
        return fail({ErrorKind::Target,
                     "the program did not call libcudart.so.13, which the emulator replaces: build it "
                     "with nvcc -cudart shared"});
    if (arguments.set != "none") {
        const std::vector<std::string> lines = whyNothingWasCounted(output.session());
        for (const std::string& line : lines)
            say(line);
        if (!lines.empty()) {
            const bool filtered = !arguments.kernels.empty() || !arguments.nvtx.empty();
            return static_cast<int>(filtered ? ErrorKind::Usage : ErrorKind::Target);
        }
    }
    const bool onlyTransfers = output.session().launches().empty();
    if (!arguments.quiet && (!arguments.output.empty() || onlyTransfers)) say(kept);
    return conclude(output);
}

} // namespace dormer::cli
