// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/verbs.h"
#include "instrument/launch/installation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dormer::cli {

namespace {

std::string listTable(const std::vector<instrument::WorkloadInfo>& workloads) {
    std::size_t width = 8;
    for (const auto& workload : workloads)
        width = std::max(width, workload.path().size());
    std::string text = fmt::format("{:<{}}  {}\n", "WORKLOAD", width, "SHOWS");
    for (const auto& workload : workloads)
        text += fmt::format(
            "{:<{}}  {}{}\n", workload.path(), width, workload.shows,
            workload.parameters.empty() ? "" : fmt::format(" ({})", fmt::join(workload.parameters, ", ")));
    return text;
}

std::string listJson(const std::vector<instrument::WorkloadInfo>& workloads) {
    nlohmann::json entries = nlohmann::json::array();
    for (const auto& workload : workloads)
        entries.push_back({{"family", workload.family},
                           {"variant", workload.variant},
                           {"shows", workload.shows},
                           {"parameters", workload.parameters}});
    return entries.dump(2);
}

int list(const std::string& format) {
    const auto workloads = instrument::listWorkloads(instrument::findInstallation());
    if (!workloads) return fail(workloads.error());
    return printResult(format == "json" ? listJson(*workloads) : listTable(*workloads));
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
