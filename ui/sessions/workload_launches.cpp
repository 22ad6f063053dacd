// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sessions/workload_launches.h"

#include <algorithm>

namespace dormer::ui::sessions {

std::unordered_map<std::string, session::LaunchIndex>
launchesOfWorkloads(const diagnosis::Diagnosis& diagnosis) {
    std::unordered_map<std::string, session::LaunchIndex> launches;
    std::unordered_map<std::string, double> longest;
    for (const metrics::LaunchGroup& group : diagnosis.groups()) {
        const std::string& workload = diagnosis.session().launch(group.representative).workload;
        if (workload.empty()) continue;
        const auto [known, isNew] = longest.try_emplace(workload, group.totalNs);
        if (!isNew && group.totalNs <= known->second) continue;
        known->second = group.totalNs;
        launches[workload] = group.representative;
    }
    return launches;
}

const session::Workload* findWorkload(const session::Session& session, std::string_view workload) {
    const auto found = std::ranges::find(session.workloads(), workload, &session::Workload::workload);
    return found == session.workloads().end() ? nullptr : &*found;
}

} // namespace dormer::ui::sessions
