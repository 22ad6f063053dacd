// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/text_page.h"

#include "analysis/importers/ncu/labels.h"
#include "analysis/importers/parts/csv_rows.h"
#include "analysis/importers/parts/number_text.h"
#include "analysis/importers/parts/unit_scale.h"

#include <array>
#include <charconv>
#include <vector>

namespace dormer::importers {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The number behind the last `word` of a line; nothing without one.
std::optional<std::uint64_t> numberBehind(std::string_view line, std::string_view word) {
    const std::size_t at = line.rfind(word);
    if (at == std::string_view::npos) return std::nullopt;
    line.remove_prefix(at + word.size());
    std::uint64_t value = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), value).ec != std::errc{}) return std::nullopt;
    return value;
}

/// Takes "(x, y, z)" off the end of the text.
std::optional<session::Dim3> takeDimensions(std::string_view& text) {
    const std::size_t open = text.rfind('(');
    if (!text.ends_with(')') || open == std::string_view::npos) return std::nullopt;
    std::array<std::uint32_t, 3> size{};
    std::string_view rest = text.substr(open + 1);
    for (std::uint32_t& each : size) {
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(", ")));
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), each);
        if (error != std::errc{}) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    text.remove_suffix(text.size() - open);
    return session::Dim3{size[0], size[1], size[2]};
}

/// "  NAME (864, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0"; before 2022 a date stands in
/// place of the dimensions.
std::optional<NcuResult> headOf(std::string_view line) {
    const std::size_t context = line.rfind(", Context ");
    const auto stream = numberBehind(line, ", Stream ");
    if (!line.starts_with("  ") || context == std::string_view::npos || !stream) return std::nullopt;
    NcuResult result;
    result.stream = *stream;
    result.device = static_cast<std::int32_t>(numberBehind(line, ", Device ").value_or(0) & 0xFFFFU);
    if (const auto major = numberBehind(line, ", CC ")) {
        result.computeCapabilityMajor = static_cast<std::int32_t>(*major & 0xFFFFU);
        result.computeCapabilityMinor =
            static_cast<std::int32_t>(numberBehind(line, ".").value_or(0) & 0xFFFFU);
    }
    std::string_view name = trimmed(line.substr(0, context));
    std::string_view rest = name;
    if (const auto block = takeDimensions(rest); block && rest.ends_with('x')) {
        rest.remove_suffix(1);
        if (const auto grid = takeDimensions(rest)) {
            result.block = block;
            result.grid = grid;
            name = trimmed(rest);
        }
    } else if (const std::size_t date = name.rfind(", "); date != std::string_view::npos) {
        name = name.substr(0, date);
    }
    result.kernel = name;
    return result;
}

/// Ends of the first two columns by the line of dashes above and below a table's head.
std::optional<std::array<std::size_t, 2>> columnEnds(std::string_view line) {
    if (line.find_first_not_of(" -") != std::string_view::npos) return std::nullopt;
    std::array<std::size_t, 2> ends{};
    std::size_t at = 0;
    for (std::size_t& end : ends) {
        at = line.find('-', at);
        if (at == std::string_view::npos) return std::nullopt;
        end = at = line.find(' ', at);
        if (at == std::string_view::npos) return std::nullopt;
    }
    return ends;
}

struct Value {
    std::size_t result;
    std::string label, unit, text;
};

} // namespace

bool importNcuText(std::string_view text, SessionBuilder& builder) {
    std::vector<NcuResult> results;
    std::vector<Value> values;
    std::optional<std::array<std::size_t, 2>> ends;
    NcuResult process; // of the kernels that follow
    CsvReader lines(text);
    for (auto next = lines.peekLine(); next; next = lines.peekLine()) {
        const std::string_view line = *next;
        lines.skipLine();
        if (auto head = headOf(line)) {
            head->pid = process.pid;
            head->program = process.program;
            head->host = process.host;
            results.push_back(std::move(*head));
            ends.reset();
        } else if (line.starts_with('[') &&
                   line.find("] ") != std::string_view::npos) { // "[669] app@127.0.0.1"
            process.pid = static_cast<std::int32_t>(
                numberBehind(line.substr(0, line.find(']')), "[").value_or(0) & 0x7FFFFFFFU);
            const std::string_view who = line.substr(line.find("] ") + 2);
            process.program = who.substr(0, who.rfind('@'));
            process.host =
                who.find('@') == std::string_view::npos ? std::string_view() : who.substr(who.rfind('@') + 1);
        } else if (const auto table = columnEnds(line)) {
            ends = table;
        } else if (!ends || results.empty() || line.size() <= (*ends)[1]) {
            ends.reset(); // a rule's text, or the next section
        } else {
            values.push_back({results.size() - 1, std::string(trimmed(line.substr(0, (*ends)[0]))),
                              std::string(trimmed(line.substr((*ends)[0], (*ends)[1] - (*ends)[0]))),
                              std::string(trimmed(line.substr((*ends)[1])))});
        }
    }
    NumberFormat format;
    for (const Value& value : values)
        format.learn(value.text);
    for (const Value& value : values) {
        const std::string metric = metricOfLabel(value.label, value.unit);
        const auto number = format.parse(value.text);
        if (!metric.empty() && number)
            results[value.result].values.try_emplace(metric, *number * unitScale(value.unit));
    }
    for (NcuResult& result : results)
        addResult(builder, std::move(result));
    return !results.empty();
}

} // namespace dormer::importers
