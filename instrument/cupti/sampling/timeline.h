// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/clock_offset.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace dormer::instrument::cupti::sampling {

/// What ran on a device lately, and what was called but has not been told to have run. Thread-safe: calls are
/// seen on the program's threads, times arrive on CUPTI's, and the sampler reads.
class Timeline {
public:
    struct Ran {
        KernelInterval interval;
        std::optional<std::uint64_t> launch; ///< absent for a copy or fill
    };

    void called(std::uint32_t correlationId, std::int64_t nowNs);
    /// A call has failed or become a graph's node: nothing will run.
    void dropped(std::uint32_t correlationId);
    /// Ends what called() began; a graph's launch ends with the first of its kernels.
    void ran(std::uint32_t correlationId, const Ran& ran);

    /// True when everything called before has been told.
    [[nodiscard]] bool completeUntil(std::int64_t timeNs) const;
    /// True when something was called or ran at this time or later.
    [[nodiscard]] bool activeSince(std::int64_t timeNs) const;
    /// What ran in some part of this time, in order of start.
    [[nodiscard]] std::vector<Ran> between(std::int64_t fromNs, std::int64_t toNs) const;
    /// Forgets what ended before.
    void forget(std::int64_t beforeNs);

private:
    mutable std::mutex m_mutex;
    std::map<std::uint32_t, std::int64_t> m_called; ///< by correlation id, which grow
    std::deque<Ran> m_ran;                          ///< as they were told
    std::int64_t m_lastNs = 0;
};

} // namespace dormer::instrument::cupti::sampling
