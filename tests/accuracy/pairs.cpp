// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/pairs.h"

#include "analysis/metrics/group.h"

#include <map>
#include <set>

namespace dormer::accuracy {

using namespace metrics;

using namespace session;

Pairs pairKernels(const Session& recorded, const Session& emulated) {
    std::map<std::string, LaunchIndex> others;
    const LaunchGroups emulatedGroups(emulated), recordedGroups(recorded);
    for (const LaunchGroup& group : emulatedGroups.all())
        others.emplace(group.label, group.launches.front());
    std::set<std::string> run; // a recording of the whole suite is compared with a part of it
    for (const Launch& launch : emulated.launches())
        run.insert(launch.workload);
    Pairs pairs;
    for (const LaunchGroup& group : recordedGroups.all()) {
        if (!run.contains(recorded.launch(group.launches.front()).workload)) continue;
        const auto other = others.find(group.label);
        if (other == others.end()) {
            pairs.unpaired.push_back(group.label);
            continue;
        }
        const Launch &here = recorded.launch(group.launches.front()), &there = emulated.launch(other->second);
        if (here.grid != there.grid || here.block != there.block ||
            here.dynamicSharedBytes != there.dynamicSharedBytes)
            pairs.unpaired.push_back(group.label + " (another grid)");
        else
            pairs.kernels.push_back({group.label, here.workload,
                                     shortKernelName(recorded.kernelOf(group.launches.front()).name),
                                     std::move(group.launches), other->second});
        others.erase(other);
    }
    for (const auto& [label, launch] : others)
        pairs.unpaired.push_back(label);
    return pairs;
}

} // namespace dormer::accuracy
