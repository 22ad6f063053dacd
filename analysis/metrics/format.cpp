// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::metrics {

namespace {

constexpr std::string_view kDash = "–";

struct Scaled {
    double value;
    std::string_view prefix;
};

/// Decimals that leave `digits` significant ones; never negative, so that large numbers stay whole.
int decimalsFor(double magnitude, int digits) {
    if (magnitude == 0) return 0;
    const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return std::clamp(digits - before, 0, 12);
}

/// Fixed notation with `digits` significant digits. Rounding can carry into a new digit ("9.996" -> "10.0"),
/// so the decimals are counted on the rounded value.
std::string fixed(double value, int digits) {
    const double magnitude = std::abs(value);
    const int decimals = decimalsFor(magnitude, digits);
    const double unit = std::pow(10.0, decimals);
    const double rounded = std::round(magnitude * unit) / unit;
    return fmt::format("{:.{}f}", value, decimalsFor(rounded, digits));
}

std::string withoutTrailingZeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

Scaled scale(double value, int digits) {
    static constexpr std::array<std::string_view, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    // A value that rounds up to 1000 belongs to the next prefix: 999.9 k reads "1.00 M".
    // With fewer digits than three the carry still happens at 999.5: whole numbers are never cut.
    const double limit = digits > 3 ? 1000.0 : 999.5;
    std::size_t step = 0;
    while (std::abs(value) >= limit && step + 1 < kPrefixes.size()) {
        value /= 1000.0;
        ++step;
    }
    return {value, kPrefixes[step]};
}

std::string scaledUnit(double value, std::string_view unit) {
    const Scaled s = scale(value, 3);
    // Whole numbers below the first prefix are exact: "512 B", not "512.0 B".
    const bool whole = s.prefix.empty() && s.value == std::round(s.value);
    return fmt::format("{} {}{}", whole ? fmt::format("{:.0f}", s.value) : fixed(s.value, 3), s.prefix, unit);
}

std::string time(double nanoseconds) {
    static constexpr std::array<std::string_view, 4> kUnits{"ns", "µs", "ms", "s"};
    std::size_t step = 0;
    while (std::abs(nanoseconds) >= 999.5 && step + 1 < kUnits.size()) {
        nanoseconds /= 1000.0;
        ++step;
    }
    const bool whole = step == 0 && nanoseconds == std::round(nanoseconds);
    return fmt::format("{} {}", whole ? fmt::format("{:.0f}", nanoseconds) : fixed(nanoseconds, 3),
                       kUnits[step]);
}

/// Whole percents from 10 on, but never "100 %" for what is a little less.
std::string percent(double ratio) {
    const double value = ratio * 100.0;
    const double magnitude = std::abs(value);
    if (magnitude >= 99.5 && magnitude < 100.0)
        return fmt::format("{:.1f} %", std::min(magnitude, 99.9) * (value < 0 ? -1 : 1));
    if (magnitude >= 9.95) return fmt::format("{:.0f} %", value);
    return withoutTrailingZeros(fixed(value, magnitude < 1 ? 1 : 2)) + " %";
}

std::string plain(double value) {
    const double magnitude = std::abs(value);
    if (magnitude != 0 && (magnitude >= 1e7 || magnitude < 1e-9)) return fmt::format("{:.3g}", value);
    return withoutTrailingZeros(fixed(value, 3));
}

std::string count(double value) {
    if (value == std::round(value) && std::abs(value) < 1e5) return fmt::format("{:.0f}", value);
    const Scaled s = scale(value, 3);
    if (s.prefix.empty()) return withoutTrailingZeros(fixed(s.value, 3));
    return fmt::format("{} {}", fixed(s.value, 3), s.prefix);
}

} // namespace

std::string forPeople(double value, Unit unit) {
    if (!std::isfinite(value)) return std::string(kDash);
    switch (unit) {
    case Unit::None:
        return plain(value);
    case Unit::Nanoseconds:
        return time(value);
    case Unit::Bytes:
        return scaledUnit(value, "B");
    case Unit::BytesPerSecond:
        return scaledUnit(value, "B/s");
    case Unit::Ratio:
        return percent(value);
    case Unit::Count:
        return count(value);
    case Unit::PerSecond:
        return scaledUnit(value, "/s");
    case Unit::FlopPerByte:
        return plain(value) + " FLOP/B";
    case Unit::OpPerByte:
        return plain(value) + " op/B";
    case Unit::Hertz:
        return scaledUnit(value, "Hz");
    }
    return std::string(kDash);
}

std::string forPeople(const std::optional<double>& value, Unit unit) {
    return value ? forPeople(*value, unit) : std::string(kDash);
}

std::string withSiPrefix(double value, int significantDigits) {
    if (!std::isfinite(value)) return std::string(kDash);
    const Scaled s = scale(value, significantDigits);
    std::string number = fixed(s.value, significantDigits);
    return s.prefix.empty() ? number : fmt::format("{} {}", number, s.prefix);
}

std::string forPeople(session::Dim3 dim) {
    if (dim.z != 1) return fmt::format("{} x {} x {}", dim.x, dim.y, dim.z);
    if (dim.y != 1) return fmt::format("{} x {}", dim.x, dim.y);
    return fmt::format("{}", dim.x);
}

} // namespace dormer::metrics
