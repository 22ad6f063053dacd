// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

/// Where the parts of a picture of lanes go. Plain C++, in pixels, y down.
namespace dormer::view::plot {

struct PixelBox {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] bool holds(double atX, double atY) const {
        return atX >= x && atX < x + width && atY >= y && atY < y + height;
    }
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] double middleX() const { return x + width / 2; }
    [[nodiscard]] double middleY() const { return y + height / 2; }
};

/// 32 lanes in a line, and below them rows of 32 words; both in groups of eight, which is a sector.
struct LaneLayout {
    double left = 0;       ///< of lane 0; before it stand names
    double cell = 0;       ///< from one lane to the next
    double groupGap = 0;   ///< more after each eighth
    double laneHeight = 0; ///< boxes of the lanes, which begin at y = 0
    double rowsTop = 0;
    double rowStep = 0;   ///< from one row to the next
    double rowHeight = 0; ///< box of a word
    std::size_t rows = 0;

    [[nodiscard]] PixelBox lane(unsigned lane) const;
    [[nodiscard]] PixelBox word(std::size_t row, unsigned word) const;
    [[nodiscard]] double width() const;
    [[nodiscard]] double height() const;

    struct Hit {
        std::optional<std::size_t> row; ///< absent: a lane
        unsigned column = 0;            ///< lane or word
    };
    [[nodiscard]] std::optional<Hit> at(double x, double y) const;
};

/// Fills `width` with names of `nameWidth` and lanes, as far as cells of 6 to 30 pixels do. Boxes hold a line
/// of text of `textHeight` where they can; where `compact`, many rows are flat and hold none.
[[nodiscard]] LaneLayout laneLayout(double width, double nameWidth, double textHeight, std::size_t rows,
                                    bool compact);

} // namespace dormer::view::plot
