// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Counters of the whole device, read at a fixed interval while the program runs at its own speed. Plain
/// logic; who reads the hardware stands behind SampleSource, so that recorded samples can stand in for it.
namespace dormer::instrument::cupti::sampling {

/// What is made of the value that the chip's counter has in a sample.
enum class Meaning : std::uint8_t {
    Sum,            ///< what was done during the sample
    Mean,           ///< a rate or a clock: means of it are weighted by time
    ShareOfSectors, ///< of the L2 sectors of the same sample: their product is a sum
    Constant        ///< the same in every sample
};

struct SampledMetric {
    std::string chipName; ///< what the chip calls it
    std::string counter;  ///< canonical name of what is made of it
    Meaning meaning = Meaning::Sum;
};

/// Counters that the hardware reads in one sample. Groups take turns.
using SampleGroup = std::vector<SampledMetric>;

/// Samples that follow one another without a gap; they carry CUPTI's time, as activity records do.
struct Burst {
    std::size_t group = 0;
    std::int64_t intervalNs = 0;
    std::vector<std::int64_t> startNs, endNs; ///< by sample
    std::vector<double> values;               ///< by sample, then by counter of the group
    bool overflowed = false;                  ///< the hardware's buffer was full: the rest is lost

    [[nodiscard]] std::size_t size() const { return startNs.size(); }
    [[nodiscard]] std::span<const double> sample(std::size_t i, std::size_t counters) const {
        return std::span(values).subspan(i * counters, counters);
    }
};

/// Reads samples of one device.
class SampleSource {
public:
    virtual ~SampleSource() = default;
    [[nodiscard]] virtual const std::vector<SampleGroup>& groups() const = 0;
    /// Switches to another group, interval or number of samples that a burst can hold: dear, some 0.3 s.
    [[nodiscard]] virtual Result<void> configure(std::size_t group, std::int64_t intervalNs,
                                                 std::size_t samples) = 0;
    [[nodiscard]] virtual Result<void> start() = 0;
    /// Ends the burst and evaluates it, as far as it fits.
    [[nodiscard]] virtual Result<Burst> stop() = 0;
    /// Gives the counters of the device back.
    virtual void release() = 0;
};

} // namespace dormer::instrument::cupti::sampling
