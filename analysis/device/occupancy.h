// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

namespace dormer::device {

enum class OccupancyLimiter { Warps, Registers, SharedMemory, Blocks, TooLarge };
[[nodiscard]] std::string_view toString(OccupancyLimiter limiter); ///< "block size", "registers", ...

struct Occupancy {
    std::uint32_t blocksPerSm = 0;
    std::uint32_t warpsPerSm = 0;
    double theoretical = 0; ///< 0..1
    OccupancyLimiter limiter = OccupancyLimiter::Warps;
};

/// Resident blocks by NVIDIA's allocation rules (cuda_occupancy.h of CUDA 13.0: registers go by 256 per warp
/// and four sub-partitions, shared memory by 128 bytes, 256 before compute capability 8).
[[nodiscard]] std::optional<Occupancy> theoreticalOccupancy(const session::Device& device,
                                                            const session::Kernel& kernel,
                                                            session::Dim3 block,
                                                            std::uint64_t dynamicSharedBytes);

} // namespace dormer::device
