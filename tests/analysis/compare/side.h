// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <string>
#include <vector>

namespace dormer::tests {

/// One side of a comparison, put together kernel by kernel.
class Side {
public:
    explicit Side(session::Origin origin = session::Origin::Measured,
                  const std::string& device = "NVIDIA H100") {
        session::ProcessStart start;
        start.process.origin = origin;
        m_session.apply(start);
        session::Device gpu;
        gpu.name = device;
        m_session.apply(gpu);
    }

    /// A launch of the kernel for each duration, every one with these counters.
    Side& kernel(const std::string& name, const std::vector<double>& durationsNs,
                 const std::map<std::string, double>& counters = {}, const std::string& nvtx = {},
                 std::uint32_t blocks = 64) {
        session::Kernel kernel;
        kernel.id = m_kernels++;
        kernel.name = name;
        m_session.apply(kernel);
        for (const double ns : durationsNs) {
            session::Launch launch;
            launch.id = m_launches++;
            launch.kernel = kernel.id;
            launch.grid = {blocks, 1, 1};
            launch.block = {256, 1, 1};
            launch.nvtx = nvtx;
            launch.durationNs = ns;
            m_session.apply(launch);
            if (!counters.empty()) m_session.apply(session::LaunchCounters{launch.id, counters, true});
        }
        return *this;
    }

    session::Session& session() { return m_session; }

private:
    session::Session m_session;
    std::uint64_t m_kernels = 0, m_launches = 0;
};

/// Durations around a mean, 1 % apart: its median is the mean.
inline std::vector<double> spread(double meanNs, int launches = 9) {
    std::vector<double> all;
    for (int i = 0; i < launches; ++i)
        all.push_back(meanNs * (1 + 0.01 * (i - launches / 2) / (launches / 2)));
    return all;
}

} // namespace dormer::tests
