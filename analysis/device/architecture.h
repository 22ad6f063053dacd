// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/ceiling.h"

#include <array>
#include <span>

namespace dormer::device {

/// Multiply-adds of dense matrices that the tensor cores of one SM do per clock.
struct TensorRates {
    std::array<double, kTensorFormatCount> perClock; ///< by TensorFormat; sums in FP32, of Int8 in INT32
    double halfSums;                                 ///< factor for FP16 matrices with FP16 sums
    double clock; ///< share of the maximum SM clock at which NVIDIA states the rates
};

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
    TensorRates tensor;
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
    double tensorHz = 0; ///< SM clock for tensor work: below smHz where NVIDIA states its rates at less
    double memoryHz = 0;
    double l2Hz = 0;
    double l2SectorsPerClock = 0; ///< the chip's own peak, from its counters
};

[[nodiscard]] Clocks maximumClocks(const session::Device& device);
/// Memory clock during a launch: the DRAM counter's clock where it can be told to be the driver's memory
/// clock (they differ by a factor on some chips), else the driver's.
[[nodiscard]] double memoryClockDuring(const session::Device& device,
                                       std::optional<double> dramCyclesPerSecond);

/// The ceiling as a bare number, for inner loops; 0 when unknown. Tensor: that of FP16 matrices.
[[nodiscard]] double peakPerSecond(const session::Device& device, const Architecture* architecture,
                                   Resource resource, const Clocks& clocks);
/// FLOP/s (Int8: op/s) of dense matrices of one format; 0 when the tensor cores don't know it.
[[nodiscard]] double tensorPeakPerSecond(const session::Device& device, const Architecture& architecture,
                                         TensorFormat format, const Clocks& clocks);
/// Operations per second no mix of instructions can pass: equals the ceiling except for integers, which two
/// pipes execute.
[[nodiscard]] double upperBoundFactor(const Architecture* architecture, Resource resource);

} // namespace dormer::device
