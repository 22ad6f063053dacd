// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// sampleSession() and what a whole suite adds to it. All of it is made up, by simple rules:
///
///     access/offset/K     K = 0 .. 32 floats off: 4 sectors per request where K is a multiple of 8, else 5;
///     each
///                         launched once, 5 us a sector
///     tile_scan/TxIxL     72 points of threads (64, 128, 256), items (1, 2, ... 32) and load (direct,
///     transpose,
///                         vectorize, warp): 10 us * (256 / threads + |log2(items / 8)| + index of load);
///                         fastest: 256 threads, 8 items, direct
///     zero_copy/A/N       N = 1024, 8192, ... 2^25 elements, A "device" or "mapped": a line each, 1 us and
///                         0.001 or 0.02 ns per element
///     transfer/...        pageable 8 GB/s and pinned 24 GB/s to the device, 64 MB each; 1000 pieces of
///                         64 kB; 3 calls for memory; managed/on_demand migrates 16 MB and faults 300 times
///     histogram/racy      wrong by design; vector_sum/uncoalesced names vector_sum/coalesced as the better
///     one;
///                         graphs/replayed is launched by node 2 of a graph
[[nodiscard]] session::Session suiteSession();

/// 2 families of copies and no kernel: transfers of suiteSession() alone, with the emulator as origin, so
/// without durations.
[[nodiscard]] session::Session emulatedTransfers();

} // namespace dormer::tests
