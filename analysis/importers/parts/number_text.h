// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace dormer::importers {

/// How a file writes numbers: "1,234.5", "1.234,5", "1 234,5" or "1'234.5". Which of point and comma is the
/// decimal mark is told by the numbers that can be read in one way only: with both marks, with one of them
/// twice, or with other than three digits behind it.
class NumberFormat {
public:
    /// Looks at one more number of the file. Other text is ignored.
    void learn(std::string_view text);

    /// Its value. Nothing for text that is no finite number, and for one that can be read in two ways in a
    /// file that writes both.
    [[nodiscard]] std::optional<double> parse(std::string_view text) const;

private:
    bool m_point = false; ///< some number has a decimal point
    bool m_comma = false; ///< some number has a decimal comma
};

} // namespace dormer::importers
