// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/memory_diagram.h"
#include "ui/pattern/lane_layout.h"

/// Where stations and flows of a memory diagram go: from the SM down to DRAM. Plain C++, in pixels.
namespace dormer::ui::details {

struct MemoryLayout {
    struct Station {
        std::size_t index = 0; ///< into MemoryDiagram::stations
        pattern::PixelBox box;
        bool narrow = false; ///< name and facts in lines of their own
    };
    struct Flow {
        std::size_t index = 0;  ///< into MemoryDiagram::flows
        pattern::PixelBox cell; ///< of arrow and text; reaches from station to station where it stands alone
        bool up = false;        ///< towards the SM
    };
    std::vector<Station> stations;
    std::vector<Flow> flows;
    double height = 0;
};

/// Shared memory stands beside L1 where anything goes there, and is left out else; what passes L1 by goes
/// beside it. `line` is the height of a line of text. Flows of no bytes are left out where others go the
/// same way.
[[nodiscard]] MemoryLayout memoryLayout(const verdict::MemoryDiagram& diagram, double width, double line);

/// Pixels an arrow is thick, and how many of them stand for bytes beyond the ideal.
struct ArrowWidth {
    double all = 0, excess = 0;
};
[[nodiscard]] ArrowWidth arrowWidth(const verdict::MemoryFlow& flow, double mostBytes);

} // namespace dormer::ui::details
