// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/csv_pages.h"

#include "analysis/importers/ncu/labels.h"
#include "analysis/importers/ncu/nvtx.h"
#include "analysis/importers/parts/csv_rows.h"
#include "analysis/importers/parts/number_text.h"
#include "analysis/importers/parts/unit_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dormer::importers {

namespace {

using Row = std::vector<std::string>;

/// The head of a page: where each column is, by name.
struct Head {
    Row names;
    char delimiter = ',';
    std::optional<std::size_t> metricName; ///< a page of a metric per row
    std::size_t lastFixed = 0; ///< of the columns that are no metrics, on a page of a launch per row
    std::size_t rowSize = 0;   ///< fields of a row that lacks nothing

    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
        const auto found = std::ranges::find(names, name);
        return found == names.end() ? std::nullopt : std::optional<std::size_t>(found - names.begin());
    }
    [[nodiscard]] std::string_view cell(const Row& row, std::string_view name) const {
        const auto at = find(name);
        return at && *at < row.size() ? std::string_view(row[*at]) : std::string_view();
    }
};

std::optional<Head> headOf(std::string_view line) {
    for (const char delimiter : {',', ';', '\t'}) {
        const std::string quoted = fmt::format("\"ID\"{}", delimiter);
        const std::string plain = fmt::format("ID{}", delimiter);
        if (!line.starts_with(quoted) && !line.starts_with(plain)) continue;
        Head head;
        head.delimiter = delimiter;
        CsvReader reader(line);
        auto names = reader.readRecord(delimiter);
        if (!names) return std::nullopt;
        head.names = std::move(*names);
        if (!head.find("Kernel Name")) return std::nullopt;
        head.metricName = head.find("Metric Name");
        for (const std::string_view name :
             {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
              "Stream", "Block Size", "Grid Size", "Device", "CC", "thread", "Section Name"})
            if (const auto at = head.find(name)) head.lastFixed = std::max(head.lastFixed, *at);
        // ncu (2025.3) ends rows of metrics before the columns of rules.
        const auto value = head.find("Metric Value");
        head.rowSize = head.metricName && value ? *value + 1 : head.names.size();
        return head;
    }
    return std::nullopt;
}

/// "(65536, 1, 1)"
std::optional<session::Dim3> dimensions(std::string_view text) {
    session::Dim3 size;
    for (std::uint32_t* each : {&size.x, &size.y, &size.z}) {
        const std::size_t digit = text.find_first_of("0123456789");
        if (digit == std::string_view::npos) return std::nullopt;
        text.remove_prefix(digit);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *each);
        if (error != std::errc{}) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return size;
}

template <typename T>
T number(std::string_view text) {
    T value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

NcuResult identityOf(const Head& head, const Row& row) {
    NcuResult result;
    result.pid = number<std::int32_t>(head.cell(row, "Process ID"));
    result.program = head.cell(row, "Process Name");
    result.host = head.cell(row, "Host Name");
    result.kernel = head.cell(row, "Kernel Name");
    result.device = number<std::int32_t>(head.cell(row, "Device"));
    result.stream = number<std::uint64_t>(head.cell(row, "Stream"));
    result.grid = dimensions(head.cell(row, "Grid Size"));
    result.block = dimensions(head.cell(row, "Block Size"));
    const std::string_view cc = head.cell(row, "CC");
    if (const std::size_t dot = cc.find('.'); dot != std::string_view::npos) {
        result.computeCapabilityMajor = number<std::int32_t>(cc.substr(0, dot));
        result.computeCapabilityMinor = number<std::int32_t>(cc.substr(dot + 1));
    }
    for (std::size_t i = 0; i < head.names.size() && i < row.size() && result.nvtx.empty(); ++i)
        if (const std::size_t fields = nvtxFields(head.names[i])) result.nvtx = nvtxPath(row[i], fields);
    return result;
}

/// A row of either kind, until it is known how the file writes numbers.
struct RawRow {
    std::size_t head = 0;  ///< index into the heads
    std::size_t units = 0; ///< index into the rows of units; 0 is none
    Row fields;
};

struct Pages {
    std::vector<Head> heads;
    std::vector<Row> units{Row{}};
    std::vector<RawRow> rows;
    std::vector<std::string> errors; ///< of ncu
    std::size_t ragged = 0;          ///< rows with fewer fields than columns
    bool cutOff = false;
};

/// Lines of ncu's own among the rows.
void takeMessage(std::string_view line, Pages& pages) {
    constexpr std::string_view kError = "==ERROR==";
    if (!line.starts_with(kError)) return;
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', kError.size())));
    pages.errors.emplace_back(line);
}

bool canBeRow(std::string_view line, char delimiter) {
    if (line.starts_with('"')) line.remove_prefix(1);
    const std::size_t digits = line.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) return false;
    line.remove_prefix(digits);
    if (line.starts_with('"')) line.remove_prefix(1);
    return line.starts_with(delimiter);
}

