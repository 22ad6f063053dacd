// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/report/data/csv_field.h"
#include "analysis/session/record_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace dormer::report {

std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out.push_back('"');
        out.push_back(c);
    }
    out.push_back('"');
    return out;
}

std::string csvNumber(double value) {
    if (value == std::floor(value) && std::abs(value) < 9007199254740992.0)
        return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

namespace {

/// Visitor that appends the fields of a line; its names alone make the head.
struct LineCells {
    std::string& out;
    bool names;

    void required(const char* name, const auto& value) { put(name, fmt::format("{}", value)); }
    void known(const char* name, const auto& value) {
        put(name, value != 0 ? fmt::format("{}", value) : std::string());
    }
    void field(const char* name, const std::string& value) { put(name, value); }
    void field(const char* name, const session::AsText auto& value) {
        put(name, std::string(toString(value)));
    }
    template <typename T>
    void field(const char* name, const std::optional<T>& value) {
        put(name, value ? fmt::format("{}", *value) : std::string());
    }

private:
    void put(const char* name, const std::string& value) {
        out += "," + (names ? std::string(name) : csvField(value));
    }
};

} // namespace

std::string linesCsvText(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    std::string out = "launch,workload,kernel,origin";
    LineCells head{out, true};
    const session::LineCounts none;
    session::visitFields(head, none);
    out += "\r\n";
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex launch{i};
        const session::Kernel& kernel = session.kernelOf(launch);
        const std::string start =
            fmt::format("{},{},{},{}", i, csvField(session.launch(launch).workload),
                        csvField(kernel.name.empty() ? kernel.mangledName : kernel.name),
                        session::toString(session.originOf(launch)));
        for (const session::LineCounts& line : session.lines(launch)) {
            out += start;
            LineCells cells{out, false};
            session::visitFields(cells, line);
            out += "\r\n";
        }
    }
    return out;
}

std::string csvText(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    // RFC 4180 ends lines with CRLF.
    std::string out = "launch,workload,kernel,origin,metric,value,unit\r\n";
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex launch{i};
        const session::Kernel& kernel = session.kernelOf(launch);
        const std::string head = fmt::format("{},{},{},{}", i, csvField(session.launch(launch).workload),
                                             csvField(kernel.name.empty() ? kernel.mangledName : kernel.name),
                                             session::toString(session.originOf(launch)));
        for (const metrics::Metric& metric : metrics::metricCatalogue())
            if (const auto value = diagnosis.metrics().value(launch, metric))
                fmt::format_to(std::back_inserter(out), "{},{},{},{}\r\n", head, metric.name,
                               csvNumber(*value), metrics::unitSymbol(metric.unit));
    }
    return out;
}

} // namespace dormer::report
