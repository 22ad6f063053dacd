// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/practical.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::device {

namespace {

constexpr double kSectorBytes = 32;

// Launches of 20 us or more, of samples/h100-suite.dormer.
constexpr auto kBests = std::to_array<RecordedBest>({
    {9, 0, Resource::Dram, 0.94, "policies/chained"},
    {9, 0, Resource::L2, 125.8, "heat/cub_transform"},
    {9, 0, Resource::L1, 0.87, "spaces/table_global"},
    {9, 0, Resource::Shared, 0.95, "shared/stride/32"},
    {9, 0, Resource::Fp32, 0.89, "roofline/polynomial/1024"},
    {9, 0, Resource::Fp64, 0.95, "roofline/fma_chain_fp64"},
    {9, 0, Resource::Integer, 0.956, "spaces/registers"},
    {9, 0, Resource::IssueSlots, 0.965, "roofline/polynomial/1024"},
});

} // namespace

std::span<const RecordedBest> recordedBests() {
    return kBests;
}

std::optional<PracticalRoof> practicalRoof(const session::Device& device, Resource resource,
                                           double theoretical, const Clocks& clocks) {
    const auto found = std::ranges::find_if(kBests, [&](const RecordedBest& best) {
        return best.computeCapabilityMajor == device.computeCapabilityMajor &&
               best.computeCapabilityMinor == device.computeCapabilityMinor && best.resource == resource;
    });
    if (found == kBests.end()) return std::nullopt;
    const double perSecond =
        resource == Resource::L2 ? found->best * kSectorBytes * clocks.l2Hz : found->best * theoretical;
    if (!(perSecond > 0)) return std::nullopt;
    return PracticalRoof{resource, perSecond, found->source};
}

double workingSmShare(const session::Device& device, double blocks, std::optional<double> waves) {
    const double sms = device.smCount;
    if (!(sms > 0) || !(blocks > 0)) return 1;
    if (blocks >= sms && waves.value_or(2) > 1) return 1;
    return blocks / (sms * std::ceil(blocks / sms));
}

bool isPerSm(Resource resource) {
    return resource != Resource::Dram && resource != Resource::L2;
}

} // namespace dormer::device
