// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/memory_diagram.h"
#include "analysis/view/plot/label_layout.h"
#include "analysis/view/plot/lane_layout.h"

#include <string>

/// The memory chart of a launch: where stations, flows and their words go, from the SM down to DRAM, in
/// pixels.
namespace dormer::view::plot {

struct MemoryLayout {
    struct Station {
        PixelBox box;
        std::string name;
        /// Stands right of the name where the box is as wide as the chart, else in lines below it.
        std::vector<std::string> details;
        bool narrow = false;
        std::string hint;
    };
    struct Flow {
        PixelBox cell;                  ///< of arrow and text; reaches from station to station
        std::vector<std::string> lines; ///< the first `strong` of them say the bytes
        std::size_t strong = 1;
        std::vector<Spot> arrow;  ///< outline, as thick as the bytes; empty: a dotted line in its place
        std::vector<Spot> excess; ///< the part of it that stands for bytes beyond the ideal
        std::string hint;

        /// Where the arrow's axis stands, and the text beside it begins.
        [[nodiscard]] double arrowX() const;
        [[nodiscard]] double textX() const;
        /// Top of the first line of text, so that all are centred.
        [[nodiscard]] double textTop(double line) const;
    };
    std::vector<Station> stations;
    std::vector<Flow> flows;
    double height = 0;
};

/// Shared memory stands beside L1 where anything goes there, and is left out else; what passes L1 by goes
/// beside it. `line` is the height of a line of text. Flows of no bytes are left out where others go the
/// same way. No text is wider than its place as long as its longest word is not.
[[nodiscard]] MemoryLayout memoryLayout(const verdict::MemoryDiagram& diagram, double width, double line,
                                        const Measure& measure);

/// Pixels an arrow is thick, and how many of them stand for bytes beyond the ideal.
struct ArrowWidth {
    double all = 0, excess = 0;
};
[[nodiscard]] ArrowWidth arrowWidth(const verdict::MemoryFlow& flow, double mostBytes);

/// "loads 1.07 GB, 1.05 M requests", for those who can't see the chart.
[[nodiscard]] std::string flowText(const verdict::MemoryFlow& flow);

} // namespace dormer::view::plot
