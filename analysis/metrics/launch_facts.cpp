// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/launch_facts.h"

#include "analysis/device/architecture.h"
#include "analysis/device/occupancy.h"

#include <algorithm>
#include <array>

namespace dormer::metrics {

namespace {

constexpr auto kFacts = std::to_array<FactInfo>({
    {"launch.duration_ns", Fact::DurationNs, "duration from an uninstrumented run"},
    {"launch.grid_blocks", Fact::GridBlocks, "blocks of the grid"},
    {"launch.block_threads", Fact::BlockThreads, "threads of a block"},
    {"launch.warps_per_block", Fact::WarpsPerBlock, "threads of a block / warp size, rounded up"},
    {"launch.blocks_per_sm", Fact::BlocksPerSm,
     "blocks an SM can hold: the driver's calculator, else NVIDIA's allocation rules"},
    {"launch.dynamic_shared_bytes", Fact::DynamicSharedBytes, "dynamic shared memory of a block"},
    {"kernel.registers_per_thread", Fact::RegistersPerThread, "registers of a thread"},
    {"kernel.static_shared_bytes", Fact::StaticSharedBytes, "static shared memory of a block"},
    {"kernel.local_bytes_per_thread", Fact::LocalBytesPerThread, "local memory of a thread"},
    {"device.sm_count", Fact::SmCount, "SMs of the device"},
    {"device.warp_size", Fact::WarpSize, "threads of a warp"},
    {"device.max_warps_per_sm", Fact::MaxWarpsPerSm, "warps an SM can hold"},
    {"device.fp64_lanes_per_sm", Fact::Fp64LanesPerSm, "double-precision multiply-adds an SM does per clock"},
});

/// 2^63: no difference of two signed 64-bit time stamps reaches it.
constexpr double kImpossibleNs = 9223372036854775808.0;

std::optional<double> positive(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> blocksPerSm(const session::Session& session, session::LaunchIndex index) {
    const session::Launch& launch = session.launch(index);
    if (launch.blocksPerSm) return static_cast<double>(*launch.blocksPerSm);
    const session::Device* device = session.deviceOf(index);
    // No registers means that the kernel's attributes were never told, not that it uses none.
    if (device == nullptr || session.kernelOf(index).registersPerThread == 0) return std::nullopt;
    const auto occupancy = device::theoreticalOccupancy(*device, session.kernelOf(index), launch.block,
                                                        launch.dynamicSharedBytes);
    return occupancy ? std::optional(static_cast<double>(occupancy->blocksPerSm)) : std::nullopt;
}

} // namespace

std::span<const FactInfo> launchFacts() {
    return kFacts;
}

std::optional<Fact> factNamed(std::string_view name) {
    const auto found = std::ranges::find(kFacts, name, &FactInfo::name);
    return found == kFacts.end() ? std::nullopt : std::optional(found->fact);
}

std::optional<double> plausibleDurationNs(const session::Launch& launch) {
    if (!launch.durationNs || !(*launch.durationNs > 0) || *launch.durationNs >= kImpossibleNs)
        return std::nullopt;
    return launch.durationNs;
}

std::optional<double> factOf(const session::Session& session, session::LaunchIndex index, Fact fact) {
    const session::Launch& launch = session.launch(index);
    const session::Device* device = session.deviceOf(index);
    switch (fact) {
    case Fact::DurationNs:
        return plausibleDurationNs(launch);
    case Fact::GridBlocks:
        return positive(static_cast<double>(launch.grid.count()));
    case Fact::BlockThreads:
        return positive(static_cast<double>(launch.block.count()));
    case Fact::WarpsPerBlock: {
        const std::uint64_t warp = device != nullptr && device->warpSize > 0 ? device->warpSize : 32;
        return positive(static_cast<double>((launch.block.count() + warp - 1) / warp));
    }
    case Fact::BlocksPerSm:
        return blocksPerSm(session, index);
    case Fact::DynamicSharedBytes:
        return static_cast<double>(launch.dynamicSharedBytes);
    case Fact::RegistersPerThread:
        return positive(session.kernelOf(index).registersPerThread);
    case Fact::StaticSharedBytes:
        return static_cast<double>(session.kernelOf(index).staticSharedBytes);
    case Fact::LocalBytesPerThread:
        return static_cast<double>(session.kernelOf(index).localBytesPerThread);
    case Fact::SmCount:
        return device != nullptr ? positive(device->smCount) : std::nullopt;
    case Fact::WarpSize:
        return device != nullptr ? positive(device->warpSize) : std::nullopt;
    case Fact::MaxWarpsPerSm:
        if (device == nullptr || device->warpSize == 0) return std::nullopt;
        return positive(device->maxThreadsPerSm / device->warpSize);
    case Fact::Fp64LanesPerSm: {
        const auto* architecture = device != nullptr ? device::architectureOf(*device) : nullptr;
        return architecture != nullptr ? positive(architecture->fp64) : std::nullopt;
    }
    }
    return std::nullopt;
}

} // namespace dormer::metrics
