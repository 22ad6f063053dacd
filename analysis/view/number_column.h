// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/number_scale.h"
#include "analysis/view/table.h"

namespace dormer::view {

/// A dash, and why there is no number.
[[nodiscard]] Cell missing(std::string why);
/// "−3.85 ms"
[[nodiscard]] std::string savingsText(const NumberScale& scale, double ns);

/// The numbers of one column in one scale.
class NumberColumn {
public:
    /// `values`: one per row, in SI units.
    NumberColumn(metrics::Unit unit, std::vector<std::optional<double>> values);

    [[nodiscard]] const NumberScale& scale() const { return m_scale; }
    [[nodiscard]] Column head(std::string title, std::string tooltip) const;
    /// A dash with the reason where the row has no number. `bar`: with its share of the largest.
    [[nodiscard]] Cell cell(std::size_t row, std::string whyAbsent, bool bar = false) const;

private:
    std::vector<std::optional<double>> m_values;
    NumberScale m_scale;
    double m_most = 0;
};

} // namespace dormer::view
