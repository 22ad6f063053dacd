// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/workload_launches.h"

#include "analysis/group.h"

#include <algorithm>

namespace dormer::ui {

std::unordered_map<std::string, analysis::LaunchIndex> launchesOfWorkloads(const analysis::Session& session) {
    std::unordered_map<std::string, analysis::LaunchIndex> launches;
    std::unordered_map<std::string, double> longest;
    for (const analysis::LaunchGroup& group : analysis::groupLaunches(session)) {
        const std::string& workload = session.launch(group.representative).workload;
        if (workload.empty()) continue;
        const auto [known, isNew] = longest.try_emplace(workload, group.totalNs);
        if (!isNew && group.totalNs <= known->second) continue;
        known->second = group.totalNs;
        launches[workload] = group.representative;
    }
    return launches;
}

const analysis::Workload* findWorkload(const analysis::Session& session, std::string_view workload) {
    const auto found = std::ranges::find(session.workloads(), workload, &analysis::Workload::workload);
    return found == session.workloads().end() ? nullptr : &*found;
}

} // namespace dormer::ui
