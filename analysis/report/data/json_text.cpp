// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_rows.h"
#include "analysis/report/data/csv_field.h"
#include "analysis/report/data/json_parts.h"
#include "analysis/report/data/json_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dormer::report {

using nlohmann::json;

namespace {

/// Names in a session are untrusted bytes: what is not UTF-8 is replaced instead of thrown about.
std::string textOf(const json& value, bool indented) {
    return value.dump(indented ? 2 : -1, ' ', false, json::error_handler_t::replace);
}

/// `text` with its lines but the first moved in. Strings of JSON have no line breaks.
std::string movedIn(std::string_view text, std::size_t blanks) {
    std::string out;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        out += text.substr(0, end + 1);
        out.append(blanks, ' ');
        text.remove_prefix(end + 1);
    }
    return out += text;
}

/// Writes launches, their numbers straight as text: these are most of it.
class LaunchTexts {
public:
    LaunchTexts(const diagnosis::Diagnosis& diagnosis, const JsonForm& form)
        : m_diagnosis(diagnosis), m_form(form), m_rows(diagnosis.metrics()) {
        const std::vector<std::string>& names = diagnosis.session().counters().names();
        for (std::size_t column = 0; column < names.size(); ++column)
            m_counters.push_back({names[column], column});
        for (const metrics::Metric& metric : metrics::metricCatalogue())
            m_metrics.push_back({std::string(metric.name), m_metrics.size()});
        for (std::vector<Named>* all : {&m_counters, &m_metrics}) {
            std::ranges::sort(*all, {}, &Named::key); // as the members of every object
            for (Named& named : *all)
                named.key = textOf(named.key, false) + (form.indented ? ": " : ":");
        }
    }

    void append(std::string& out, session::LaunchIndex launch) {
        const json facts = launchFacts(m_diagnosis, launch, m_form.withLines);
        std::string_view before = "{";
        for (const auto& [key, value] : facts.items()) {
            out += before;
            newLine(out, 3);
            out += textOf(key, false) + (m_form.indented ? ": " : ":");
            if (key == "counters") {
                const session::Session& session = m_diagnosis.session();
                appendNumbers(out, m_counters, [&](std::size_t column) {
                    return session.counter(launch, column).value_or(kAbsent);
                });
            } else if (key == "metrics") {
                const std::span<const double> values = m_rows.of(launch);
                appendNumbers(out, m_metrics, [&](std::size_t place) { return values[place]; });
            } else if (m_form.indented) {
                out += movedIn(textOf(value, true), 6);
            } else {
                out += textOf(value, false);
            }
            before = ",";
        }
        newLine(out, 2);
        out += '}';
    }

private:
    struct Named {
        std::string key; ///< in quotes, with its colon
        std::size_t place = 0;
    };
    static constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

    void newLine(std::string& out, std::size_t level) const {
        if (m_form.indented) out.append(1, '\n').append(2 * level, ' ');
    }

    void appendNumbers(std::string& out, const std::vector<Named>& all, const auto& valueOf) const {
        bool any = false;
        for (const Named& named : all) {
            const double value = valueOf(named.place);
            if (std::isnan(value)) continue;
            out += any ? ',' : '{';
            newLine(out, 4);
            out += named.key;
            appendNumber(out, value);
            any = true;
        }
        if (any)
            newLine(out, 3);
        else
            out += '{';
        out += '}';
    }

    const diagnosis::Diagnosis& m_diagnosis;
    JsonForm m_form;
    std::vector<Named> m_counters, m_metrics; ///< by column, by place in the catalogue
    metrics::MetricRows m_rows;
};

/// An array of `count` texts, one at a time, with `lineBreak` before each. Nothing is left to write when it
/// returns false.
bool writeArray(std::size_t count, std::string_view lineBreak, std::string_view lastBreak,
                const base::TextSink& sink, const auto& append) {
    if (count == 0) return sink("[]");
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        text += lineBreak;
        append(text, i);
        if (!sink(text)) return false;
        text = ",";
    }
    return sink(std::string(lastBreak) + "]");
}

template <typename T>
bool writeRecords(const std::vector<T>& records, const JsonForm& form, const base::TextSink& sink) {
    return writeArray(records.size(), form.indented ? "\n    " : "", form.indented ? "\n  " : "", sink,
                      [&](std::string& out, std::size_t i) {
                          out += movedIn(textOf(recordJson(records[i]), form.indented), 4);
                      });
}

bool writeLaunches(const diagnosis::Diagnosis& diagnosis, const JsonForm& form, const base::TextSink& sink) {
    LaunchTexts launches(diagnosis, form);
    return writeArray(diagnosis.session().launches().size(), form.indented ? "\n    " : "\n",
                      form.indented ? "\n  " : "\n", sink, [&](std::string& out, std::size_t i) {
                          launches.append(out, session::LaunchIndex{static_cast<std::uint32_t>(i)});
                      });
}

} // namespace

void writeJson(const diagnosis::Diagnosis& diagnosis, const JsonForm& form, const base::TextSink& sink) {
    const session::Session& session = diagnosis.session();
    json head = documentHead(diagnosis);
    for (const char* array :
         {"device_activity", "launches", "memory_calls", "signature_counters", "transfers"})
        head[array] = nullptr; // their places among the others
    std::string_view before = form.indented ? "{\n  " : "{";
    for (const auto& [key, value] : head.items()) {
        if (key == "launches" && !form.indented) before = ",\n";
        if (!sink(fmt::format("{}\"{}\":{}", before, key, form.indented ? " " : ""))) return;
        const bool goesOn = key == "launches"          ? writeLaunches(diagnosis, form, sink)
                            : key == "memory_calls"    ? writeRecords(session.memoryCalls(), form, sink)
                            : key == "transfers"       ? writeRecords(session.transfers(), form, sink)
                            : key == "device_activity" ? writeRecords(session.deviceActivity(), form, sink)
                            : key == "signature_counters"
                                ? writeRecords(session.signatureCounters(), form, sink)
                                : sink(movedIn(textOf(value, form.indented), 2));
        if (!goesOn) return;
        before = form.indented ? ",\n  " : ",";
    }
    sink(form.indented ? "\n}\n" : "}\n");
}

} // namespace dormer::report
