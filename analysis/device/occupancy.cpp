// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/occupancy.h"

#include <algorithm>

namespace dormer::device {

namespace {

// Allocation rules of cuda_occupancy.h, CUDA 13.0; the same from compute capability 7.0 to 12.0.
constexpr std::uint64_t kRegisterUnit = 256; ///< registers go to a warp in steps of this many
constexpr std::uint64_t kSubPartitions = 4;  ///< a warp takes its registers from one quarter of the SM
constexpr std::uint32_t kMaxRegistersPerThread = 255;
constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
constexpr std::uint64_t kSharedPerBlockWithoutOptin = 48 * 1024;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::uint64_t blocksByRegisters(const session::Device& device, std::uint32_t registersPerThread,
                                std::uint64_t warps) {
    const std::uint64_t perWarp = roundUp(std::uint64_t{registersPerThread} * device.warpSize, kRegisterUnit);
    if (perWarp == 0) return UINT64_MAX;
    if (registersPerThread > kMaxRegistersPerThread) return 0;
    return kSubPartitions * (device.registersPerSm / kSubPartitions / perWarp) / warps;
}

std::uint64_t blocksByShared(const session::Device& device, std::uint64_t bytes, std::uint64_t dynamicBytes) {
    const bool before8 = device.computeCapabilityMajor < 8;
    const std::uint64_t allocated = roundUp(bytes + device.reservedSharedBytesPerBlock, before8 ? 256 : 128);
    if (allocated == 0) return UINT64_MAX;
    // A launch beyond 48 KiB only succeeds after opting in with dynamic shared memory.
    const bool optedIn = dynamicBytes > 0 && bytes > kSharedPerBlockWithoutOptin;
    const std::uint64_t limit = (optedIn ? device.sharedBytesPerBlockOptin : kSharedPerBlockWithoutOptin) +
                                device.reservedSharedBytesPerBlock;
    if (allocated > limit) return 0;
    // The default carve-out leaves all of the SM's shared memory to be used.
    return device.sharedBytesPerSm / allocated;
}

} // namespace

std::string_view toString(OccupancyLimiter limiter) {
    switch (limiter) {
    case OccupancyLimiter::Warps:
        return "block size";
    case OccupancyLimiter::Registers:
        return "registers";
    case OccupancyLimiter::SharedMemory:
        return "shared memory";
    case OccupancyLimiter::Blocks:
        return "blocks per SM";
    case OccupancyLimiter::TooLarge:
        return "block too large";
    }
    return "";
}

std::optional<Occupancy> theoreticalOccupancy(const session::Device& device, const session::Kernel& kernel,
                                              session::Dim3 block, std::uint64_t dynamicSharedBytes) {
    if (device.warpSize == 0 || device.maxThreadsPerSm == 0 || device.maxBlocksPerSm == 0 ||
        device.registersPerSm == 0 || device.sharedBytesPerSm == 0)
        return std::nullopt;
    const std::uint64_t threads = block.count();
    if (threads == 0) return std::nullopt;
    const std::uint64_t warps = (threads + device.warpSize - 1) / device.warpSize;
    const std::uint64_t warpsPerSm = device.maxThreadsPerSm / device.warpSize;

    struct Limit {
        OccupancyLimiter limiter;
        std::uint64_t blocks;
    };
    // In the order people are told when two limits are equal.
    const Limit limits[] = {
        {OccupancyLimiter::Warps, threads > kMaxThreadsPerBlock ? 0 : warpsPerSm / warps},
        {OccupancyLimiter::Registers, blocksByRegisters(device, kernel.registersPerThread, warps)},
        {OccupancyLimiter::SharedMemory,
         blocksByShared(device, kernel.staticSharedBytes + dynamicSharedBytes, dynamicSharedBytes)},
        {OccupancyLimiter::Blocks, device.maxBlocksPerSm},
    };
    const Limit& lowest = *std::ranges::min_element(limits, {}, &Limit::blocks);

    Occupancy result;
    result.blocksPerSm = static_cast<std::uint32_t>(lowest.blocks);
    result.warpsPerSm = static_cast<std::uint32_t>(lowest.blocks * warps);
    result.theoretical = static_cast<double>(result.warpsPerSm) / static_cast<double>(warpsPerSm);
    result.limiter = lowest.blocks == 0 ? OccupancyLimiter::TooLarge : lowest.limiter;
    return result;
}

} // namespace dormer::device
