// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/verdict_mark.h"

#include <array>

namespace dormer::view {

const VerdictMark& markOf(verdict::Bound bound) {
    // Okabe and Ito's palette: told apart with every common colour blindness. In the order of Bound.
    static constexpr std::array<VerdictMark, 5> kMarks{{{"unknown", "○", "unknown", "#6b7280"},
                                                        {"memory", "●", "memory", "#0072B2"},
                                                        {"compute", "■", "compute", "#D55E00"},
                                                        {"latency", "▲", "latency", "#8A6FB0"},
                                                        {"balanced", "◆", "balanced", "#009E73"}}};
    return kMarks[static_cast<std::size_t>(bound)];
}

} // namespace dormer::view