Pages readPages(std::string_view text) {
    Pages pages;
    CsvReader reader(text);
    std::size_t units = 0;
    while (const auto line = reader.peekLine()) {
        if (auto head = headOf(*line)) {
            pages.heads.push_back(std::move(*head));
            units = 0;
            reader.skipLine();
            continue;
        }
        if (line->starts_with("==") || pages.heads.empty() ||
            !canBeRow(*line, pages.heads.back().delimiter)) {
            takeMessage(*line, pages);
            reader.skipLine();
            continue;
        }
        const Head& head = pages.heads.back();
        auto fields = reader.readRecord(head.delimiter);
        if (!fields) {
            pages.cutOff = true;
        } else if (fields->size() < std::min(head.names.size(), head.lastFixed + 2)) {
            ++pages.ragged;
        } else if (fields->front().empty()) {
            units = pages.units.size();
            pages.units.push_back(std::move(*fields));
        } else {
            // A line may be cut at a field's end as well.
            if (fields->size() < head.rowSize) ++pages.ragged;
            pages.rows.push_back({pages.heads.size() - 1, units, std::move(*fields)});
        }
    }
    return pages;
}

bool isMetricColumn(const Head& head, std::size_t column) {
    return column > head.lastFixed && nvtxFields(head.names[column]) == 0;
}

NumberFormat numberFormatOf(const Pages& pages) {
    NumberFormat format;
    for (const RawRow& row : pages.rows) {
        const Head& head = pages.heads[row.head];
        if (head.metricName) {
            format.learn(head.cell(row.fields, "Metric Value"));
            continue;
        }
        for (std::size_t i = 0; i < std::min(row.fields.size(), head.names.size()); ++i)
            if (isMetricColumn(head, i)) format.learn(row.fields[i]);
    }
    return format;
}

void takeMetric(NcuResult& result, const std::string& metric, std::string_view text, std::string_view unit,
                const NumberFormat& format) {
    if (metric == "device__attribute_display_name") result.deviceName = text;
    if (const auto value = format.parse(text)) result.values.try_emplace(metric, *value * unitScale(unit));
}

/// Results in order of appearance. A page of a metric per row repeats the launch's fields in each.
std::vector<NcuResult> resultsOf(const Pages& pages) {
    const NumberFormat format = numberFormatOf(pages);
    std::vector<NcuResult> results;
    std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> known;
    for (const RawRow& row : pages.rows) {
        const Head& head = pages.heads[row.head];
        if (!head.metricName) {
            NcuResult result = identityOf(head, row.fields);
            const Row& units = pages.units[row.units];
            for (std::size_t i = 0; i < std::min(row.fields.size(), head.names.size()); ++i)
                if (isMetricColumn(head, i))
                    takeMetric(result, head.names[i], row.fields[i], i < units.size() ? units[i] : "",
                               format);
            results.push_back(std::move(result));
            continue;
        }
        const auto [at, isNew] = known.try_emplace(
            {row.head, std::string(head.cell(row.fields, "Process ID")), row.fields.front()}, results.size());
        if (isNew) results.push_back(identityOf(head, row.fields));
        const std::string_view unit = head.cell(row.fields, "Metric Unit");
        const std::string metric = metricOfLabel(head.cell(row.fields, "Metric Name"), unit);
        if (!metric.empty())
            takeMetric(results[at->second], metric, head.cell(row.fields, "Metric Value"), unit, format);
    }
    return results;
}

} // namespace

bool isNcuCsv(std::string_view text) {
    CsvReader reader(text);
    while (const auto line = reader.peekLine()) {
        if (headOf(*line)) return true;
        reader.skipLine();
    }
    return false;
}

Result<void> importNcuCsv(std::string_view text, SessionBuilder& builder) {
    const Pages pages = readPages(text);
    if (pages.rows.empty()) {
        std::string why = pages.cutOff ? "; its only row is cut off" : "";
        for (const std::string& error : pages.errors)
            why += "; ncu said: " + error;
        return failure(ErrorKind::Input, "no kernel in this CSV of Nsight Compute" + why);
    }
    for (NcuResult& result : resultsOf(pages))
        addResult(builder, std::move(result));
    if (pages.cutOff || pages.ragged > 0)
        builder.note(
            0, "import-truncated",
            fmt::format("{} rows of the CSV have fewer fields than columns or end within quotes: what is "
                        "missing there was not imported",
                        pages.ragged + (pages.cutOff ? 1 : 0)));
    return {};
}

} // namespace dormer::importers
