// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <QString>

#include <span>
#include <string_view>

namespace dormer::ui::look {

/// What people read of a quantity: a metric of launches, a metric of workloads, or a raw counter.
struct MetricWords {
    QString title; ///< "global load sectors per request"; without the unit
    metrics::Unit unit = metrics::Unit::None;
    QString hint; ///< name and meaning as a tooltip's rich text
};
[[nodiscard]] MetricWords wordsOf(std::string_view metric);

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
