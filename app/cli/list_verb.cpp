// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "app/cli/workload_course.h"
#include "instrument/launch/remote_devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dormer::cli {

namespace {

nlohmann::json orNull(const std::string& text) {
    return text.empty() ? nlohmann::json{} : nlohmann::json(text);
}

std::string listJson(const std::vector<instrument::launch::WorkloadInfo>& workloads) {
    nlohmann::json entries = nlohmann::json::array();
    for (const auto& workload : workloads)
        entries.push_back({{"family", workload.family},
                           {"title", orNull(workload.title)},
                           {"family_shows", orNull(workload.familyShows)},
                           {"variant", workload.variant},
                           {"shows", workload.shows},
                           {"parameters", workload.parameters},
                           {"sweep", orNull(workload.sweep)},
                           {"emulator_size", workload.emulatorSize ? nlohmann::json(*workload.emulatorSize)
                                                                   : nlohmann::json{}},
                           {"wrong_by_design", workload.wrongByDesign}});
    return entries.dump(2);
}

int list(const std::string& format) {
    const auto workloads = instrument::launch::listWorkloads(instrument::launch::findInstallation());
    if (!workloads) return fail(workloads.error());
    return printResult(format == "json" ? listJson(*workloads) : courseText(*workloads));
}

std::string devicesText(const std::vector<instrument::launch::ChosenDevice>& devices) {
    std::size_t width = 0;
    for (const auto& device : devices)
        width = std::max(width, device.onName().size());
    std::string text;
    for (const auto& device : devices)
        text += fmt::format("{:<{}}  {}\n", device.onName(), width, device.name);
    return text;
}

/// What --on may name on this machine.
int listDevices(const std::string& format) {
    const auto installation = instrument::launch::findInstallation();
    const auto status = instrument::launch::probeGpus(installation);
    if (format == "json") return printResult(instrument::launch::devicesJson(status, installation));
    if (!status.problem.empty()) say(fmt::format("no usable GPU: {}; {}", status.problem, status.remedy));
    const auto devices = instrument::launch::devicesToChoose(status, installation);
    if (devices.empty()) return static_cast<int>(ErrorKind::Device);
    return printResult(devicesText(devices));
}

} // namespace

void addListVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("list", "Lists the built-in workloads and what each shows");
    auto format = std::make_shared<std::string>("table");
    verb->add_option("--format", *format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    auto devices = std::make_shared<bool>(false);
    verb->add_flag("--devices", *devices, "list what there is to run on instead, as --on names it");
    verb->callback([format, devices, &action] {
        action = [format, devices] { return *devices ? listDevices(*format) : list(*format); };
    });
}

} // namespace dormer::cli
