// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "app/cli/workload_course.h"

#include <nlohmann/json.hpp>

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

} // namespace

void addListVerb(CLI::App& root, Action& action) {
    CLI::App* verb = root.add_subcommand("list", "Lists the built-in workloads and what each shows");
    auto format = std::make_shared<std::string>("table");
    verb->add_option("--format", *format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    verb->callback([format, &action] { action = [format] { return list(*format); }; });
}

} // namespace dormer::cli
