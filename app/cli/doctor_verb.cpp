// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/doctor_checks.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dormer::cli {

namespace {

std::string doctorTable(const std::vector<DoctorCheck>& checks) {
    std::size_t width = 0;
    for (const DoctorCheck& check : checks)
        width = std::max(width, check.name.size());
    std::string text;
    for (const DoctorCheck& check : checks) {
        text +=
            oneLine(fmt::format("{:<2}  {:<{}}  {}", toString(check.state), check.name, width, check.text)) +
            "\n";
        if (!check.remedy.empty())
            text += oneLine(fmt::format("    {:<{}}  -> {}", "", width, check.remedy)) + "\n";
    }
    text += canRunOnGpu(checks)  ? "`dormer run` is available here\n"
            : canEmulate(checks) ? "`dormer run` is available here, on the emulator\n"
                                 : "`dormer run` is unavailable here; recorded sessions can be opened\n";
    return text;
}

std::string doctorJson(const std::vector<DoctorCheck>& checks) {
    nlohmann::json entries = nlohmann::json::array();
    for (const DoctorCheck& check : checks)
        entries.push_back(
            {{"name", check.name},
             {"state", toString(check.state)},
             {"text", check.text},
             {"remedy", check.remedy.empty() ? nlohmann::json{} : nlohmann::json(check.remedy)}});
    return nlohmann::json{{"version", DORMER_VERSION},
                          {"can_run", canRunOnGpu(checks) || canEmulate(checks)},
                          {"can_run_on_gpu", canRunOnGpu(checks)},
                          {"checks", std::move(entries)}}
        .dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

struct DoctorOptions {
    std::string format = "table";
    std::vector<std::string> command;
};

int doctor(const DoctorOptions& options) {
    const instrument::launch::Installation installation = instrument::launch::findInstallation();
    const std::vector<DoctorCheck> checks =
        examine(installation, instrument::launch::probeGpus(installation),
                *instrument::machine::thisMachine(), options.command.empty() ? "" : options.command.front());
    const int printed = printResult(options.format == "json" ? doctorJson(checks) : doctorTable(checks));
    if (printed != 0) return printed;
    return canRunOnGpu(checks) || canEmulate(checks) ? 0 : static_cast<int>(ErrorKind::Device);
}

} // namespace

void addDoctorVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("doctor", "Checks what works on this machine, and names the remedy");
    auto options = std::make_shared<DoctorOptions>();
    verb->add_option("--format", options->format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    verb->add_option("COMMAND", options->command,
                     "after --: the program to profile, whose CUPTI is looked up");
    verb->callback([options, &action] { action = [options] { return doctor(*options); }; });
}

} // namespace dormer::cli
