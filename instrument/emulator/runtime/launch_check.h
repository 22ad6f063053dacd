// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/engine/engine.h"
#include "instrument/emulator/runtime/failure.h"

#include <optional>

namespace dormer::emulator::runtime {

struct LaunchShape {
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    bool cooperative = false;
    session::Dim3 cluster = {};       ///< in blocks
    bool explicitCluster = false;     ///< launch or kernel name it
    bool nonPortableClusters = false; ///< cudaFuncAttributeNonPortableClusterSizeAllowed
};

/// The kernel as the occupancy calculator wants it.
[[nodiscard]] session::Kernel describeKernel(const program::KernelFacts& facts);

/// Shared memory a block gets without opting in, on every chip: 48 KiB.
inline constexpr std::uint64_t kDefaultSharedBytes = 48 << 10;

/// Dynamic shared memory a launch may ask for, after cudaFuncSetAttribute or without it.
[[nodiscard]] std::uint64_t dynamicSharedLimit(const program::KernelFacts& facts,
                                               std::optional<int> attribute);

/// What CUDA has against so much dynamic shared memory for a kernel, when cudaFuncSetAttribute asks for it.
[[nodiscard]] std::optional<Failure> checkDynamicShared(const device::Chip& chip,
                                                        const program::KernelFacts& facts, int bytes);

/// What CUDA has against a launch; nothing when it may run. `maxDynamicShared`: as set by
/// cudaFuncSetAttribute.
[[nodiscard]] std::optional<Failure> checkLaunch(const device::Chip& chip, const program::KernelFacts& facts,
                                                 std::optional<int> maxDynamicShared,
                                                 const LaunchShape& shape);

} // namespace dormer::emulator::runtime
