// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// Seven launches recorded by Nsight Compute on an H200, with its clocks unlocked: real numbers to hold the
/// analysis against. 2^24-element vector add, the same with neighbouring threads 65536 elements apart, a
/// chain of FMAs, a 4096 x 4096 transpose through float[32][32] and float[32][33] tiles, CUB's two reduce
/// kernels.
namespace recorded {
enum : std::uint32_t {
    VectorAdd,
    VectorAddStrided,
    FmaLoop,
    TransposeTiled,
    TransposePadded,
    Reduce,
    ReduceLast
};
}

[[nodiscard]] session::Device h200();
/// An H100 SXM by its published attributes.
[[nodiscard]] session::Device h100Sxm();
[[nodiscard]] session::Session recordedSession();

/// A session of one launch, for tests that need just a few counters.
[[nodiscard]] session::Session oneLaunch(const session::Device& device, const session::Launch& launch,
                                         const std::map<std::string, double>& counters,
                                         const session::Kernel& kernel = {});

/// All counters that a verdict needs, of a launch that does next to nothing.
[[nodiscard]] std::map<std::string, double> idleCounters();

/// Those of a kernel whose matrix instructions the counters don't know.
[[nodiscard]] std::map<std::string, double> unknownTensorCounters();

} // namespace dormer::tests
