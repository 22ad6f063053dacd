// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/memory_layout.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {
namespace {

using verdict::MemoryDiagram;
using verdict::MemoryFlow;
using verdict::MemoryStation;
using verdict::StationFacts;
using enum verdict::MemoryStation;

constexpr double kGap = 8;        ///< between boxes beside each other
constexpr double kInset = 8;      ///< of text in a station, on either side
constexpr double kCellInset = 4;  ///< left of a cell's arrow
constexpr double kArrowRoom = 28; ///< that an arrow and its head take
constexpr double kThickest = 16, kThinnest = 1.5;
constexpr double kHead = 7, kWiderHead = 4; ///< height of an arrow's head, and how far it reaches over

/// Text that stays in one piece, one group after the other on lines of their own.
using Pieces = std::vector<std::vector<std::string>>;

std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : pieces)
        text += (text.empty() ? "" : " ") + piece;
    return text;
}

double widthOf(const Pieces& groups, const Measure& measure) {
    double width = 0;
    for (const auto& group : groups)
        width = std::max(width, measure(joined(group)).width);
    return width;
}

/// Each group on as few lines as fit the width.
std::vector<std::string> lines(const Pieces& groups, double width, const Measure& measure) {
    std::vector<std::string> result;
    for (const auto& group : groups) {
        std::string line;
        for (const std::string& piece : group) {
            const std::string longer = line.empty() ? piece : line + " " + piece;
            if (!line.empty() && measure(longer).width > width) {
                result.push_back(line);
                line = piece;
            } else {
                line = longer;
            }
        }
        if (!line.empty()) result.push_back(line);
    }
    return result;
}

/// "1.05 M": an amount, its noun being told beside it.
std::string amount(double value) {
    return metrics::forPeople(value, metrics::Unit::Count);
}

Pieces piecesOf(const MemoryFlow& flow) {
    Pieces groups{{flow.what, metrics::forPeople(flow.bytes, metrics::Unit::Bytes)}};
    if (flow.bytes && flow.requests && !flow.noun.empty())
        groups.push_back({amount(*flow.requests), std::string(flow.noun)});
    return groups;
}

Pieces piecesOf(const StationFacts& facts) {
    /// Less of a peak is nothing to anyone, and long to write.
    constexpr double kLeastUse = 0.001;
    Pieces groups;
    if (facts.hitRate) groups.push_back({metrics::forPeople(*facts.hitRate, metrics::Unit::Ratio), "hit"});
    if (const auto& use = facts.utilization)
        groups.push_back(
            {*use > 0 && *use < kLeastUse ? "< 0.1 %" : metrics::forPeople(*use, metrics::Unit::Ratio),
             facts.station == Sm ? "of issue slots" : "of peak"});
    return groups;
}

/// Part of a polygon right of a vertical line (Sutherland and Hodgman).
std::vector<Spot> rightOf(const std::vector<Spot>& polygon, double x) {
    std::vector<Spot> part;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Spot a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        if (a.x >= x) part.push_back(a);
        if ((a.x >= x) != (b.x >= x)) part.push_back({x, a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y)});
    }
    return part;
}

std::vector<Spot> arrowOf(double thick, double x, double tail, double tip) {
    const double half = thick / 2, wide = half + kWiderHead;
    const double neck = tip < tail ? tip + kHead : tip - kHead;
    return {{x, tip},         {x + wide, neck}, {x + half, neck}, {x + half, tail},
            {x - half, tail}, {x - half, neck}, {x - wide, neck}};
}

/// Lays out one diagram; keeps what has been placed.
class Layouter {
public:
    Layouter(const MemoryDiagram& diagram, double width, double line, const Measure& measure)
        : m_diagram(diagram), m_measure(measure), m_width(width), m_line(line) {}

