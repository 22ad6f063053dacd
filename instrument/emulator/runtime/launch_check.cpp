// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/launch_check.h"

#include "analysis/device/occupancy.h"
#include "instrument/collect/launch_filter.h"

#include <fmt/format.h>

#include <limits>

namespace dormer::emulator::runtime {

namespace {

// Limits of every compute capability from 7.0 on: CUDA C++ programming guide, "technical specifications".
constexpr session::Dim3 kMaxBlock{1024, 1024, 64};
constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
// CUDA C++ programming guide, "thread block clusters".
constexpr std::uint64_t kPortableClusterBlocks = 8, kMostClusterBlocks = 16;
constexpr session::Dim3 kMaxGrid{std::numeric_limits<std::int32_t>::max(), 65535, 65535};

std::string text(const session::Dim3& size) {
    return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

bool within(const session::Dim3& size, const session::Dim3& limit) {
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y &&
           size.z <= limit.z;
}

} // namespace

session::Kernel describeKernel(const program::KernelFacts& facts) {
    session::Kernel kernel;
    kernel.mangledName = facts.name;
    kernel.name = base::demangled(facts.name);
    kernel.registersPerThread = facts.registersPerThread;
    kernel.staticSharedBytes = facts.staticSharedBytes;
    kernel.localBytesPerThread = facts.localBytesPerThread;
    kernel.maxThreadsPerBlock = facts.maxThreadsPerBlock;
    return kernel;
}

std::uint64_t dynamicSharedLimit(const program::KernelFacts& facts, std::optional<int> attribute) {
    if (attribute) return static_cast<std::uint64_t>(*attribute);
    return facts.staticSharedBytes >= kDefaultSharedBytes ? 0 : kDefaultSharedBytes - facts.staticSharedBytes;
}

std::optional<Failure> checkDynamicShared(const device::Chip& chip, const program::KernelFacts& facts,
                                          int bytes) {
    const std::uint64_t most = chip.device.sharedBytesPerBlockOptin;
    if (bytes >= 0 && static_cast<std::uint64_t>(bytes) + facts.staticSharedBytes <= most)
        return std::nullopt;
    return Failure{
        cudaErrorInvalidValue, "emulator-launch",
        fmt::format("{} can't have {} bytes of dynamic shared memory{}: a block has at most {} on {}",
                    base::demangled(facts.name), bytes,
                    facts.staticSharedBytes > 0
                        ? fmt::format(" beside its {} bytes of static", facts.staticSharedBytes)
                        : "",
                    most, chip.device.name)};
}

std::optional<Failure> checkLaunch(const device::Chip& chip, const program::KernelFacts& facts,
                                   std::optional<int> maxDynamicShared, const LaunchShape& shape) {
    const auto refuse = [&](cudaError_t code, const std::string& why) {
        return Failure{code, "emulator-launch",
                       fmt::format("{} can't be launched: {}", base::demangled(facts.name), why)};
    };
    if (!within(shape.block, kMaxBlock) || shape.block.count() > kMaxThreadsPerBlock)
        return refuse(
            cudaErrorInvalidConfiguration,
            fmt::format("a block of {} threads; from 1 to 1024 in all are possible (1024 x 1024 x 64)",
                        text(shape.block)));
    if (!within(shape.grid, kMaxGrid))
        return refuse(cudaErrorInvalidConfiguration,
                      fmt::format("a grid of {} blocks; from 1 to 2147483647 x 65535 x 65535 are possible",
                                  text(shape.grid)));
    if (shape.block.count() > facts.maxThreadsPerBlock)
        return refuse(
            cudaErrorLaunchOutOfResources,
            fmt::format(
                "{} threads per block, where its launch bounds or its {} registers per thread allow {}",
                shape.block.count(), facts.registersPerThread, facts.maxThreadsPerBlock));
    if (const std::uint64_t limit = dynamicSharedLimit(facts, maxDynamicShared);
        shape.dynamicSharedBytes > limit)
        return refuse(
            cudaErrorInvalidValue,
            fmt::format("{} bytes of dynamic shared memory, where {} are allowed; "
                        "cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) raises that to "
                        "{} on {}",
                        shape.dynamicSharedBytes, limit,
                        chip.device.sharedBytesPerBlockOptin -
                            std::min(chip.device.sharedBytesPerBlockOptin, facts.staticSharedBytes),
                        chip.device.name));
    if (facts.needsCluster && !shape.explicitCluster)
        return refuse(cudaErrorInvalidClusterSize,
                      "it runs in thread block clusters (__cluster_dims__()), and the launch names no size");
    if (const std::uint64_t size = shape.cluster.count(); size > 1) {
        if (chip.device.computeCapabilityMajor < 9)
            return refuse(cudaErrorInvalidClusterSize,
                          fmt::format("thread block clusters ({} blocks), which {} does not have: they need "
                                      "compute capability 9.0",
                                      text(shape.cluster), chip.device.name));
        const std::uint64_t most = shape.nonPortableClusters ? kMostClusterBlocks : kPortableClusterBlocks;
        if (size > most)
            return refuse(cudaErrorInvalidClusterSize,
                          fmt::format("a cluster of {} blocks, where {} are possible{}", text(shape.cluster),
                                      most,
                                      shape.nonPortableClusters
                                          ? ""
                                          : " (16 with cudaFuncAttributeNonPortableClusterSizeAllowed)"));
        if (shape.grid.x % shape.cluster.x != 0 || shape.grid.y % shape.cluster.y != 0 ||
            shape.grid.z % shape.cluster.z != 0)
            return refuse(cudaErrorInvalidClusterSize,
                          fmt::format("a grid of {} blocks is no multiple of its clusters of {}",
                                      text(shape.grid), text(shape.cluster)));
    }
    const auto occupancy = device::theoreticalOccupancy(chip.device, describeKernel(facts), shape.block,
                                                        shape.dynamicSharedBytes);
    if (occupancy && occupancy->blocksPerSm == 0)
        return refuse(
            cudaErrorLaunchOutOfResources,
            fmt::format("no SM of {} has the registers ({} a thread) and shared memory ({} bytes) for a "
                        "block of {} threads",
                        chip.device.name, facts.registersPerThread,
                        facts.staticSharedBytes + shape.dynamicSharedBytes, shape.block.count()));
    if (shape.cooperative && occupancy) {
        const std::uint64_t resident =
            std::uint64_t{occupancy->blocksPerSm} * static_cast<std::uint64_t>(chip.device.smCount);
        if (shape.grid.count() > resident)
            return refuse(cudaErrorCooperativeLaunchTooLarge,
                          fmt::format("{} blocks of a cooperative launch, where {} fit on {} at once",
                                      shape.grid.count(), resident, chip.device.name));
    }
    return std::nullopt;
}

} // namespace dormer::emulator::runtime
