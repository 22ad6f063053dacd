// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "kernels/suite/options.h"
#include "kernels/suite/registry.h"

namespace dormer::kernels {

/// Runs the selected variants family by family on `options.device` and reports every functional check.
/// True when all passed. ErrorKind::Device when there is no usable device, ErrorKind::Usage when --size
/// doesn't fit into its memory. Throws CudaError when CUDA fails on the way.
[[nodiscard]] Result<bool> runSuite(const Options& options, const std::vector<Selected>& selected);

} // namespace dormer::kernels
