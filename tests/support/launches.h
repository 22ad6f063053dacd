// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace dormer::tests {

/// The first launch of a workload, which the session must have.
inline session::LaunchIndex launchOf(const session::Session& session, std::string_view workload) {
    const auto& launches = session.launches();
    const auto launch = std::ranges::find(launches, workload, &session::Launch::workload);
    INFO("a launch of " << workload);
    REQUIRE(launch != launches.end());
    return static_cast<session::LaunchIndex>(launch - launches.begin());
}

/// A launch of which only these are known.
inline session::Launch launchOf(std::uint64_t id, std::uint64_t kernel = 0) {
    session::Launch launch;
    launch.id = id;
    launch.kernel = kernel;
    return launch;
}

/// A launch as a verdict needs it, of blocks of 256 threads.
inline session::Launch sizedLaunch(std::uint32_t blocks, double durationNs, std::uint32_t blocksPerSm = 8) {
    session::Launch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.durationNs = durationNs;
    launch.blocksPerSm = blocksPerSm;
    return launch;
}

} // namespace dormer::tests
