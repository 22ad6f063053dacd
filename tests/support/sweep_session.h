// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// A point of a sweep: the values of its parameters and the duration of its kernel, which may be unknown.
struct SweepGiven {
    std::vector<std::string> parameters;
    std::optional<double> durationNs;
};

/// A session of the sweep "s/sweep" over `duration_ns` and a counter nobody collected; its k-th point is the
/// workload "s/k".
inline session::Session sweepSession(const std::vector<std::string>& parameters,
                                     const std::vector<SweepGiven>& points, std::string best = {},
                                     session::Origin origin = session::Origin::Measured) {
    using namespace session;
    Session session;
    ProcessStart start;
    start.process.origin = origin;
    session.apply(start);
    Device device;
    device.name = "NVIDIA H100";
    session.apply(device);
    Kernel kernel;
    kernel.name = "k()";
    session.apply(kernel);
    session.apply(Sweep{"s/sweep", "A sweep", parameters, {"duration_ns", "dram_bytes"}, std::move(best)});
    for (std::size_t i = 0; i < points.size(); ++i) {
        Workload workload;
        workload.workload = "s/" + std::to_string(i);
        workload.sweep = "s/sweep";
        for (std::size_t p = 0; p < parameters.size(); ++p)
            workload.parameters.push_back(parameters[p] + "=" + points[i].parameters[p]);
        session.apply(workload);
        Launch launch;
        launch.id = i;
        launch.workload = workload.workload;
        launch.durationNs = points[i].durationNs;
        session.apply(launch);
    }
    return session;
}

} // namespace dormer::tests
