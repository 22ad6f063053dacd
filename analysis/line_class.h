// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model.h"
#include "analysis/pattern/access_class.h"

#include <string>

namespace dormer::analysis {

/// How one instruction's accesses lie, told from its counts alone: what all its warps did together.
struct LineClass {
    /// Global and local memory. Strided: as many sectors as a stride of `stride` elements takes; scattered
    /// ones that happen to take as many look the same. None: not told (no counts, or another space).
    AccessClass access;
    double ways = 0; ///< shared memory: wavefronts / ideal; 0 = not told
    [[nodiscard]] bool conflictFree() const { return ways > 0 && ways <= 1 + kTolerance; }

    /// Sectors or wavefronts up to this share beyond the ideal are no fault: a last warp that is part full, a
    /// row that straddles.
    static constexpr double kTolerance = 0.1;
};

[[nodiscard]] LineClass classOf(const LineCounts& counts);

/// "strided by 2", "each lane in a sector of its own", "32-way bank conflict", "conflict-free"; empty when it
/// is not told.
[[nodiscard]] std::string classText(const LineCounts& counts);

} // namespace dormer::analysis
