// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace dormer::importers {

namespace {

/// What stands between groups of digits besides point and comma: blanks (also the narrow and the no-break
/// one, in UTF-8) and apostrophes.
constexpr std::array<std::string_view, 6> kSeparators = {" ", "\xC2\xA0",     "\xE2\x80\xAF",
                                                         "'", "\xE2\x80\x99", "_"};
constexpr std::size_t kLongestNumber = 64;

/// The number without group separators that are neither point nor comma; empty for other text.
std::string marksAndDigits(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    std::string kept;
    if (text.size() > kLongestNumber) return kept;
    while (!text.empty()) {
        const auto separator =
            std::ranges::find_if(kSeparators, [&](std::string_view each) { return text.starts_with(each); });
        if (separator != kSeparators.end()) {
            text.remove_prefix(separator->size());
            continue;
        }
        const char c = text.front();
        const bool exponent = (c == 'e' || c == 'E') && !kept.empty();
        const bool sign = (c == '-' || c == '+') && (kept.empty() || kept.back() == 'e');
        if (!(c >= '0' && c <= '9') && c != '.' && c != ',' && !exponent && !sign) return {};
        if (c != '+') kept += exponent ? 'e' : c;
        text.remove_prefix(1);
    }
    return kept;
}

enum class Mark { None, Point, Comma, Either };

/// The decimal mark of one number by itself. Either: there is one mark with three digits behind it.
Mark decimalMarkOf(std::string_view number) {
    const auto points = std::ranges::count(number, '.');
    const auto commas = std::ranges::count(number, ',');
    if (points == 0 && commas == 0) return Mark::None;
    if (points > 0 && commas > 0) {
        // The last one, which there can be only one of.
        return number.rfind('.') > number.rfind(',') ? Mark::Point : Mark::Comma;
    }
    const char mark = points > 0 ? '.' : ',';
    const Mark asDecimal = points > 0 ? Mark::Point : Mark::Comma;
    if (points + commas > 1) return points > 0 ? Mark::Comma : Mark::Point;
    const std::size_t at = number.find(mark);
    const std::string_view whole =
        number.substr(number.starts_with('-') ? 1 : 0, at - (number.starts_with('-') ? 1 : 0));
    const std::string_view behind = number.substr(at + 1, number.find('e') - at - 1);
    const bool canGroup = behind.size() == 3 && !whole.empty() && whole.size() <= 3 && whole != "0" &&
                          number.find('e') == std::string_view::npos;
    return canGroup ? Mark::Either : asDecimal;
}

} // namespace

void NumberFormat::learn(std::string_view text) {
    const std::string number = marksAndDigits(text);
    const Mark mark = decimalMarkOf(number);
    m_point = m_point || mark == Mark::Point;
    m_comma = m_comma || mark == Mark::Comma;
}

std::optional<double> NumberFormat::parse(std::string_view text) const {
    std::string number = marksAndDigits(text);
    if (number.empty()) return std::nullopt;
    Mark mark = decimalMarkOf(number);
    if (mark == Mark::Either) {
        if (m_point && m_comma) return std::nullopt;
        mark = m_comma ? Mark::Comma : Mark::Point;
    }
    const char grouping = mark == Mark::Comma ? '.' : ',';
    std::erase(number, grouping);
    if (std::ranges::count(number, ',') + std::ranges::count(number, '.') > 1) return std::nullopt;
    std::ranges::replace(number, ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

} // namespace dormer::importers
