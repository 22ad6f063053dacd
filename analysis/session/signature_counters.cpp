// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/signature_counters.h"

#include <utility>

namespace dormer::session {

LaunchSignature signatureOf(const SignatureCounter& counter) {
    return {.kernel = counter.kernel,
            .device = static_cast<std::uint64_t>(counter.device) + 1,
            .workload = counter.workload,
            .grid = counter.grid,
            .block = counter.block,
            .dynamicSharedBytes = counter.dynamicSharedBytes};
}

LaunchSignature signatureOf(const Launch& launch) {
    return {.kernel = launch.kernel,
            .device = static_cast<std::uint64_t>(launch.device) + 1,
            .workload = launch.workload,
            .grid = launch.grid,
            .block = launch.block,
            .dynamicSharedBytes = launch.dynamicSharedBytes};
}

bool isSum(std::string_view counter) {
    return counter.ends_with(".sum");
}

std::uint32_t SignatureCounters::slot(LaunchSignature signature) {
    const auto [at, isNew] =
        m_slots.try_emplace(std::move(signature), static_cast<std::uint32_t>(m_places.size()));
    if (isNew) m_places.emplace_back();
    return at->second;
}

void SignatureCounters::set(std::uint32_t slot, std::size_t column, const SignatureCounter& counter) {
    std::vector<std::uint32_t>& places = m_places[slot];
    if (places.size() <= column) places.resize(column + 1, kNone);
    if (m_isSum.size() <= column) m_isSum.resize(column + 1);
    m_isSum[column] = isSum(counter.counter);
    if (places[column] == kNone) {
        places[column] = static_cast<std::uint32_t>(m_all.size());
        m_all.push_back(counter);
    } else {
        m_all[places[column]] = counter;
    }
}

const SignatureCounter* SignatureCounters::find(std::uint32_t slot, std::size_t column) const {
    if (slot >= m_places.size() || column >= m_places[slot].size()) return nullptr;
    const std::uint32_t place = m_places[slot][column];
    return place == kNone ? nullptr : &m_all[place];
}

std::optional<double> SignatureCounters::value(std::uint32_t slot, std::size_t column,
                                               std::optional<double> durationNs) const {
    const SignatureCounter* counter = find(slot, column);
    if (counter == nullptr) return std::nullopt;
    if (counter->method != CounterMethod::Sampled || !m_isSum[column]) return counter->value;
    if (!durationNs) return std::nullopt;
    return counter->value * *durationNs * 1e-9;
}

bool SignatureCounters::hasAny(std::uint32_t slot) const {
    return slot < m_places.size() && !m_places[slot].empty();
}

} // namespace dormer::session
