// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/host_thread.h"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace dormer::instrument::ceilings {

namespace {

constexpr int kMostTried = 6;
/// The clock of a CPU that idled takes a moment to rise.
constexpr std::chrono::milliseconds kRise{20};

std::vector<int> allowedCpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
    return cpus;
}

void allow(const std::vector<int>& cpus) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    for (const int cpu : cpus)
        CPU_SET(cpu, &allowed);
    // A container may forbid it: the thread then stays where the system puts it.
    (void)sched_setaffinity(0, sizeof allowed, &allowed);
}

void stayOn(int cpu) {
    allow({cpu});
    const auto end = std::chrono::steady_clock::now() + kRise;
    while (std::chrono::steady_clock::now() < end) {
    }
}

/// Spread over all, on even and odd places: hosts number their sockets in blocks or in turn.
std::vector<int> someOf(const std::vector<int>& cpus) {
    const int count = static_cast<int>(cpus.size());
    if (count <= kMostTried) return cpus;
    std::vector<int> picked;
    for (int i = 0; i < kMostTried; ++i)
        picked.push_back(cpus[static_cast<std::size_t>(std::min(i * count / kMostTried + i % 2, count - 1))]);
    return picked;
}

} // namespace

HostThread::HostThread() : m_cpus(allowedCpus()) {}

HostThread::~HostThread() {
    if (!m_cpus.empty()) allow(m_cpus);
}

std::vector<Candidate> HostThread::onSomeCpus(const Candidate& candidate) const {
    if (m_cpus.empty()) return {candidate};
    std::vector<Candidate> all;
    for (const int cpu : someOf(m_cpus)) {
        Candidate& each = all.emplace_back(candidate);
        each.name += ", on CPU " + std::to_string(cpu);
        each.prepare = [cpu, prepare = candidate.prepare] {
            stayOn(cpu);
            if (prepare) prepare();
        };
    }
    return all;
}

} // namespace dormer::instrument::ceilings
