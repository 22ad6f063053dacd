// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

/// What plots of characters are drawn with.
namespace dormer::report {

/// Filled up with blanks to so many columns.
inline std::string padded(std::string_view text, std::size_t columns, bool right) {
    const std::size_t width = view::displayWidth(text);
    const std::string pad(columns > width ? columns - width : 0, ' ');
    return right ? pad + std::string(text) : std::string(text) + pad;
}

/// Rectangle of characters, the first row on top.
class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows) : m_cells(rows, std::vector<std::string>(columns, " ")) {}

    [[nodiscard]] std::size_t columns() const { return m_cells.front().size(); }
    [[nodiscard]] std::size_t rows() const { return m_cells.size(); }
    [[nodiscard]] std::size_t column(double fraction) const { return place(fraction, columns()); }
    [[nodiscard]] std::size_t row(double fraction) const { return rows() - 1 - place(fraction, rows()); }
    std::string& at(std::size_t column, std::size_t row) { return m_cells[row][column]; }
    [[nodiscard]] std::string line(std::size_t row) const {
        std::string text;
        for (const std::string& cell : m_cells[row])
            text += cell;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

private:
    static std::size_t place(double fraction, std::size_t cells) {
        const double at = std::round(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(cells - 1));
        return static_cast<std::size_t>(at);
    }
    std::vector<std::vector<std::string>> m_cells;
};

} // namespace dormer::report
