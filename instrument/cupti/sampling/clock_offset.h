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
/// is stamped up to a microsecond early. Learned from the samples in which one launch ends and another
/// begins, or none: with the right offset they hold what the rates of both, seen in samples of their own,
/// foretell.
class ClockOffset {
public:
    /// `values`: a counter that differs from kernel to kernel, by sample. `kernels` in order of start. A
    /// burst in which everything does the same tells nothing.
    void learn(const Burst& burst, std::span<const double> values, std::span<const KernelInterval> kernels);
    /// Nanoseconds; what was seen on an H100 until there is something to learn from.
    [[nodiscard]] std::int64_t ns() const;

private:
    static constexpr std::int64_t kStepNs = 100;
    static constexpr std::int64_t kFirstNs = -1000;
    static constexpr std::size_t kSteps = 36;
    /// Squares of what the rates did not foretell, by offset.
    std::array<double, kSteps> m_missed{};
    std::size_t m_samples = 0; ///< that were foretold, over all offsets
};

} // namespace dormer::instrument::cupti::sampling