    MemoryLayout lay() {
        const auto shared = indices(Sm, Shared), toL1 = indices(Sm, L1), past = indices(Sm, L2);
        const double columns = 1.0 + (shared.empty() ? 0 : 1) + (past.empty() ? 0 : 1);
        const double column = (m_width - kGap * (columns - 1)) / columns;
        const bool narrow = columns > 1;
        const double top = place(Sm, {0, 0, m_width, boxHeight(Sm, m_width, false)}, false);
        const double zone = std::max(zoneHeight(shared, column), zoneHeight(toL1, column));
        double box = boxHeight(L1, column, narrow);
        double x = 0;
        if (!shared.empty()) {
            box = std::max(box, boxHeight(Shared, column, narrow));
            spread(shared, {x, top, column, zone});
            place(Shared, {x, top + zone, column, box}, narrow);
            x += column + kGap;
        }
        spread(toL1, {x, top, column, zone});
        double y = place(L1, {x, top + zone, column, box}, narrow);
        const double l1Right = x + column;
        const auto l1ToL2 = indices(L1, L2);
        // What L1 and L2 exchange goes under shared memory and L1; the text needs two columns.
        const double below = past.empty() ? m_width : l1Right;
        const double middle = zoneHeight(l1ToL2, below);
        spread(l1ToL2, {0, y, below, middle});
        y += middle;
        if (!past.empty()) spread(past, {l1Right + kGap, top, column, y - top});
        y = place(L2, {0, y, m_width, boxHeight(L2, m_width, false)}, false);
        const auto toDram = indices(L2, Dram);
        const double last = zoneHeight(toDram, m_width);
        spread(toDram, {0, y, m_width, last});
        m_layout.height = place(Dram, {0, y + last, m_width, boxHeight(Dram, m_width, false)}, false);
        return std::move(m_layout);
    }

private:
    /// Flows between two stations, in either direction.
    [[nodiscard]] std::vector<std::size_t> indices(MemoryStation a, MemoryStation b) const {
        std::vector<std::size_t> all, moving;
        for (std::size_t i = 0; i < m_diagram.flows.size(); ++i) {
            const MemoryFlow& flow = m_diagram.flows[i];
            if (!(flow.from == a && flow.to == b) && !(flow.from == b && flow.to == a)) continue;
            all.push_back(i);
            if (flow.bytes.value_or(1) > 0) moving.push_back(i);
        }
        return moving.empty() ? all : moving;
    }

    [[nodiscard]] const StationFacts& factsOf(MemoryStation station) const {
        return *std::ranges::find(m_diagram.stations, station, &StationFacts::station);
    }
    [[nodiscard]] std::vector<std::string> detailsOf(MemoryStation station, double width) const {
        return lines(piecesOf(factsOf(station)), width - 2 * kInset, m_measure);
    }
    [[nodiscard]] double boxHeight(MemoryStation station, double width, bool narrow) const {
        if (!narrow) return m_line + 10;
        return static_cast<double>(1 + detailsOf(station, width).size()) * m_line + 8;
    }

    double place(MemoryStation station, const PixelBox& box, bool narrow) {
        const StationFacts& facts = factsOf(station);
        std::vector<std::string> details;
        std::string hint = facts.hint;
        for (const auto& group : piecesOf(facts))
            details.push_back(joined(group));
        if (!details.empty()) {
            std::string known;
            for (const std::string& detail : details)
                known += (known.empty() ? "" : " · ") + detail;
            hint = fmt::format("{}: {}. {}", facts.name, known, facts.hint);
            if (!narrow) details = {known};
        }
        if (narrow) details = detailsOf(station, box.width);
        m_layout.stations.push_back({box, facts.name, std::move(details), narrow, std::move(hint)});
        return box.bottom();
    }

