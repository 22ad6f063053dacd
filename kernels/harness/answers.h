// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

/// Known answers that several families give, with their reasons. Pure arithmetic; tested without a GPU.
namespace dormer::kernels {

/// A warp asks for 32 neighbouring 4-byte words: 128 bytes are 4 sectors of 32 bytes.
inline constexpr double kCoalescedSectors = 4;
/// Every lane of a warp falls into a sector of its own.
inline constexpr double kScatteredSectors = 32;

[[nodiscard]] Expectation exactly(std::string metric, double value, std::string why);
[[nodiscard]] Expectation atLeast(std::string metric, double value, std::string why);
/// Within 2 % of `value`, on a GPU only: DRAM traffic includes what the caches held before and hold after.
[[nodiscard]] Expectation measuredNear(std::string metric, double value, std::string why);
/// "memory" or "compute", on a GPU only: it rests on time.
[[nodiscard]] Expectation verdict(std::string bound, std::string why);
/// `metric` is `relation` ("<=", ">=") `factor` times what `reference`, another variant's path, reports; on a
/// GPU only.
[[nodiscard]] Expectation comparedTo(std::string reference, std::string metric, std::string relation,
                                     double factor, std::string why);
/// Holds on a GPU only.
[[nodiscard]] Expectation onGpu(Expectation expectation);
/// The same answer, asked only of the kernels whose name holds `kernel`.
[[nodiscard]] Expectation ofKernel(std::string kernel, Expectation expectation);

/// Sectors per request of 4-byte global loads and stores.
[[nodiscard]] std::vector<Expectation> globalSectors(double load, const std::string& whyLoad, double store,
                                                     const std::string& whyStore);

} // namespace dormer::kernels
