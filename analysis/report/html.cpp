// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/report/text.h"

#include <fmt/format.h>

namespace dormer::analysis {

std::string htmlReport(const MetricEvaluator& metrics, std::string_view title) {
    return fmt::format("<!doctype html><meta charset=\"utf-8\"><title>{}</title><pre>{}</pre>{}",
                       escapeMarkup(title), escapeMarkup(tableText(metrics)),
                       rooflineSvg(metrics, prevailingWork(metrics), MemoryLevel::Dram));
}

} // namespace dormer::analysis
