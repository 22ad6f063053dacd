// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/base/utf8.h"
#include "analysis/metrics/metric_rows.h"
#include "analysis/report/data/csv_field.h"
#include "analysis/session/record_fields.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
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

void appendNumber(std::string& out, double value) {
    std::array<char, 32> digits; // the shortest that reads back as a double has 24 at most
    const bool whole = value == std::floor(value) && std::abs(value) < 9007199254740992.0;
    char* const end =
        whole ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::int64_t>(value))
                    .ptr
              : fmt::format_to(digits.data(), FMT_COMPILE("{}"), value);
    out.append(digits.data(), end);
}

std::string csvNumber(double value) {
    std::string out;
    appendNumber(out, value);
    return out;
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

/// A text as field, made anew only when it is another than that of the row before.
class RepeatedField {
public:
    [[nodiscard]] const std::string& of(const std::string& text) {
        if (text != m_text) m_field = csvField(m_text = text);
        return m_field;
    }

private:
    std::string m_text, m_field;
};

/// Rows of launches, for which texts that many of them share are made once.
class LaunchRows {
public:
    explicit LaunchRows(const diagnosis::Diagnosis& diagnosis)
        : m_diagnosis(diagnosis), m_catalogue(metrics::metricCatalogue()), m_rows(diagnosis.metrics()) {
        for (const session::Kernel& kernel : diagnosis.session().kernels())
            m_kernels.push_back(csvField(kernel.name.empty() ? kernel.mangledName : kernel.name));
        for (const metrics::Metric& metric : m_catalogue)
            m_units.push_back(metrics::unitSymbol(metric.unit));
        for (const session::Process& process : diagnosis.session().processes())
            m_processes.push_back(fmt::format("{},{}", process.pid, csvField(process.program)));
    }

    void appendLong(std::string& out, session::LaunchIndex launch) {
        const std::string start = rowStart(m_diagnosis, launch) + ',';
        const session::Launch& of = m_diagnosis.session().launch(launch);
        const std::string end = fmt::format(",{},{}\r\n", processOf(of), csvField(of.nvtx));
        const std::span<const double> values = m_rows.of(launch);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) continue;
            out.append(start).append(m_catalogue[i].name).push_back(',');
            appendNumber(out, values[i]);
            out.append(1, ',').append(m_units[i]).append(end);
        }
    }

    void appendWide(std::string& out, session::LaunchIndex launch) {
        const session::Session& session = m_diagnosis.session();
        const session::Launch& of = session.launch(launch);
        fmt::format_to(std::back_inserter(out), FMT_COMPILE("{},{},{},{},{},{},{}x{}x{},{}x{}x{}"),
                       session::raw(launch), m_workload.of(of.workload), m_kernels[of.kernel],
                       session::toString(session.originOf(launch)), processOf(of), m_nvtx.of(of.nvtx),
                       of.grid.x, of.grid.y, of.grid.z, of.block.x, of.block.y, of.block.z);
        for (const double value : m_rows.of(launch)) {
            out += ',';
            if (!std::isnan(value)) appendNumber(out, value);
        }
        out += "\r\n";
    }

private:
    [[nodiscard]] std::string_view processOf(const session::Launch& launch) const {
        return launch.process < m_processes.size() ? std::string_view(m_processes[launch.process]) : ",";
    }

    const diagnosis::Diagnosis& m_diagnosis;
    std::span<const metrics::Metric> m_catalogue;
    std::vector<std::string> m_processes; ///< "PID,PROGRAM"
    std::vector<std::string> m_kernels;   ///< as fields
    std::vector<std::string_view> m_units;
    metrics::MetricRows m_rows;
    RepeatedField m_workload, m_nvtx;
};

std::string wideHead() {
    std::string head = "launch,workload,kernel,origin,pid,program,nvtx,grid,block";
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
    std::string out = form == CsvForm::Wide
                          ? wideHead()
                          : "launch,workload,kernel,origin,metric,value,unit,pid,program,nvtx\r\n";
    if (!sink(out)) return;
    LaunchRows rows(diagnosis);
    for (std::uint32_t i = 0; i < diagnosis.session().launches().size(); ++i) {
        out.clear();
        const session::LaunchIndex launch{i};
        form == CsvForm::Wide ? rows.appendWide(out, launch) : rows.appendLong(out, launch);
        if (!sink(out)) return;
    }
}

} // namespace dormer::report
