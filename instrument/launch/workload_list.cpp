// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/glob.h"
#include "instrument/launch/installation.h"
#include "instrument/launch/near_name.h"
#include "instrument/launch/process/child_process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dormer::instrument::launch {

using namespace process;

namespace {

/// Describing needs no GPU, so this long means something is broken.
constexpr std::chrono::seconds kDescribeTimeout{10};

std::vector<std::string> parametersOf(const nlohmann::json& entry) {
    std::vector<std::string> parameters;
    if (const auto found = entry.find("parameters"); found != entry.end())
        for (const nlohmann::json& parameter : *found)
            parameters.push_back(parameter.is_string() ? parameter.get<std::string>() : parameter.dump());
    return parameters;
}

} // namespace

Result<std::vector<WorkloadInfo>> listWorkloads(const Installation& installation) {
    if (installation.workloads.empty())
        return failure(ErrorKind::Device, "the workloads were not built (dormer-workloads is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    const auto captured = capture(installation.workloads, {"--describe"}, kDescribeTimeout);
    if (!captured) return std::unexpected(captured.error());
    const std::string program = installation.workloads.string();
    if (captured->timedOut)
        return failure(ErrorKind::Target, fmt::format("{} --describe did not end within {} s", program,
                                                      kDescribeTimeout.count()));
    if (captured->status.exitCode != 0)
        return failure(ErrorKind::Target,
                       fmt::format("{} --describe failed with {}", program, describe(captured->status)));
    try {
        std::vector<WorkloadInfo> workloads;
        for (const nlohmann::json& entry : nlohmann::json::parse(captured->output))
            workloads.push_back({.family = entry.at("family"),
                                 .variant = entry.at("variant"),
                                 .shows = entry.at("shows"),
                                 .parameters = parametersOf(entry),
                                 .title = entry.value("title", ""),
                                 .familyShows = entry.value("family_shows", ""),
                                 .sweep = entry.value("sweep", ""),
                                 .emulatorSize = entry.contains("emulator_size")
                                                     ? std::optional<std::int64_t>(entry["emulator_size"])
                                                     : std::nullopt,
                                 .wrongByDesign = entry.value("wrong_by_design", false)});
        return workloads;
    } catch (const nlohmann::json::exception& error) {
        return failure(ErrorKind::Target, fmt::format("{} --describe did not print a list of workloads: {}",
                                                      program, error.what()));
    }
}

Result<std::vector<WorkloadInfo>> selectWorkloads(const std::vector<WorkloadInfo>& all,
                                                  const std::vector<std::string>& patterns) {
    if (patterns.empty()) return all;
    std::vector<bool> chosen(all.size(), false);
    for (const std::string& pattern : patterns) {
        bool matched = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            // A bare family name means all of it.
            if (!base::globMatches(pattern, all[i].path()) && all[i].family != pattern) continue;
            chosen[i] = true;
            matched = true;
        }
        if (matched) continue;
        std::vector<std::string> names;
        for (const WorkloadInfo& workload : all) {
            names.push_back(workload.path());
            names.push_back(workload.variant);
        }
        // A variant's name alone is a frequent slip; suggest the path it belongs to.
        std::vector<std::string> paths;
        for (const std::string& near : nearNames(pattern, names))
            for (const WorkloadInfo& workload : all)
                if ((workload.path() == near || workload.variant == near) &&
                    std::ranges::find(paths, workload.path()) == paths.end() && paths.size() < 3)
                    paths.push_back(workload.path());
        const std::string hint = paths.empty() ? std::string{"; 'dormer list' lists them"}
                                               : fmt::format("; did you mean {}?", fmt::join(paths, " or "));
        return failure(ErrorKind::Usage, fmt::format("no workload matches '{}'{}", pattern, hint));
    }
    std::vector<WorkloadInfo> selected;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (chosen[i]) selected.push_back(all[i]);
    return selected;
}

} // namespace dormer::instrument::launch
