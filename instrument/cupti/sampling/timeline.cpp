// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/timeline.h"

#include <algorithm>

namespace dormer::instrument::cupti::sampling {

void Timeline::called(std::uint32_t correlationId, std::int64_t nowNs) {
    const std::lock_guard lock(m_mutex);
    m_called.emplace_hint(m_called.end(), correlationId, nowNs);
    m_lastNs = std::max(m_lastNs, nowNs);
}

void Timeline::dropped(std::uint32_t correlationId) {
    const std::lock_guard lock(m_mutex);
    m_called.erase(correlationId);
}

void Timeline::ran(std::uint32_t correlationId, const Ran& ran) {
    const std::lock_guard lock(m_mutex);
    m_called.erase(correlationId);
    m_ran.push_back(ran);
    m_lastNs = std::max(m_lastNs, ran.interval.endNs);
}

bool Timeline::completeUntil(std::int64_t timeNs) const {
    const std::lock_guard lock(m_mutex);
    return m_called.empty() || m_called.begin()->second > timeNs;
}

bool Timeline::activeSince(std::int64_t timeNs) const {
    const std::lock_guard lock(m_mutex);
    return !m_called.empty() || m_lastNs >= timeNs;
}

std::vector<Timeline::Ran> Timeline::between(std::int64_t fromNs, std::int64_t toNs) const {
    std::vector<Ran> found;
    {
        const std::lock_guard lock(m_mutex);
        for (const Ran& ran : m_ran)
            if (ran.interval.startNs < toNs && ran.interval.endNs > fromNs) found.push_back(ran);
    }
    std::ranges::stable_sort(found, {}, [](const Ran& ran) { return ran.interval.startNs; });
    return found;
}

void Timeline::forget(std::int64_t beforeNs) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_ran, [&](const Ran& ran) { return ran.interval.endNs < beforeNs; });
}

} // namespace dormer::instrument::cupti::sampling
