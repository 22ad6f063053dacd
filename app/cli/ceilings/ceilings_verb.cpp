// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ceilings/ceilings_verb.h"

#include "app/cli/ceilings/ceilings_table.h"
#include "app/cli/console.h"
#include "instrument/ceilings/roof_cache.h"
#include "instrument/launch/device_choice.h"
#include "instrument/launch/process/child_process.h"

#include <fmt/format.h>

#include <chrono>

namespace dormer::cli {

namespace {

namespace ceilings = instrument::ceilings;
namespace launch = instrument::launch;

/// dormer-ceilings stops by itself after half of this.
constexpr std::chrono::seconds kTimeout{60};

struct CeilingsOptions {
    std::string on = "auto";
    bool again = false;
    bool explain = false;
    std::string format = "table";
};

int show(const CeilingsOptions& options, const session::Device& device,
         const ceilings::MeasuredRoofs* roofs) {
    return printResult(options.format == "json" ? ceilingsJson(device, roofs) + "\n"
                                                : ceilingsText(device, roofs, options.explain));
}

/// The GPU that is meant, with all that the driver tells of it.
Result<session::Device> gpuOf(const launch::DeviceChoice& choice, const launch::Installation& installation) {
    const launch::GpuStatus status = launch::probeGpus(installation);
    if (!status.problem.empty())
        return failure(
            ErrorKind::Device,
            fmt::format("no usable GPU to measure: {}; {}. --on emulator:CHIP shows the theoretical "
                        "ceilings of a chip",
                        status.problem, status.remedy));
    const auto ordinal = static_cast<std::size_t>(choice.ordinal.value_or(0));
    if (ordinal >= status.devices.size())
        return failure(ErrorKind::Device, fmt::format("there is no gpu:{}; this machine has gpu:0 to gpu:{}",
                                                      ordinal, status.devices.size() - 1));
    return status.devices[ordinal];
}

Result<ceilings::MeasuredRoofs> measure(const session::Device& device,
                                        const launch::Installation& installation) {
    // All programs lie together.
    const std::filesystem::path program = installation.probe.parent_path() / "dormer-ceilings";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(program, ignored))
        return failure(ErrorKind::Device, "the micro-benchmarks were not built (dormer-ceilings is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    say(fmt::format("measuring {}, which takes about 25 s", device.name));
    const auto captured =
        launch::process::capture(program, {"--device", std::to_string(device.id)}, kTimeout);
    if (!captured) return std::unexpected(captured.error());
    if (captured->timedOut)
        return failure(ErrorKind::Target,
                       fmt::format("{} did not end within {} s", program.string(), kTimeout.count()));
    if (captured->status.exitCode != 0)
        return failure(ErrorKind::Target, fmt::format("{} failed with {}", program.string(),
                                                      launch::process::describe(captured->status)));
    auto measured = ceilings::parseMeasurements(captured->output);
    if (!measured) return failure(ErrorKind::Target, measured.error().message);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return ceilings::MeasuredRoofs{.deviceName = device.name,
                                   .uuid = device.uuid,
                                   .driverVersion = device.driverVersion,
                                   .measuredAtNs =
                                       std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
                                   .roofs = std::move(*measured)};
}

int showCeilings(const CeilingsOptions& options) {
    const auto choice = launch::parseDeviceChoice(options.on);
    if (!choice) return fail(choice.error());
    if (choice->kind == launch::DeviceChoice::Kind::Emulator) {
        const device::Chip* chip =
            choice->chip != nullptr ? choice->chip : device::findChip(device::kDefaultChip);
        return show(options, chip->device, nullptr);
    }
    const launch::Installation installation = launch::findInstallation();
    const auto device = gpuOf(*choice, installation);
    if (!device) return fail(device.error());
    if (!options.again)
        if (const auto cached = ceilings::cachedRoofs(*device)) return show(options, *device, &*cached);
    const auto roofs = measure(*device, installation);
    if (!roofs) return fail(roofs.error());
    if (const auto kept = ceilings::cacheRoofs(*device, *roofs); !kept) say(kept.error().message);
    return show(options, *device, &*roofs);
}

} // namespace

void addCeilingsVerb(CLI::App& root, Action& action) {
    CLI::App* verb =
        root.add_subcommand("ceilings", "Measures this device's roofs, which later sessions then hold");
    auto options = std::make_shared<CeilingsOptions>();
    verb->add_option("--on", options->on,
                     "auto, gpu, gpu:N, or emulator:CHIP for the theoretical ceilings of a chip")
        ->capture_default_str();
    verb->add_flag("--again", options->again, "measure anew what is already known of this device and driver");
    verb->add_flag("--explain", options->explain, "say where each number comes from");
    verb->add_option("--format", options->format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    verb->callback([options, &action] { action = [options] { return showCeilings(*options); }; });
}

} // namespace dormer::cli
