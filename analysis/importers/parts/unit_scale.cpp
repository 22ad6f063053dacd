// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/unit_scale.h"

#include <algorithm>
#include <array>
#include <string>

namespace dormer::importers {

namespace {

struct Scaled {
    std::string_view unit; ///< lower case
    double scale;
};

// Nanoseconds of a unit of time.
constexpr auto kTimes = std::to_array<Scaled>({{"nsecond", 1},
                                               {"ns", 1},
                                               {"usecond", 1e3},
                                               {"us", 1e3},
                                               {"µs", 1e3},
                                               {"msecond", 1e6},
                                               {"ms", 1e6},
                                               {"second", 1e9},
                                               {"s", 1e9},
                                               {"minute", 60e9},
                                               {"min", 60e9},
                                               {"hour", 3600e9},
                                               {"h", 3600e9}});

// Units that take a prefix.
constexpr std::array<std::string_view, 14> kPrefixed = {"byte",   "b",       "hz",     "cycle",   "inst",
                                                        "sector", "request", "thread", "warp",    "block",
                                                        "op",     "flop",    "bit",    "register"};

constexpr auto kPrefixes = std::to_array<Scaled>({{"ki", 1024},
                                                  {"mi", 1048576},
                                                  {"gi", 1073741824},
                                                  {"ti", 1099511627776},
                                                  {"k", 1e3},
                                                  {"m", 1e6},
                                                  {"g", 1e9},
                                                  {"t", 1e12},
                                                  {"p", 1e15}});

const Scaled* timeNamed(std::string_view unit) {
    const auto found = std::ranges::find(kTimes, unit, &Scaled::unit);
    return found == kTimes.end() ? nullptr : &*found;
}

double scaleOf(std::string_view unit) {
    if (const Scaled* time = timeNamed(unit)) return time->scale;
    for (const Scaled& prefix : kPrefixes)
        if (unit.starts_with(prefix.unit) &&
            std::ranges::find(kPrefixed, unit.substr(prefix.unit.size())) != kPrefixed.end())
            return prefix.scale;
    return 1;
}

} // namespace

double unitScale(std::string_view unit) {
    std::string lower(unit);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const std::size_t slash = lower.find('/');
    const double numerator = scaleOf(std::string_view(lower).substr(0, slash));
    if (slash == std::string::npos) return numerator;
    const std::string_view below = std::string_view(lower).substr(slash + 1);
    // Rates are per second. Any other prefix scales the number as a whole, wherever it stands: ncu shows the
    // 2614 %/byte of its reports as 2.614 %/Kbyte.
    if (const Scaled* time = timeNamed(below)) return numerator * 1e9 / time->scale;
    return numerator * scaleOf(below);
}

} // namespace dormer::importers
