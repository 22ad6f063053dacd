// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_run.h"

#include "app/cli/collect/run_summary.h"
#include "app/cli/console.h"
#include "instrument/launch/collection.h"
#include "instrument/launch/target_problem.h"
#include "instrument/request/nothing_counted.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace dormer::cli {

namespace {

std::atomic<bool> stopRequested{false}, killRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

/// The first signal gives the target time to end, the second none; a third ends dormer itself.
void onStopSignal(int signal) {
    if (!stopRequested.exchange(true, std::memory_order_relaxed)) return;
    if (killRequested.exchange(true, std::memory_order_relaxed)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

} // namespace

void acceptDevice(CollectPlan& plan, const instrument::launch::ChosenDevice& device,
                  const CollectArguments& arguments) {
    plan.probed = device.probed;
    if (!device.whyEmulated.empty() && !arguments.quiet)
        say(fmt::format("no usable GPU ({}): emulating {}; --on emulator:CHIP selects another chip",
                        device.whyEmulated, device.chip->key));
}

std::string deviceText(const instrument::launch::ChosenDevice& device) {
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
    std::signal(SIGXFSZ, SIG_IGN); // so does a file that must not grow any more
    plan.target.killNow = &killRequested;
    if (!arguments.quiet) say(plan.intro);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    RunOutput output{{.format = arguments.format,
                      .quiet = arguments.quiet,
                      .progress = arguments.progress || terminal,
                      .topKernels = arguments.progress && plan.workloads == 0,
                      .terminal = terminal,
                      .workloads = plan.workloads,
                      .timingOnly = arguments.set == "none",
                      .lines = arguments.lines,
                      .sweep = arguments.sweep}};
    const auto end = instrument::launch::runCollection(
        plan.target, std::move(plan.writer),
        [&](const session::Record& record, std::uint32_t process) {
            if (!output.onRecord(record, process)) stopRequested.store(true, std::memory_order_relaxed);
        },
        stopRequested);
    output.finish();
    if (!end) return fail(end.error());
    if (end->unwritten)
        return fail(
            {end->unwritten->kind, end->unwritten->message + "; stopped; what was written before is kept"});

    // Started unasked and found nothing usable: now the probe says what is wrong.
    if (!plan.probed && end->target.exitCode == static_cast<int>(ErrorKind::Device)) {
        if (const auto asked =
                instrument::launch::probeDevice(plan.choice, instrument::launch::findInstallation());
            !asked)
            return fail(asked.error());
    }
    const std::string kept = keptText(output.session(), output.finishedLaunches(), arguments.output);
    if (output.readerGone()) return fail({ErrorKind::Target, "stdout was closed; stopped; " + kept});
    if (const auto problem =
            instrument::launch::targetProblem(plan.target, end->target, output.session(), kept))
        return fail(*problem);
    if (arguments.set != "none") {
        const std::vector<std::string> lines = instrument::request::whyNothingWasCounted(output.session());
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
