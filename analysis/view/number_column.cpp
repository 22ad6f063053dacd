// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/number_column.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view {

Cell missing(std::string why) {
    return {.text = std::string(kDash), .tooltip = std::move(why), .emphasis = Emphasis::Missing};
}

std::string savingsText(const NumberScale& scale, double ns) {
    return fmt::format("−{} {}", scale.text(ns), scale.unit);
}

NumberColumn::NumberColumn(metrics::Unit unit, std::vector<std::optional<double>> values)
    : m_values(std::move(values)) {
    std::vector<double> known;
    for (const auto& value : m_values)
        if (value) known.push_back(*value);
    m_scale = scaleFor(unit, known);
    if (!known.empty()) m_most = std::ranges::max(known);
}

Column NumberColumn::head(std::string title, std::string tooltip) const {
    return {.title = std::move(title), .unit = m_scale.unit, .tooltip = std::move(tooltip), .numeric = true};
}

Cell NumberColumn::cell(std::size_t row, std::string whyAbsent, bool bar) const {
    const auto& value = m_values[row];
    if (!value) return missing(std::move(whyAbsent));
    return {.text = m_scale.text(*value),
            .value = value,
            .bar = bar && m_most > 0 ? std::optional(*value / m_most) : std::nullopt};
}

} // namespace dormer::view
