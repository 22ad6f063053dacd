// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/verdict_mark.h"

namespace dormer::view {

using device::Resource;
using verdict::Bound;

const VerdictMark& markOf(Bound bound) {
    // Okabe and Ito's palette: told apart with every common colour blindness. In the order of Bound.
    static constexpr std::array<VerdictMark, 5> kMarks{
        {{"undetermined", "○", "unknown", "#6B7280", "#9AA1AC"},
         {"memory-bound", "●", "memory", "#0072B2", "#56B4E9"},
         {"compute-bound", "■", "compute", "#D55E00", "#E86A17"},
         {"latency-bound", "▲", "latency", "#8A6FB0", "#B79BE0"},
         {"balanced", "◆", "balanced", "#009E73", "#1FB88B"}}};
    return kMarks[static_cast<std::size_t>(bound)];
}

Bound sideOf(Resource resource) {
    if (resource == Resource::IssueSlots) return Bound::Latency;
    return isMemory(resource) ? Bound::Memory : Bound::Compute;
}

} // namespace dormer::view
