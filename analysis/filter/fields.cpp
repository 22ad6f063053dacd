// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/filter/fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>

namespace dormer::filter {

namespace {

bool isBlank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool endsWord(char c) {
    return isBlank(c) || std::strchr("=!<>~()\"", c) != nullptr;
}

struct UnitText {
    std::string_view name;
    double factor;
};
constexpr std::array kTimes{UnitText{"ns", 1}, UnitText{"us", 1e3}, UnitText{"µs", 1e3}, UnitText{"ms", 1e6},
                            UnitText{"s", 1e9}};
constexpr std::array kOthers{
    UnitText{"", 1},     UnitText{"%", 0.01}, UnitText{"B", 1},     UnitText{"KB", 1e3}, UnitText{"kB", 1e3},
    UnitText{"MB", 1e6}, UnitText{"GB", 1e9}, UnitText{"TB", 1e12}, UnitText{"k", 1e3},  UnitText{"K", 1e3},
    UnitText{"M", 1e6},  UnitText{"G", 1e9},  UnitText{"T", 1e12}};

} // namespace

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (isBlank(c)) {
            ++at;
            continue;
        }
        Token& token = tokens.emplace_back();
        token.at = at;
        if (c == '(' || c == ')') {
            token.kind = c == '(' ? Token::Kind::Open : Token::Kind::Close;
            token.text = c;
            ++at;
        } else if (c == '"') {
            const std::size_t end = std::min(text.find('"', at + 1), text.size());
            token.text = text.substr(at + 1, end - at - 1);
            token.quoted = true;
            at = std::min(end + 1, text.size());
        } else if (endsWord(c)) {
            token.kind = Token::Kind::Operator;
            const bool two =
                at + 1 < text.size() && (text[at + 1] == '=' || (c == '!' && text[at + 1] == '~'));
            token.text = text.substr(at, two ? 2 : 1);
            if (token.text == "==") token.text = "=";
            at += two ? 2 : 1;
        } else {
            while (at < text.size() && !endsWord(text[at]))
                token.text += text[at++];
        }
    }
    return tokens;
}

const std::vector<FieldText>& whereFields() {
    static const std::vector<FieldText> kFields = [] {
        using enum Field::Kind;
        std::vector<FieldText> fields{
            {"time", "Time of all launches like this one", {Time, nullptr}},
            {"verdict",
             "What bounds it: memory, compute, latency, balanced, undetermined",
             {Verdict, nullptr}},
            {"kernel", "Name of the kernel", {Kernel, nullptr}},
            {"workload", "Workload of the built-in suite", {Workload, nullptr}},
            {"nvtx", "Path of NVTX ranges", {Nvtx, nullptr}},
            {"finding", "Title of a recommendation", {Finding, nullptr}},
            {"calls", "Launches like this one", {Calls, nullptr}},
            {"savings", "Estimated savings over all launches like this one", {Savings, nullptr}}};
        for (const metrics::Metric& metric : metrics::metricCatalogue())
            fields.push_back({metric.name, metric.meaning, {Metric, &metric}});
        return fields;
    }();
    return kFields;
}

std::optional<Field> findField(std::string_view name) {
    const auto at = std::ranges::find(whereFields(), name, &FieldText::name);
    return at == whereFields().end() ? std::nullopt : std::optional(at->field);
}

std::optional<double> numberOf(std::string_view text, const Field& field) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const bool isTime = field.kind == Field::Kind::Time || field.kind == Field::Kind::Savings ||
                        (field.metric != nullptr && field.metric->unit == metrics::Unit::Nanoseconds);
    if (isTime) {
        if (unit.empty()) return value;
        const auto known = std::ranges::find(kTimes, unit, &UnitText::name);
        return known == kTimes.end() ? std::nullopt : std::optional(value * known->factor);
    }
    if (unit.ends_with("/s")) unit.remove_suffix(2);
    const auto known = std::ranges::find(kOthers, unit, &UnitText::name);
    return known == kOthers.end() ? std::nullopt : std::optional(value * known->factor);
}

const std::vector<std::string_view>& whereVerdicts() {
    static const std::vector<std::string_view> kVerdicts{"memory", "compute", "latency", "balanced",
                                                         kUndetermined};
    return kVerdicts;
}

} // namespace dormer::filter
