// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/range_profiler.h"

namespace dormer::instrument::cupti {

/// Counts launches of a foreign program, each replayed by CUPTI as often as the counters take passes.
class KernelReplay : public passes::ReplayBackend {
public:
    /// In the current context, of that device.
    [[nodiscard]] static Result<std::unique_ptr<KernelReplay>> create(int device,
                                                                      const metrics::CounterSet& set);

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] Result<std::map<std::string, double>> end() override;
    [[nodiscard]] const host::CounterPlan& plan() const { return m_profiler->plan(); }

private:
    explicit KernelReplay(std::unique_ptr<RangeProfiler> profiler) : m_profiler(std::move(profiler)) {}

    std::unique_ptr<RangeProfiler> m_profiler;
    std::size_t m_left = 0; ///< launches that the counter data still has room for
};

} // namespace dormer::instrument::cupti
