// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/machine/sampling.h"

#include <fmt/format.h>

#include <utility>

namespace dormer::instrument::machine {

namespace {
using Capability = std::pair<int, int>;
constexpr Capability kSamples{7, 5};
constexpr Capability kSamplesByTime{8, 6};
} // namespace

Sampling samplingOf(const session::Device& device) {
    const Capability capability{device.computeCapabilityMajor, device.computeCapabilityMinor};
    if (capability < kSamples)
        return {false, fmt::format("needs compute capability {}.{}, this GPU has {}.{}", kSamples.first,
                                   kSamples.second, capability.first, capability.second)};
    return {true, capability < kSamplesByTime ? "at intervals of SM clock cycles" : "at intervals of time"};
}

} // namespace dormer::instrument::machine
