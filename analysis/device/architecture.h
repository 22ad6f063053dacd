// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/ceiling.h"

namespace dormer::device {

/// What one SM of an architecture does per clock. 0 = no published figure.
struct Architecture {
    std::int32_t computeCapabilityMajor;
    std::int32_t computeCapabilityMinor;
    double fp32; ///< results per clock; an FMA is one result and two operations
    double fp64;
    double fp16;       ///< results; both halves of a half2 count
    double int32Add;   ///< additions, logic
    double int32Mad;   ///< multiply-adds: another pipe, which takes additions too
    double warpIssues; ///< warp instructions
    double l1Bytes;
    double sharedBytes;
    double l2BytesPerSlice; ///< per L2 clock
    double l2SliceBytes;    ///< size of a slice: the driver tells the whole L2
    std::string_view arithmeticSource;
    std::string_view cacheSource;
    std::string_view l2Source;
};

/// Null for an architecture whose figures are not in the table.
[[nodiscard]] const Architecture* architectureOf(const session::Device& device);
[[nodiscard]] std::span<const Architecture> architectures();

/// What ceilings are computed at. 0 = not known.
struct Clocks {
    double smHz = 0;
    double memoryHz = 0;
    double l2Hz = 0;
    double l2SectorsPerClock = 0; ///< the chip's own peak, from its counters
};

[[nodiscard]] Clocks maximumClocks(const session::Device& device);
/// Memory clock during a launch: the DRAM counter's clock where it can be told to be the driver's memory
/// clock (they differ by a factor on some chips), else the driver's.
[[nodiscard]] double memoryClockDuring(const session::Device& device,
                                       std::optional<double> dramCyclesPerSecond);

/// The ceiling as a bare number, for inner loops; 0 when unknown.
[[nodiscard]] double peakPerSecond(const session::Device& device, const Architecture* architecture,
                                   Resource resource, const Clocks& clocks);
/// Operations per second no mix of instructions can pass: equals the ceiling except for integers, which two
/// pipes execute.
[[nodiscard]] double upperBoundFactor(const Architecture* architecture, Resource resource);

} // namespace dormer::device
