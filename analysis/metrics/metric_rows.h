// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <algorithm>
#include <span>
#include <vector>

namespace dormer::metrics {

/// Values of all metrics, launch after launch, for writers of whole sessions: computed for many launches at a
/// time. The session must not change meanwhile.
class MetricRows {
public:
    explicit MetricRows(const MetricEvaluator& metrics) : m_metrics(metrics) {}

    /// Of the whole catalogue, in its order; NaN where there is none. Valid until the next call.
    [[nodiscard]] std::span<const double> of(session::LaunchIndex launch) {
        const std::size_t metrics = metricCatalogue().size(), index = session::raw(launch);
        if (index < m_first || index >= m_first + m_values.size() / metrics) {
            m_first = index;
            m_metrics.values(launch, std::min(kRows, m_metrics.session().launches().size() - index),
                             m_values);
        }
        return std::span<const double>(m_values).subspan((index - m_first) * metrics, metrics);
    }

private:
    static constexpr std::size_t kRows = 64;

    const MetricEvaluator& m_metrics;
    std::size_t m_first = 0;
    std::vector<double> m_values;
};

} // namespace dormer::metrics
