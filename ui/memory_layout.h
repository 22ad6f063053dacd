// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/memory_diagram.h"
#include "ui/lane_layout.h"

/// Where stations and flows of a memory diagram go: from the SM down to DRAM. Plain C++, in pixels.
namespace dormer::ui {

struct MemoryLayout {
    struct Station {
        std::size_t index = 0; ///< into MemoryDiagram::stations
        PixelBox box;
        bool narrow = false; ///< name and facts in lines of their own
    };
    struct Flow {
        std::size_t index = 0; ///< into MemoryDiagram::flows
        PixelBox cell;         ///< of arrow and text; reaches from station to station where it stands alone
        bool up = false;       ///< towards the SM
    };
    std::vector<Station> stations;
    std::vector<Flow> flows;
    double height = 0;
};

/// Shared memory stands beside L1 where anything goes there, and is left out else; what passes L1 by goes
/// beside it. `line` is the height of a line of text. Flows of no bytes are left out where others go the
/// same way.
[[nodiscard]] MemoryLayout memoryLayout(const analysis::MemoryDiagram& diagram, double width, double line);

/// Pixels an arrow is thick, and how many of them stand for bytes beyond the ideal.
struct ArrowWidth {
    double all = 0, excess = 0;
};
[[nodiscard]] ArrowWidth arrowWidth(const analysis::MemoryFlow& flow, double mostBytes);

} // namespace dormer::ui
