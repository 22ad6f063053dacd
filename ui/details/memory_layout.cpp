// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/memory_layout.h"

#include <algorithm>
#include <cmath>

namespace dormer::ui::details {
namespace {

using verdict::MemoryDiagram;
using verdict::MemoryFlow;
using enum verdict::MemoryStation;

constexpr double kGap = 8;         ///< between boxes beside each other
constexpr double kCellWidth = 104; ///< the least that an arrow and its text need
constexpr double kThickest = 16, kThinnest = 1.5;

bool between(const verdict::MemoryFlow& flow, verdict::MemoryStation a, verdict::MemoryStation b) {
    return (flow.from == a && flow.to == b) || (flow.from == b && flow.to == a);
}

/// Lays out one diagram; keeps what has been placed.
class Layouter {
public:
    Layouter(const verdict::MemoryDiagram& diagram, double width, double line)
        : m_diagram(diagram), m_width(width), m_line(line), m_cellHeight(2 * line + 8) {}

    MemoryLayout lay() {
        const auto shared = indices(Sm, Shared), toL1 = indices(Sm, L1), past = indices(Sm, L2);
        const double columns = 1.0 + (shared.empty() ? 0 : 1) + (past.empty() ? 0 : 1);
        const double column = (m_width - kGap * (columns - 1)) / columns;
        double y = place(Sm, {0, 0, m_width, box(false)});
        const double top = y;
        double x = 0;
        const double zone = std::max(zoneHeight(shared, column), zoneHeight(toL1, column));
        const bool narrow = columns > 1;
        const double bottom = top + zone + box(narrow);
        if (!shared.empty()) {
            spread(shared, {x, top, column, zone});
            place(Shared, {x, top + zone, column, box(narrow)}, narrow);
            x += column + kGap;
        }
        spread(toL1, {x, top, column, zone});
        place(L1, {x, top + zone, column, box(narrow)}, narrow);
        const double l1Left = x;
        y = bottom;
        const auto l1ToL2 = indices(L1, L2);
        // What L1 and L2 exchange goes under L1; the text needs two columns.
        const double below = past.empty() ? m_width : column + l1Left;
        const double middle = zoneHeight(l1ToL2, below);
        spread(l1ToL2, {0, y, below, middle});
        y += middle;
        if (!past.empty()) spread(past, {l1Left + column + kGap, top, column, y - top});
        y = place(L2, {0, y, m_width, box(false)});
        const auto toDram = indices(L2, Dram);
        const double last = zoneHeight(toDram, m_width);
        spread(toDram, {0, y, m_width, last});
        m_layout.height = place(Dram, {0, y + last, m_width, box(false)});
        return std::move(m_layout);
    }

private:
    [[nodiscard]] double box(bool narrow) const { return narrow ? 3 * m_line + 8 : m_line + 10; }

    [[nodiscard]] std::vector<std::size_t> indices(verdict::MemoryStation a, verdict::MemoryStation b) const {
        std::vector<std::size_t> all, moving;
        for (std::size_t i = 0; i < m_diagram.flows.size(); ++i) {
            if (!between(m_diagram.flows[i], a, b)) continue;
            all.push_back(i);
            if (m_diagram.flows[i].bytes.value_or(1) > 0) moving.push_back(i);
        }
        return moving.empty() ? all : moving;
    }

    double place(verdict::MemoryStation station, pattern::PixelBox box, bool narrow = false) {
        const auto found = std::ranges::find(m_diagram.stations, station, &verdict::StationFacts::station);
        if (found != m_diagram.stations.end())
            m_layout.stations.push_back(
                {static_cast<std::size_t>(found - m_diagram.stations.begin()), box, narrow});
        return box.bottom();
    }

    [[nodiscard]] static std::size_t columnsOf(std::size_t flows, double width) {
        return std::clamp<std::size_t>(static_cast<std::size_t>(width / kCellWidth), 1,
                                       std::max<std::size_t>(1, flows));
    }
    [[nodiscard]] double zoneHeight(const std::vector<std::size_t>& flows, double width) const {
        const std::size_t columns = columnsOf(flows.size(), width);
        const std::size_t rows = std::max<std::size_t>(1, (flows.size() + columns - 1) / columns);
        return static_cast<double>(rows) * m_cellHeight;
    }

    void spread(const std::vector<std::size_t>& flows, pattern::PixelBox zone) {
        if (flows.empty()) return;
        const std::size_t columns = columnsOf(flows.size(), zone.width);
        const std::size_t rows = (flows.size() + columns - 1) / columns;
        const double width = zone.width / static_cast<double>(columns);
        const double height = zone.height / static_cast<double>(rows);
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const verdict::MemoryFlow& flow = m_diagram.flows[flows[i]];
            m_layout.flows.push_back({flows[i],
                                      {zone.x + static_cast<double>(i % columns) * width,
                                       zone.y + static_cast<double>(i / columns) * height, width, height},
                                      flow.to < flow.from});
        }
    }

    const verdict::MemoryDiagram& m_diagram;
    double m_width, m_line, m_cellHeight;
    MemoryLayout m_layout;
};

} // namespace

MemoryLayout memoryLayout(const verdict::MemoryDiagram& diagram, double width, double line) {
    return Layouter(diagram, width, line).lay();
}

ArrowWidth arrowWidth(const verdict::MemoryFlow& flow, double mostBytes) {
    if (!flow.bytes || *flow.bytes <= 0 || mostBytes <= 0) return {};
    ArrowWidth width{std::max(kThinnest, kThickest * *flow.bytes / mostBytes), 0};
    if (flow.ideal && *flow.ideal < *flow.bytes) width.excess = width.all * (1 - *flow.ideal / *flow.bytes);
    return width;
}

} // namespace dormer::ui::details
