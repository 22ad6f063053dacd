// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/look/metric_words.h"

#include "ui/look/kernel_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dormer::ui::look {
namespace {

using metrics::Unit;

struct Step {
    double factor;
    const char* unit;
};

constexpr std::array kTimes{Step{1, "ns"}, Step{1e3, "\u00b5s"}, Step{1e6, "ms"}, Step{1e9, "s"}};
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

std::span<const Step> stepsOf(metrics::Unit unit) {
    switch (unit) {
    case metrics::Unit::Nanoseconds:
        return kTimes;
    case metrics::Unit::Bytes:
        return kBytes;
    case metrics::Unit::BytesPerSecond:
        return kRates;
    case metrics::Unit::Hertz:
        return kHertz;
    case metrics::Unit::PerSecond:
        return kPerSecond;
    case metrics::Unit::Count:
    case metrics::Unit::None:
        return kCounts;
    case metrics::Unit::Ratio:
    case metrics::Unit::FlopPerByte:
    case metrics::Unit::OpPerByte:
        break;
    }
    return {};
}

int digitsBeforePoint(double value) {
    return static_cast<int>(std::floor(std::log10(value))) + 1;
}

} // namespace

QString NumberScale::text(double value) const {
    return fixed(value / factor, decimals);
}

QString NumberScale::titled(const QString& title) const {
    return unit.isEmpty() ? title : title + QStringLiteral(", ") + unit;
}

NumberScale scaleFor(metrics::Unit unit, std::span<const double> values) {
    double largest = 0, smallest = 0;
    for (const double value : values) {
        const double magnitude = std::abs(value);
        largest = std::max(largest, magnitude);
        if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
    }
    NumberScale scale;
    if (unit == metrics::Unit::Ratio) scale = {.factor = 0.01, .unit = QStringLiteral("%")};
    if (unit == metrics::Unit::FlopPerByte) scale.unit = QStringLiteral("FLOP/B");
    if (unit == metrics::Unit::OpPerByte) scale.unit = QStringLiteral("op/B");
    const std::span<const Step> steps = stepsOf(unit);
    const bool plain = unit == metrics::Unit::Count || unit == metrics::Unit::None;
    for (const Step& step : steps) {
        if (step.factor > 1 && (largest < step.factor || (plain && largest < kLongCount))) break;
        scale.factor = step.factor;
        scale.unit = QString::fromUtf8(step.unit);
    }
    const bool whole = std::ranges::all_of(
        values, [&](double value) { return value / scale.factor == std::round(value / scale.factor); });
    if (whole || largest == 0) return scale;
    constexpr int kMostDecimals = 3;
    scale.decimals = std::clamp(std::max(3 - digitsBeforePoint(largest / scale.factor),
                                         2 - digitsBeforePoint(smallest / scale.factor)),
                                0, kMostDecimals);
    return scale;
}

} // namespace dormer::ui::look
