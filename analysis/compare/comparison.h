// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare/bootstrap.h"
#include "analysis/compare/match.h"

namespace dormer::compare {

enum class Change { Faster, Slower, Same, Unsure };
[[nodiscard]] std::string_view toString(Change change); ///< "faster", "slower", "same", "unsure"

/// Launches a side that a verdict on measured times takes at least.
inline constexpr std::size_t kFewestLaunches = 5;
/// Changes of the median by less than this share are none.
inline constexpr double kDefaultMargin = 0.02;

/// A counter whose value is another one now.
struct CounterChange {
    std::string counter;
    double base = 0, fresh = 0; ///< of each launch, or the median over launches where they differ
    bool exact = false;         ///< all launches of a side have the same value
    /// fresh / base; absent where base is 0
    [[nodiscard]] std::optional<double> ratio() const {
        return base == 0 ? std::nullopt : std::optional(fresh / base);
    }
};

struct KernelComparison {
    Match match;
    std::size_t baseLaunches = 0, freshLaunches = 0;
    std::optional<double> baseNs, freshNs; ///< medians; absent where no launch was timed
    std::optional<Interval> interval;      ///< of the ratio; absent where times are exact or not known
    Change change = Change::Unsure;
    std::string why;                     ///< of Unsure: "3 launches a side are too few"
    std::vector<CounterChange> counters; ///< those that changed, the largest change first
    std::size_t countersCompared = 0;

    [[nodiscard]] std::optional<double> ratio() const {
        return baseNs && freshNs ? std::optional(*freshNs / *baseNs) : std::nullopt;
    }
    /// Change of the time of all launches, as if there were as many as in the base.
    [[nodiscard]] double savedNs() const {
        return baseNs && freshNs ? (*baseNs - *freshNs) * static_cast<double>(baseLaunches) : 0;
    }
};

struct Comparison {
    std::vector<KernelLaunches> base, fresh;
    std::vector<KernelComparison> kernels;        ///< the largest change of time first
    std::vector<std::size_t> onlyBase, onlyFresh; ///< indices into base and fresh
    std::vector<std::string> warnings;
};

/// What stands against comparing the times of two sessions at all: another device, another origin. Empty when
/// nothing does.
[[nodiscard]] std::vector<std::string> incomparable(const session::Session& base,
                                                    const session::Session& fresh);

/// Compares what both sessions have. `margin`: see kDefaultMargin. Times of the emulator are predicted from
/// exact counts, so they are compared as they are; other times by ratioInterval: faster when all of the
/// interval is below 1 and the median by more than the margin, slower likewise, same when all of it lies
/// within the margin, else unsure. Where incomparable() holds, or clocks differ, the times of all kernels are
/// unsure.
[[nodiscard]] Comparison compareSessions(const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh,
                                         double margin = kDefaultMargin);

} // namespace dormer::compare
