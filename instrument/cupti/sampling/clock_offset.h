// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/sample_source.h"

#include <array>

namespace dormer::instrument::cupti::sampling {

struct KernelInterval {
    std::int64_t startNs = 0, endNs = 0; ///< as the GPU timed it
    std::uint32_t signature = 0;
};

/// What must be added to a sample's time to get that of activity records: both are of one clock, but a sample
/// is stamped about a microsecond early. Learned from where SMs are busy: nothing of that may lie outside of
/// kernels.
class ClockOffset {
public:
    /// `busy`: cycles with work, by sample. `kernels` in order of start. A burst without idle time tells
    /// nothing.
    void learn(const Burst& burst, std::span<const double> busy, std::span<const KernelInterval> kernels);
    /// Nanoseconds; what was seen on an H100 until there is something to learn from.
    [[nodiscard]] std::int64_t ns() const;

private:
    static constexpr std::int64_t kStepNs = 100;
    static constexpr std::int64_t kFirstNs = -2000;
    static constexpr std::size_t kSteps = 61;
    std::array<double, kSteps> m_leaked{}; ///< cycles outside of kernels, by offset
    bool m_learned = false;
};

} // namespace dormer::instrument::cupti::sampling
