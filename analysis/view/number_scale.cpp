// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/number_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::view {

namespace {

using metrics::Unit;

struct Step {
    double factor;
    const char* unit;
};

constexpr std::array kTimes{Step{1, "ns"}, Step{1e3, "µs"}, Step{1e6, "ms"}, Step{1e9, "s"}};
constexpr std::array kBytes{Step{1, "B"}, Step{1e3, "kB"}, Step{1e6, "MB"}, Step{1e9, "GB"},
                            Step{1e12, "TB"}};
constexpr std::array kRates{Step{1, "B/s"}, Step{1e3, "kB/s"}, Step{1e6, "MB/s"}, Step{1e9, "GB/s"},
                            Step{1e12, "TB/s"}};
constexpr std::array kHertz{Step{1, "Hz"}, Step{1e3, "kHz"}, Step{1e6, "MHz"}, Step{1e9, "GHz"}};
constexpr std::array kPerSecond{Step{1, "/s"}, Step{1e3, "k/s"}, Step{1e6, "M/s"}, Step{1e9, "G/s"},
                                Step{1e12, "T/s"}};
// Counts stay whole until they get long: exact answers are read off them.
constexpr std::array kCounts{Step{1, ""}, Step{1e6, "M"}, Step{1e9, "G"}, Step{1e12, "T"}};
constexpr double kLongCount = 1e7;
constexpr int kMostDecimals = 3;
/// What a column can still show beside its largest number, and how large that may get for it.
constexpr double kSmallestShown = 1e-3, kLargestShown = 1e5;

std::span<const Step> stepsOf(Unit unit) {
    switch (unit) {
    case Unit::Nanoseconds:
        return kTimes;
    case Unit::Bytes:
        return kBytes;
    case Unit::BytesPerSecond:
        return kRates;
    case Unit::Hertz:
        return kHertz;
    case Unit::PerSecond:
        return kPerSecond;
    case Unit::Count:
    case Unit::None:
        return kCounts;
    case Unit::Ratio:
    case Unit::FlopPerByte:
    case Unit::OpPerByte:
        break;
    }
    return {};
}

int digitsBeforePoint(double value) {
    return static_cast<int>(std::floor(std::log10(value))) + 1;
}

} // namespace

std::string NumberScale::text(double value) const {
    return fmt::format("{:.{}f}", value / factor, decimals);
}

std::string NumberScale::titled(std::string_view title) const {
    return unit.empty() ? std::string(title) : fmt::format("{}, {}", title, unit);
}

NumberScale scaleFor(Unit unit, std::span<const double> values) {
    double largest = 0, smallest = 0;
    for (const double value : values) {
        const double magnitude = std::abs(value);
        largest = std::max(largest, magnitude);
        if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
    }
    NumberScale scale;
    if (values.empty()) return scale;
    if (unit == Unit::Ratio) scale = {.factor = 0.01, .unit = "%"};
    if (unit == Unit::FlopPerByte) scale.unit = "FLOP/B";
    if (unit == Unit::OpPerByte) scale.unit = "op/B";
    const bool plain = unit == Unit::Count || unit == Unit::None;
    for (const Step& step : stepsOf(unit)) {
        if (step.factor > 1 && (largest < step.factor || (plain && largest < kLongCount))) break;
        const bool vanishes = smallest < kSmallestShown * step.factor;
        if (step.factor > 1 && vanishes && largest < kLargestShown * scale.factor) break;
        scale.factor = step.factor;
        scale.unit = step.unit;
    }
    const bool whole = std::ranges::all_of(
        values, [&](double value) { return value / scale.factor == std::round(value / scale.factor); });
    if (whole || largest == 0) return scale;
    scale.decimals = std::clamp(std::max(3 - digitsBeforePoint(largest / scale.factor),
                                         2 - digitsBeforePoint(smallest / scale.factor)),
                                0, kMostDecimals);
    return scale;
}

} // namespace dormer::view
