// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_class.h"
#include "analysis/access/excess.h"
#include "analysis/session/model.h"

#include <string>

namespace dormer::lines {

/// A shifted start costs one sector per request, seldom a little more where warps straddle rows; what
/// exceeds the ideal by more is scattered.
inline constexpr double kMisalignedSectors = 1.05;

/// How one instruction's accesses lie: what all its warps did together.
struct LineClass {
    /// Global and local memory. From the lanes of the warp that was sampled, where the average request takes
    /// as many sectors as it did; else from the counts. Strided is then one that takes as many sectors, and
    /// as many 128-byte lines where those were counted, as a stride of `stride` elements does. None: not told
    /// (no counts, or another space).
    access::AccessClass access;
    double ways = 0; ///< shared memory: wavefronts / ideal; 0 = not told
    [[nodiscard]] bool conflictFree() const { return ways > 0 && !access::isExcess(ways, 1); }
};

/// True for loads and stores of matrix fragments (wmma, also as the code that load_matrix_sync() and
/// store_matrix_sync() of mma.h become): which lane accesses what is the tensor cores' layout, not the
/// program's, so no index can be changed for the better.
[[nodiscard]] bool isMatrixFragment(const session::LineCounts& counts);

[[nodiscard]] LineClass classOf(const session::LineCounts& counts);

/// "stride of 2 elements", "fully scattered (1 sector per lane)", "32-way bank conflict", "conflict-free";
/// empty when unknown.
[[nodiscard]] std::string classText(const session::LineCounts& counts);

} // namespace dormer::lines
