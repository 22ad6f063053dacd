// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <QString>

#include <span>
#include <string_view>

namespace dormer::ui::look {

/// How the numbers of one column or axis are written: divided by `factor`, all with these decimals.
struct NumberScale {
    double factor = 1;
    QString unit; ///< "\u00b5s", "GB/s", "%", "k"; empty for plain numbers
    int decimals = 0;

    [[nodiscard]] QString text(double value) const;
    /// "duration, \u00b5s"
    [[nodiscard]] QString titled(const QString& title) const;
};
/// One scale for all these numbers, in SI units: the largest has one to three digits before the point, and
/// the smallest keeps two that count, as far as three decimals go.
[[nodiscard]] NumberScale scaleFor(metrics::Unit unit, std::span<const double> values);

} // namespace dormer::ui::look
