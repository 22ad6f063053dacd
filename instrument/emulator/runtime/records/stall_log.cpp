// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/stall_log.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dormer::emulator::runtime {

namespace {

/// What rounding the sum adds to what was told of it: nothing is lost over many launches.
std::uint64_t untold(double sum, std::uint64_t& told) {
    const auto now = static_cast<std::uint64_t>(std::llround(sum));
    return now - std::exchange(told, now);
}

} // namespace

void StallLog::add(std::uint64_t kernel, const std::vector<engine::InstructionStall>& stalls,
                   double durationNs) {
    if (stalls.empty()) return;
    Kernel& sum = m_kernels[kernel];
    const double samples = durationNs / kNsPerSample;
    sum.samples += samples;
    for (const engine::InstructionStall& each : stalls) {
        State& state = sum.states[each.ptxLine][each.state];
        state.samples += each.share * samples;
        state.notIssued += each.notIssued * samples;
    }
}

std::vector<session::WarpSamples> StallLog::take(std::uint64_t id, Kernel& kernel) {
    std::vector<session::WarpSamples> records;
    kernel.told = kernel.samples;
    for (auto& [line, states] : kernel.states) {
        session::WarpSamples at{id, line, {}};
        for (auto& [state, sum] : states) {
            const std::uint64_t notIssued = untold(sum.notIssued, sum.toldNotIssued);
            if (const std::uint64_t samples = untold(sum.samples, sum.toldSamples); samples > 0)
                at.states.add(counts::toString(state), samples, std::min(notIssued, samples));
        }
        if (!at.states.states.empty()) records.push_back(std::move(at));
    }
    return records;
}

std::vector<session::WarpSamples> StallLog::due(std::uint64_t kernel) {
    const auto at = m_kernels.find(kernel);
    if (at == m_kernels.end() || at->second.samples < 2 * at->second.told) return {};
    return take(at->first, at->second);
}

std::vector<session::WarpSamples> StallLog::rest() {
    std::vector<session::WarpSamples> records;
    for (auto& [id, kernel] : m_kernels)
        if (kernel.samples > kernel.told)
            for (session::WarpSamples& record : take(id, kernel))
                records.push_back(std::move(record));
    return records;
}

} // namespace dormer::emulator::runtime
