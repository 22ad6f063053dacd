// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/base/utf8.h"
#include "analysis/report/data/csv_field.h"
#include "analysis/session/record_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace dormer::report {

std::string csvField(std::string_view text) {
    // Names in a session are untrusted bytes.
    std::string valid = base::withValidUtf8(text);
    if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
    std::string out = "\"";
    for (const char c : valid) {
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

namespace {

/// "launch,workload,kernel,origin": names as tables have them, since they repeat in every row.
std::string rowStart(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) {
    const session::Session& session = diagnosis.session();
    return fmt::format("{},{},{},{}", session::raw(launch), csvField(session.launch(launch).workload),
                       csvField(diagnosis.groups()[diagnosis.groupOf(launch)].kernel),
                       session::toString(session.originOf(launch)));
}

void appendLong(std::string& out, const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) {
    const std::string start = rowStart(diagnosis, launch);
    const std::string nvtx = csvField(diagnosis.session().launch(launch).nvtx);
    for (const metrics::Metric& metric : metrics::metricCatalogue())
        if (const auto value = diagnosis.metrics().value(launch, metric))
            fmt::format_to(std::back_inserter(out), "{},{},{},{},{}\r\n", start, metric.name,
                           csvNumber(*value), metrics::unitSymbol(metric.unit), nvtx);
}

void appendWide(std::string& out, const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch) {
    const session::Session& session = diagnosis.session();
    const session::Launch& of = session.launch(launch);
    const session::Kernel& kernel = session.kernelOf(launch);
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}x{}x{},{}x{}x{}", session::raw(launch),
                   csvField(of.workload), csvField(kernel.name.empty() ? kernel.mangledName : kernel.name),
                   session::toString(session.originOf(launch)), csvField(of.nvtx), of.grid.x, of.grid.y,
                   of.grid.z, of.block.x, of.block.y, of.block.z);
    for (const metrics::Metric& metric : metrics::metricCatalogue()) {
        out += ',';
        if (const auto value = diagnosis.metrics().value(launch, metric)) out += csvNumber(*value);
    }
    out += "\r\n";
}

std::string wideHead() {
    std::string head = "launch,workload,kernel,origin,nvtx,grid,block";
    for (const metrics::Metric& metric : metrics::metricCatalogue()) {
        const std::string_view unit = metrics::unitSymbol(metric.unit);
        head += ',';
        head += unit.empty() ? std::string(metric.name) : fmt::format("{} [{}]", metric.name, unit);
    }
    return head + "\r\n";
}

} // namespace

void writeLinesCsv(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    const session::Session& session = diagnosis.session();
    std::string out = "launch,workload,kernel,origin";
    LineCells head{out, true};
    const session::LineCounts none;
    session::visitFields(head, none);
    out += "\r\n";
    if (!sink(out)) return;
    for (const session::LaunchIndex launch : session.launchesWithLines()) {
        const std::string start = rowStart(diagnosis, launch);
        out.clear();
        for (const session::LineCounts& line : session.lines(launch)) {
            out += start;
            LineCells cells{out, false};
            session::visitFields(cells, line);
            out += "\r\n";
        }
        if (!sink(out)) return;
    }
}

void writeCsv(const diagnosis::Diagnosis& diagnosis, CsvForm form, const base::TextSink& sink) {
    // RFC 4180 ends lines with CRLF.
    std::string out =
        form == CsvForm::Wide ? wideHead() : "launch,workload,kernel,origin,metric,value,unit,nvtx\r\n";
    if (!sink(out)) return;
    for (std::uint32_t i = 0; i < diagnosis.session().launches().size(); ++i) {
        out.clear();
        (form == CsvForm::Wide ? appendWide : appendLong)(out, diagnosis, session::LaunchIndex{i});
        if (!sink(out)) return;
    }
}

} // namespace dormer::report
