// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_run.h"
#include "app/cli/collect/output_name.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/request/option_help.h"
#include "instrument/request/remote_target.h"

#include <fmt/format.h>

namespace dormer::cli {

namespace help = instrument::request::help;

namespace {

constexpr auto kSubject = instrument::request::Subject::Program;

struct ProfileOptions {
    CollectArguments collect;
    std::string replay, budget;
    std::vector<std::string> command;
};

instrument::request::CollectRequest requestOf(const ProfileOptions& options) {
    instrument::request::CollectRequest request = requestOf(options.collect);
    request.replay = options.replay;
    request.budget = options.budget;
    return request;
}

Result<CollectPlan> prepareThere(const ProfileOptions& options) {
    const auto where =
        instrument::launch::parseRemoteChoice(options.collect.on, options.collect.remoteDormer);
    if (!where) return std::unexpected(where.error());
    auto target =
        instrument::request::remoteProgram({.command = options.command}, requestOf(options), *where);
    if (!target) return std::unexpected(target.error());
    CollectPlan plan = remotePlan(std::move(*target), options.command.front(), options.collect);
    if (const auto opened = openOutput(plan, options.collect); !opened)
        return std::unexpected(opened.error());
    return plan;
}

Result<CollectPlan> prepare(ProfileOptions& options) {
    CollectPlan plan;
    if (options.command.empty())
        return failure(ErrorKind::Usage, "missing program: dormer profile [options] -- PROGRAM [arguments]");
    if (const auto named = checkOutputName(options.collect.output, "profile"); !named)
        return std::unexpected(named.error());
    if (instrument::launch::isRemote(options.collect.on)) return prepareThere(options);
    const auto choice = instrument::launch::parseDeviceChoice(options.collect.on);
    if (!choice) return std::unexpected(choice.error());

    const instrument::launch::Installation installation = instrument::launch::findInstallation();
    const auto device = instrument::launch::chooseDevice(*choice, installation);
    if (!device) return std::unexpected(device.error());
    const instrument::request::CollectRequest request = requestOf(options);
    auto target = programTarget({.command = options.command}, request, *device, installation);
    if (!target) return std::unexpected(target.error());
    options.collect.set = target->options.counterSet;
    plan.choice = *choice;
    plan.target = std::move(*target);
    acceptDevice(plan, *device, options.collect);
    plan.intro = fmt::format("{} on {}, {}", plan.target.program.filename().string(), deviceText(*device),
                             collectText(request, kSubject, *device).value());
    if (const auto opened = openOutput(plan, options.collect); !opened)
        return std::unexpected(opened.error());
    return plan;
}

int profile(ProfileOptions& options) {
    const std::string program = options.command.empty() ? "" : options.command.front();
    if (const auto named = nameProfile(options.collect, program); !named) return fail(named.error());
    Result<CollectPlan> plan = prepare(options);
    if (!plan) return failRun(plan.error(), options.collect);
    return collect(std::move(*plan), options.collect, [](const RunOutput&) { return 0; });
}

} // namespace

void addProfileVerb(CLI::App& root, Action& action) {
    CLI::App* verb =
        root.add_subcommand("profile", "Runs a CUDA program and collects the counters of its kernels");
    auto options = std::make_shared<ProfileOptions>();
    addCollectArguments(*verb, options->collect);
    verb->add_flag("-f,--force-overwrite", options->collect.forceOverwrite,
                   "replace the session file of -o if it exists");
    verb->get_option("--progress")
        ->description("show on stderr, while the program runs, the kernels that take most time, with what "
                      "bounds them and their share: each second on a terminal, else a line every 2 s");
    verb->add_option("--replay", options->replay, help::kReplay)->type_name("auto|none|kernel");
    verb->add_option("--budget", options->budget, help::kBudget)->type_name("TIME");
    addAliasesOption(*verb);
    options->collect.set.clear(); // by the device
    options->collect.launches.clear();
    CLI::Option* set = verb->get_option("--set");
    set->description("sampled (the default on a GPU), or a counter set: none, live, roofline, memory (the "
                     "default on the emulator) or tensor");
    set->default_str("");
    verb->get_option("--launches")->description(help::kLaunches)->default_str("");
    verb->add_option("COMMAND", options->command, "after --: the program and its arguments");
    verb->callback([options, &action] { action = [options] { return profile(*options); }; });
}

} // namespace dormer::cli
