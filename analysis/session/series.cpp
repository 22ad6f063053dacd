// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/series.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace dormer::session {

namespace {

template <typename T>
bool parse(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

/// Gives `take` each word of a text, one blank between two; false when that is not its form, or `take` is.
template <typename Take>
bool eachWord(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const std::size_t blank = text.find(' ');
        if (blank == text.size() - 1 || !take(text.substr(0, blank))) return false;
        text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    }
    return true;
}

} // namespace

std::string toString(const Series& series) {
    std::string text;
    for (const double value : series.values) {
        if (!text.empty()) text += ' ';
        if (std::isfinite(value))
            fmt::format_to(std::back_inserter(text), "{:.4g}", value);
        else
            text += '-';
    }
    return text;
}

bool fromString(std::string_view text, Series& series) {
    Series read;
    const bool whole = eachWord(text, [&](std::string_view word) {
        double value = std::numeric_limits<double>::quiet_NaN();
        if (word != "-" && (!parse(word, value) || !std::isfinite(value))) return false;
        read.values.push_back(value);
        return true;
    });
    series = whole ? std::move(read) : Series{};
    return whole;
}

std::string toString(const Spans& spans) {
    std::string text;
    for (const Spans::Span& span : spans.spans)
        fmt::format_to(std::back_inserter(text), "{}{}+{}", text.empty() ? "" : " ", span.beginNs,
                       span.lengthNs);
    return text;
}

bool fromString(std::string_view text, Spans& spans) {
    Spans read;
    const bool whole = eachWord(text, [&](std::string_view word) {
        const std::size_t plus = word.find('+');
        Spans::Span span;
        if (plus == std::string_view::npos || read.spans.size() == Spans::kMost ||
            !parse(word.substr(0, plus), span.beginNs) || !parse(word.substr(plus + 1), span.lengthNs) ||
            span.lengthNs < 0)
            return false;
        read.spans.push_back(span);
        return true;
    });
    spans = whole ? std::move(read) : Spans{};
    return whole;
}

} // namespace dormer::session
