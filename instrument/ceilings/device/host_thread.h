// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/ceilings/device/bench.h"

#include <vector>

namespace dormer::instrument::ceilings {

/// Pins the calling thread to one CPU after the other, for work whose pace the host sets: where its memory
/// lies and which CPU runs the thread then are part of what is tried, not chance. The thread may run anywhere
/// again when this is gone.
class HostThread {
public:
    HostThread();
    ~HostThread();
    HostThread(const HostThread&) = delete;
    HostThread& operator=(const HostThread&) = delete;

    /// The candidate on each of some CPUs, spread over those that the thread may run on. Its own `prepare`
    /// comes after the thread has moved, so that memory it touches first is that CPU's. The candidate as it
    /// is where the system does not tell which CPUs there are.
    [[nodiscard]] std::vector<Candidate> onSomeCpus(const Candidate& candidate) const;

private:
    std::vector<int> m_cpus;
};

} // namespace dormer::instrument::ceilings
