// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/emulator/counts/counts.h"

#include <string_view>
#include <vector>

/// How long a launch would take on the chip. docs/emulator-time-model.md has the formulas, where each
/// parameter comes from, and the model's error on recorded launches.
namespace dormer::emulator::timing {

/// What of a launch is known before it runs.
struct LaunchShape {
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;
};

/// Which part of the chip a resource belongs to. Within a part work overlaps; parts delay each other.
enum class Part { Arithmetic, NearMemory, FarMemory, Latency };

struct ResourceTime {
    std::string_view name; ///< "DRAM"
    Part part;
    double ns; ///< if nothing else took time
};

struct Prediction {
    double durationNs = 0;
    std::string_view limiter;            ///< name of the resource that needs longest
    std::vector<ResourceTime> resources; ///< all that the launch uses
    double smClockHz = 0, l2ClockHz = 0, memoryClockHz = 0;
    std::uint32_t blocksPerSm = 0;   ///< resident at most
    std::uint32_t activeSms = 0;     ///< that get a block
    double waves = 0;                ///< blocks / (SMs * resident blocks)
    double achievedOccupancy = 0;    ///< of the active SMs, 0..1
    double issueSlotUtilization = 0; ///< of the active SMs, 0..1
};

/// `replayed`: what playing a part of the launch with clocks gave; without it, the time inside the SMs is
/// estimated from the counts alone.
[[nodiscard]] Prediction predict(const device::Chip& chip, const LaunchShape& shape,
                                 const counts::LaunchCounts& counts, const counts::Traffic& traffic,
                                 const counts::Replayed& replayed = {});

} // namespace dormer::emulator::timing
