// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace dormer::analysis {

namespace {

/// RFC 4180: a field with a comma, a quote or a line break stands in quotes, quotes in it are doubled.
std::string field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out.push_back('"');
        out.push_back(c);
    }
    out.push_back('"');
    return out;
}

/// Shortest digits that read back as the same number; whole numbers without an exponent.
std::string number(double value) {
    if (value == std::floor(value) && std::abs(value) < 9007199254740992.0)
        return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

} // namespace

std::string csvText(const MetricEvaluator& metrics) {
    const Session& session = metrics.session();
    // RFC 4180 ends lines with CRLF.
    std::string out = "launch,workload,kernel,origin,metric,value,unit\r\n";
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex launch{i};
        const Kernel& kernel = session.kernelOf(launch);
        const std::string head = fmt::format("{},{},{},{}", i, field(session.launch(launch).workload),
                                             field(kernel.name.empty() ? kernel.mangledName : kernel.name),
                                             toString(session.originOf(launch)));
        for (const Metric& metric : metricCatalogue())
            if (const auto value = metrics.value(launch, metric))
                fmt::format_to(std::back_inserter(out), "{},{},{},{}\r\n", head, metric.name, number(*value),
                               unitSymbol(metric.unit));
    }
    return out;
}

} // namespace dormer::analysis
