// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/match.h"

#include <functional>
#include <map>
#include <tuple>

namespace dormer::compare {

namespace {

using Key = std::vector<std::string>;

std::string dimensions(const session::Dim3& size) {
    return std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z);
}

Key keyOf(const KernelLaunches& kernel, MatchedBy by) {
    const std::string grid = dimensions(kernel.grid), block = dimensions(kernel.block);
    switch (by) {
    case MatchedBy::Name:
        return {kernel.fullName, kernel.workload,
                kernel.nvtx,     grid,
                block,           std::to_string(kernel.dynamicSharedBytes)};
    case MatchedBy::ShortName:
        return {kernel.shortName,
                kernel.workload,
                kernel.nvtx,
                grid,
                block,
                std::to_string(kernel.dynamicSharedBytes)};
    case MatchedBy::Configuration:
        return {kernel.shortName, kernel.workload, kernel.nvtx};
    case MatchedBy::Renamed:
        return {kernel.workload, kernel.nvtx, grid, block};
    }
    return {};
}

} // namespace

std::vector<KernelLaunches> kernelsOf(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    std::vector<KernelLaunches> kernels;
    std::map<Key, std::size_t> known;
    std::map<std::uint64_t, std::string> shortNames; // by kernel: names may be long
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex index{static_cast<std::uint32_t>(i)};
        const session::Launch& launch = session.launch(index);
        KernelLaunches kernel{
            session.kernelOf(index).name, {}, {}, launch.workload, launch.nvtx, launch.grid, launch.block,
            launch.dynamicSharedBytes,    {}};
        const auto [at, isNew] = known.try_emplace(keyOf(kernel, MatchedBy::Name), kernels.size());
        if (isNew) {
            std::string& shortName = shortNames[launch.kernel];
            if (shortName.empty()) shortName = session::shortKernelName(kernel.fullName);
            kernel.shortName = shortName;
            kernel.label = diagnosis.label(index);
            kernels.push_back(std::move(kernel));
        }
        kernels[at->second].launches.push_back(index);
    }
    return kernels;
}

std::string_view toString(MatchedBy by) {
    switch (by) {
    case MatchedBy::Name:
        return "name";
    case MatchedBy::ShortName:
        return "short_name";
    case MatchedBy::Configuration:
        return "configuration_changed";
    case MatchedBy::Renamed:
        return "renamed";
    }
    return "";
}

std::vector<Match> matchKernels(const std::vector<KernelLaunches>& base,
                                const std::vector<KernelLaunches>& fresh) {
    std::vector<Match> matches;
    std::vector<bool> baseTaken(base.size()), freshTaken(fresh.size());
    for (const MatchedBy by :
         {MatchedBy::Name, MatchedBy::ShortName, MatchedBy::Configuration, MatchedBy::Renamed}) {
        std::map<Key, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> alike;
        for (std::size_t i = 0; i < base.size(); ++i)
            if (!baseTaken[i]) alike[keyOf(base[i], by)].first.push_back(i);
        for (std::size_t i = 0; i < fresh.size(); ++i)
            if (!freshTaken[i]) alike[keyOf(fresh[i], by)].second.push_back(i);
        const bool guess = by == MatchedBy::Configuration || by == MatchedBy::Renamed;
        for (const auto& [key, sides] : alike) {
            const auto& [ours, theirs] = sides;
            if (ours.size() != theirs.size() || (guess && ours.size() != 1)) continue;
            for (std::size_t i = 0; i < ours.size(); ++i) {
                matches.push_back({ours[i], theirs[i], by});
                baseTaken[ours[i]] = freshTaken[theirs[i]] = true;
            }
        }
    }
    return matches;
}

} // namespace dormer::compare
