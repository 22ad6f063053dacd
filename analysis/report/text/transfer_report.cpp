// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/report/data/csv_field.h"
#include "analysis/session/record_fields.h"
#include "analysis/view/text.h"
#include "analysis/view/text_table.h"
#include "analysis/view/transfers.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

std::string leftOut(const view::Table& table) {
    return table.rows.size() > view::kMostTextRows ? fmt::format("and {} more rows; JSON and CSV have all\n",
                                                                 table.rows.size() - view::kMostTextRows)
                                                   : std::string();
}

/// Appends a record's fields to a line of CSV.
struct CsvCells {
    std::map<std::string_view, std::string>& cells;

    void required(const char* name, const auto& value) { cells[name] = fmt::format("{}", value); }
    void required(const char* name, const session::AsText auto& value) { cells[name] = toString(value); }
    void known(const char* name, const auto& value) {
        if (value != 0) required(name, value);
    }
    void field(const char* name, const std::string& value) { cells[name] = csvField(value); }
    void field(const char* name, const std::optional<double>& value) {
        if (value) cells[name] = csvNumber(*value);
    }
    void field(const char* name, bool value) { cells[name] = value ? "1" : "0"; }
    template <typename T>
    void field(const char* name, const T& value) {
        required(name, value);
    }
};

constexpr std::array<std::string_view, 19> kCsvColumns{
    "record",      "process", "workload", "nvtx",   "kind",        "direction",   "source",
    "destination", "call",    "memory",   "count",  "bytes",       "duration_ns", "call_ns",
    "start_ns",    "end_ns",  "device",   "stream", "asynchronous"};

template <typename Record>
std::string csvLine(std::string_view name, const Record& record) {
    std::map<std::string_view, std::string> cells{{"record", std::string(name)},
                                                  {"process", std::to_string(record.process)}};
    CsvCells visitor{cells};
    session::visitFields(visitor, record);
    std::string line;
    for (const std::string_view column : kCsvColumns)
        line += (line.empty() ? "" : ",") + cells[column];
    return line + "\r\n";
}

} // namespace

std::string transfersTableText(const diagnosis::Diagnosis& diagnosis) {
    const view::TransferTables tables = view::transferTables(diagnosis.session());
    std::string out;
    for (const view::Table* table : {&tables.transfers, &tables.calls})
        if (!table->rows.empty()) out += (out.empty() ? "" : "\n") + alignedTable(*table) + leftOut(*table);
    if (!out.empty() && !tables.noTimes.empty()) out += '\n' + tables.noTimes + '\n';
    if (!tables.outside.empty()) out += (out.empty() ? "" : "\n") + tables.outside + '\n';
    return out;
}

std::string transfersMarkdownText(const diagnosis::Diagnosis& diagnosis) {
    const view::TransferTables tables = view::transferTables(diagnosis.session());
    std::string out;
    const auto section = [&](std::string_view title, const view::Table& table) {
        if (table.rows.empty()) return;
        out += fmt::format("\n## {}\n\n{}", title, markdownTable(table));
        if (const std::string more = leftOut(table); !more.empty()) out += '\n' + more;
    };
    section(view::kTransfersTitle, tables.transfers);
    section(view::kMemoryCallsTitle, tables.calls);
    if (!out.empty() && !tables.noTimes.empty()) out += '\n' + tables.noTimes + '\n';
    if (!out.empty() && !tables.outside.empty()) out += '\n' + tables.outside + '\n';
    return out;
}

std::string transfersCsvText(const diagnosis::Diagnosis& diagnosis) {
    std::string out;
    for (const std::string_view column : kCsvColumns)
        out += fmt::format("{}{}", out.empty() ? "" : ",", column);
    out += "\r\n";
    for (const session::Transfer& transfer : diagnosis.session().transfers())
        out += csvLine("transfer", transfer);
    for (const session::MemoryCall& call : diagnosis.session().memoryCalls())
        out += csvLine("memory_call", call);
    return out;
}

} // namespace dormer::report
