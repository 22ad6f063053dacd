// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/group.h"

#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace dormer::metrics {

namespace {

/// What makes two launches the same. Text is compared through views into the session.
struct Signature {
    std::size_t kernel;            ///< first kernel of that name
    const session::Device* device; ///< ranks on equal devices of other hosts stay apart
    std::string_view workload;
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes;
    bool operator==(const Signature&) const = default;
};

struct SignatureHash {
    std::size_t operator()(const Signature& s) const {
        std::size_t hash = std::hash<std::string_view>{}(s.workload);
        const auto mix = [&hash](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL; };
        mix(s.kernel);
        mix(std::hash<const session::Device*>{}(s.device));
        for (const session::Dim3& dim : {s.grid, s.block}) {
            mix(dim.x);
            mix(dim.y);
            mix(dim.z);
        }
        mix(s.dynamicSharedBytes);
        return hash;
    }
};

/// The same function is another Kernel in each process; the first of its name stands for all.
std::vector<std::size_t> sameKernels(const session::Session& session) {
    std::unordered_map<std::string_view, std::size_t> first;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < session.kernels().size(); ++i) {
        const session::Kernel& kernel = session.kernels()[i];
        const std::string_view name = kernel.mangledName.empty() ? kernel.name : kernel.mangledName;
        result.push_back(first.try_emplace(name, i).first->second);
    }
    return result;
}

double durationOf(const session::Session& session, session::LaunchIndex launch) {
    return plausibleDurationNs(session.launch(launch)).value_or(0);
}

session::LaunchIndex representativeOf(const session::Session& session,
                                      const std::vector<session::LaunchIndex>& launches) {
    std::vector<session::LaunchIndex> candidates;
    std::ranges::copy_if(launches, std::back_inserter(candidates),
                         [&](session::LaunchIndex each) { return session.launch(each).counted; });
    if (candidates.empty()) candidates = launches;
    // Of an even number the shorter of the two in the middle: it is a launch that happened.
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>((candidates.size() - 1) / 2);
    std::ranges::nth_element(candidates, middle, {}, [&](session::LaunchIndex each) {
        return std::pair(durationOf(session, each), session::raw(each));
    });
    return *middle;
}

} // namespace

std::vector<LaunchGroup> groupLaunches(const session::Session& session) {
    const std::vector<std::size_t> kernelOf = sameKernels(session);
    std::unordered_map<Signature, std::size_t, SignatureHash> places;
    std::vector<LaunchGroup> groups;
    // Kernels seen in each workload: one, or more than one (npos).
    std::unordered_map<std::string_view, std::size_t> onlyKernel;
    constexpr std::size_t kSeveral = static_cast<std::size_t>(-1);

    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const auto index = static_cast<session::LaunchIndex>(i);
        const session::Launch& launch = session.launches()[i];
        const std::size_t kernel = kernelOf[launch.kernel];
        const Signature signature{kernel,       session.deviceOf(index),  launch.workload, launch.grid,
                                  launch.block, launch.dynamicSharedBytes};
        const auto [place, isNew] = places.try_emplace(signature, groups.size());
        if (isNew) {
            groups.emplace_back();
            const auto [only, first] = onlyKernel.try_emplace(launch.workload, kernel);
            if (!first && only->second != kernel) only->second = kSeveral;
        }
        LaunchGroup& group = groups[place->second];
        group.launches.push_back(index);
        group.totalNs += durationOf(session, index);
    }
    for (LaunchGroup& group : groups) {
        group.representative = representativeOf(session, group.launches);
        const session::LaunchIndex first = group.launches.front();
        group.label = session::launchLabel(session, first);
        const std::string& workload = session.launch(first).workload;
        if (!workload.empty() && onlyKernel.at(workload) == kSeveral)
            group.label += " " + session::shortKernelName(session.kernelOf(first).name);
    }
    return groups;
}

} // namespace dormer::metrics
