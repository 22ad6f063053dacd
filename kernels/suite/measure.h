// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

#include <functional>
#include <span>

namespace dormer::kernels {

/// A variant that is ready to be launched.
struct Body {
    std::string path; ///< "vector_sum/coalesced": the name of its range
    Instance* instance = nullptr;
    std::size_t variant = 0;
    std::int64_t repeat = 1; ///< launches in a pass
};

/// What the caller does around launches; on a GPU: looks for errors and waits.
struct Hooks {
    std::function<void(const Body&)> launched;
    std::function<void()> passEnded;
};

/// Launches every body as often as it wants, in an instrument::Session of its own: once outside Dormer,
/// inside as often as the collector asks.
///
/// The bodies take turns (a b c a b c, not a a b b c c): a launch then never follows itself, so it doesn't
/// find in the L2 cache the very data it left there, and slow drifts of the clocks fall on all variants
/// alike. Neighbours share inputs, which is why the default sizes are larger than the L2 caches of today.
void measure(std::span<const Body> bodies, const Hooks& hooks);

} // namespace dormer::kernels
