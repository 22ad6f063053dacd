// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::device {

/// What a kernel can be bound by.
enum class Resource { Dram, L2, L1, Shared, Fp32, Fp64, Fp16, Tensor, Integer, IssueSlots };
inline constexpr int kResourceCount = 10;
[[nodiscard]] std::string_view toString(Resource resource); ///< "dram", "l2", ..., "issue_slots"
[[nodiscard]] std::string_view title(Resource resource);    ///< "DRAM", "L2", ..., "issue"
[[nodiscard]] bool isMemory(Resource resource);

/// Number formats of the matrices that tensor cores multiply. Each has a rate of its own.
enum class TensorFormat { Fp16, Bf16, Tf32, Fp64, Fp8, Int8 };
inline constexpr int kTensorFormatCount = 6;
[[nodiscard]] std::string_view title(TensorFormat format); ///< "FP16", "BF16", ...

/// An upper bound of a device. Bytes/s, FLOP/s, ops/s or warp instructions/s by its resource.
struct Ceiling {
    Resource resource;
    double perSecond = 0;
    bool measured = false;
    double clockHz = 0; ///< the clock it was computed at; 0 for measured ones
    std::string source; ///< formula with numbers, and where the per-clock figure comes from
    TensorFormat format = TensorFormat::Fp16; ///< of Resource::Tensor: which matrices, always dense ones
};

/// Theoretical ceilings at the device's maximum clocks: units per SM and clock of its architecture (NVIDIA's
/// tables) times SMs times clock; DRAM = 2 x memory clock x bus width / 8. A resource without a published
/// figure is left out. Tensor cores have one for each format they know.
[[nodiscard]] std::vector<Ceiling> theoreticalCeilings(const session::Device& device);
/// Theoretical ones, then measured ones the session knows for this device.
[[nodiscard]] std::vector<Ceiling> ceilings(const session::Session& session, const session::Device& device);
/// Ceiling of one resource as it applied to one launch: compute and caches scaled to the SM clock seen during
/// the launch, memory to the memory clock; L2 from the chip's own peak when it was collected. Absent when
/// unknown. Of the tensor cores it is the one for FP16 matrices.
[[nodiscard]] std::optional<Ceiling> ceilingDuring(const session::Session& session,
                                                   session::LaunchIndex launch, Resource resource);

} // namespace dormer::device
