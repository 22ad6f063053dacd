// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <cstddef>

namespace dormer::tests {

/// A session of the built-in suite as an H100 SXM might report it. It is made up, but every counter follows
/// from element counts, access patterns and durations by arithmetic that stands in sample_session.cpp, so
/// that tests can work out right answers by hand. 2^24 elements unless said otherwise:
///
///     roofline/vector_add       68.0 us   201326592 B of DRAM, 2^24 FP32 FLOPs: intensity 1/12
///     roofline/scale            90.0 us   268435456 B of DRAM, 2^24 FP64 FLOPs: intensity 1/16
///     roofline/fma_chain       160.0 us   1056 x 256 threads x 16384 FFMA, next to no DRAM traffic
///     vector_sum/coalesced      68.5 us   4 sectors per request
///     vector_sum/uncoalesced   497.0 us   32 sectors per request
///     transpose/tiled           85.0 us   4096 x 4096 floats, column reads 32-way: 32 wavefronts per request
///     transpose/tiled_padded    47.0 us   1 wavefront per request
///     histogram/shared          19.0 us   2^22 cells into 10 bins, grid 1056
///     device_wide/reduce        25.5 us   CUB's DeviceReduceKernel, then the single-tile kernel:
///                                4.2 us   one block of 256, too small and too short to judge
///
/// The k-th launch of each (k = 0, 1, ...) takes 1 + k/100 times as long; other counters repeat. The last
/// launch, of kernel "fill", has no counters. SM clock during launches 1.755 GHz.
[[nodiscard]] session::Session sampleSession();

/// `launches` launches of the same kernels at varied sizes, the same every time: for tests of scale.
[[nodiscard]] session::Session generatedSession(std::size_t launches);

} // namespace dormer::tests
