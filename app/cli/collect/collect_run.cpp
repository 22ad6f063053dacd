// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_run.h"

#include "app/cli/collect/run_summary.h"
#include "app/cli/collect/stop_signals.h"
#include "app/cli/collect/stream_run.h"
#include "app/cli/console.h"
#include "instrument/launch/collection.h"
#include "instrument/launch/target_problem.h"
#include "instrument/request/nothing_counted.h"

#include <fmt/format.h>

#include <unistd.h>

namespace dormer::cli {

void acceptDevice(CollectPlan& plan, const instrument::launch::ChosenDevice& device,
                  const CollectArguments& arguments) {
    plan.probed = device.probed;
    if (device.whyEmulated.empty()) return;
    plan.whyEmulated =
        fmt::format("no usable GPU ({}): emulating {}; --on emulator:CHIP selects another chip",
                    device.whyEmulated, device.chip->key);
    if (!arguments.quiet) say(plan.whyEmulated);
}

CollectPlan remotePlan(instrument::launch::Target target, const std::string& what,
                       const CollectArguments& arguments) {
    CollectPlan plan;
    plan.intro = fmt::format("{} on {}", what, arguments.on);
    plan.target = std::move(target);
    plan.probed = true; // by the dormer there
    return plan;
}

int failRun(const Error& error, const CollectArguments& arguments) {
    return arguments.stream.empty() ? fail(error) : failStream(error);
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
    if (!arguments.stream.empty()) return streamRun(std::move(plan));
    const StopSignals signals = watchStopSignals();
    plan.target.killNow = &signals.kill;
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
            if (!output.onRecord(record, process)) signals.stop.store(true, std::memory_order_relaxed);
        },
        signals.stop);
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
