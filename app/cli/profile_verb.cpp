// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_run.h"
#include "app/cli/collect/output_name.h"
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/launch/cuda_program.h"

#include <fmt/format.h>

namespace dormer::cli {

namespace {

struct ProfileOptions {
    CollectArguments collect;
    bool stalls = false;
    std::vector<std::string> command;
};

/// What is collected, in a few words for the first line on stderr.
Result<std::string> collectText(const CollectArguments& arguments, bool emulated, bool stalls) {
    if (stalls) return "warps sampled at the program's own speed";
    if (arguments.set == instrument::stream::kSampledSet) return "sampled at the program's own speed";
    if (emulated || arguments.set == "none") return passesText(arguments.set, emulated);
    const auto set = metrics::findCounterSet(arguments.set);
    if (!set) return passesText(arguments.set, emulated); // says what there is
    return fmt::format(
        "counter set '{}': {} of each kernel and configuration, replayed at most {} times", arguments.set,
        arguments.launches == "all" ? "every launch" : "the first " + arguments.launches, set->passBound);
}

Result<void> checkStalls(const ProfileOptions& options, bool emulated) {
    if (!options.stalls) return {};
    if (emulated)
        return failure(ErrorKind::Usage,
                       "--stalls: warps are sampled on a GPU; the emulator has none to look at");
    if (options.collect.lines)
        return failure(
            ErrorKind::Usage,
            "--stalls: --lines patches kernels, which then wait for other things; use one of them");
    if (!options.collect.set.empty() && options.collect.set != "none")
        return failure(ErrorKind::Usage,
                       "--stalls: a GPU samples its warps or counts, not both; leave out --set");
    return {};
}

Result<CollectPlan> prepare(ProfileOptions& options) {
    CollectPlan plan;
    if (options.command.empty())
        return failure(ErrorKind::Usage, "missing program: dormer profile [options] -- PROGRAM [arguments]");
    const auto choice = instrument::launch::parseDeviceChoice(options.collect.on);
    if (!choice) return std::unexpected(choice.error());
    if (const auto named = checkOutputName(options.collect.output, "profile"); !named)
        return std::unexpected(named.error());

    const instrument::launch::Installation installation = instrument::launch::findInstallation();
    const auto device = instrument::launch::chooseDevice(*choice, installation);
    if (!device) return std::unexpected(device.error());
    const bool emulated = device->chip != nullptr;
    if (const auto fits = checkStalls(options, emulated); !fits) return std::unexpected(fits.error());
    if (options.stalls) options.collect.set = "none";
    if (options.collect.set.empty())
        options.collect.set = emulated || options.collect.lines ? std::string(metrics::kDefaultCounterSet)
                                                                : instrument::stream::kSampledSet;
    if (options.collect.lines && options.collect.set == instrument::stream::kSampledSet)
        return failure(
            ErrorKind::Usage,
            "--lines: counts per instruction and samples disturb each other; leave out --set sampled");
    if (emulated && options.collect.set == instrument::stream::kSampledSet)
        return failure(ErrorKind::Usage, "--set sampled: the emulator counts exactly; sampling is for a GPU");
    if (options.collect.launches.empty()) options.collect.launches = emulated ? "all" : "1";
    const auto passes = collectText(options.collect, emulated, options.stalls);
    if (!passes) return std::unexpected(passes.error());
    const auto collect = collectOptions(options.collect);
    if (!collect) return std::unexpected(collect.error());
    const auto program = instrument::launch::findProgram(options.command.front());
    if (!program) return std::unexpected(program.error());
    if (emulated)
        if (const auto fits = instrument::launch::checkEmulatable(*program); !fits)
            return std::unexpected(fits.error());

    plan.choice = *choice;
    plan.target.program = *program;
    plan.target.arguments.assign(options.command.begin() + 1, options.command.end());
    plan.target.options = *collect;
    plan.target.options.everyLaunch = true;
    plan.target.options.stalls = options.stalls;
    if (const auto accepted = acceptDevice(plan, *device, options.collect); !accepted)
        return std::unexpected(accepted.error());
    if (const auto used = instrument::launch::useDevice(plan.target, *device, installation); !used)
        return std::unexpected(used.error());
    plan.intro = fmt::format("{} on {}, {}", program->filename().string(), deviceText(*device), *passes);
    if (const auto opened = openOutput(plan, options.collect); !opened)
        return std::unexpected(opened.error());
    return plan;
}

int profile(ProfileOptions& options) {
    const std::string program = options.command.empty() ? "" : options.command.front();
    if (const auto named = nameProfile(options.collect, program); !named) return fail(named.error());
    Result<CollectPlan> plan = prepare(options);
    if (!plan) return fail(plan.error());
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
    verb->add_flag("--stalls", options->stalls,
                   "on a GPU: sample what the warps of each instruction wait for, instead of counters");
    addAliasesOption(*verb);
    options->collect.set.clear(); // by the device
    options->collect.launches.clear();
    CLI::Option* set = verb->get_option("--set");
    set->description("sampled (the default on a GPU), or a counter set: none, live, roofline, memory (the "
                     "default on the emulator) or tensor");
    set->default_str("");
    verb->get_option("--launches")
        ->description(
            "number of launches of one signature to count, or all; by default 1 on a GPU, where counting "
            "replays them, and all on the emulator")
        ->default_str("");
    verb->add_option("COMMAND", options->command, "after --: the program and its arguments");
    verb->callback([options, &action] { action = [options] { return profile(*options); }; });
}

} // namespace dormer::cli