    /// How the flows of a zone are arranged.
    struct Grid {
        std::size_t columns = 1, rows = 1;
        std::size_t lines = 1; ///< of text in a cell, at most
    };
    [[nodiscard]] double textRoom(double zone, std::size_t columns) const {
        return zone / static_cast<double>(columns) - kCellInset - kArrowRoom - 2;
    }
    [[nodiscard]] Grid gridOf(const std::vector<std::size_t>& flows, double width) const {
        Grid grid;
        double widest = 0;
        for (const std::size_t index : flows)
            widest = std::max(widest, widthOf(piecesOf(m_diagram.flows[index]), m_measure));
        while (grid.columns < flows.size() && textRoom(width, grid.columns + 1) >= widest)
            ++grid.columns;
        grid.rows = std::max<std::size_t>(1, (flows.size() + grid.columns - 1) / grid.columns);
        for (const std::size_t index : flows)
            grid.lines = std::max(
                grid.lines,
                lines(piecesOf(m_diagram.flows[index]), textRoom(width, grid.columns), m_measure).size());
        return grid;
    }
    [[nodiscard]] double zoneHeight(const std::vector<std::size_t>& flows, double width) const {
        const Grid grid = gridOf(flows, width);
        const auto rows = static_cast<double>(grid.rows);
        return rows * (static_cast<double>(std::max<std::size_t>(grid.lines, 2)) * m_line + 8);
    }

    void spread(const std::vector<std::size_t>& flows, const PixelBox& zone) {
        const Grid grid = gridOf(flows, zone.width);
        const double width = zone.width / static_cast<double>(grid.columns);
        const double height = zone.height / static_cast<double>(grid.rows);
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const MemoryFlow& flow = m_diagram.flows[flows[i]];
            MemoryLayout::Flow placed;
            placed.cell = {zone.x + static_cast<double>(i % grid.columns) * width,
                           zone.y + static_cast<double>(i / grid.columns) * height, width, height};
            const Pieces pieces = piecesOf(flow);
            const double room = textRoom(zone.width, grid.columns);
            placed.lines = lines(pieces, room, m_measure);
            placed.strong = lines({pieces.front()}, room, m_measure).size();
            placed.hint = flowText(flow) + ". " + flow.hint;
            const ArrowWidth thick = arrowWidth(flow, m_diagram.mostBytes);
            if (thick.all > 0) {
                const double upper = placed.cell.y + 2, lower = placed.cell.bottom() - 2;
                const bool up = flow.to < flow.from; // stations are in their order downwards
                placed.arrow = arrowOf(thick.all, placed.arrowX(), up ? lower : upper, up ? upper : lower);
                if (thick.excess > 0)
                    placed.excess = rightOf(placed.arrow, placed.arrowX() + thick.all / 2 - thick.excess);
            }
            m_layout.flows.push_back(std::move(placed));
        }
    }

    const MemoryDiagram& m_diagram;
    const Measure& m_measure;
    double m_width, m_line;
    MemoryLayout m_layout;
};

} // namespace

double MemoryLayout::Flow::arrowX() const {
    return cell.x + kCellInset + kArrowRoom / 2;
}

double MemoryLayout::Flow::textX() const {
    return cell.x + kCellInset + kArrowRoom + 2;
}

double MemoryLayout::Flow::textTop(double line) const {
    return cell.middleY() - line * static_cast<double>(lines.size()) / 2;
}

MemoryLayout memoryLayout(const MemoryDiagram& diagram, double width, double line, const Measure& measure) {
    return Layouter(diagram, width, line, measure).lay();
}

ArrowWidth arrowWidth(const MemoryFlow& flow, double mostBytes) {
    if (!flow.bytes || *flow.bytes <= 0 || mostBytes <= 0) return {};
    ArrowWidth width{std::max(kThinnest, kThickest * *flow.bytes / mostBytes), 0};
    if (flow.ideal && *flow.ideal < *flow.bytes) width.excess = width.all * (1 - *flow.ideal / *flow.bytes);
    return width;
}

std::string flowText(const MemoryFlow& flow) {
    std::string text;
    for (const auto& group : piecesOf(flow))
        text += (text.empty() ? "" : ", ") + joined(group);
    return text;
}

} // namespace dormer::view::plot
