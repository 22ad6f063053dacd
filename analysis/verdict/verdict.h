// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/practical.h"
#include "analysis/verdict/roofline.h"

#include <array>

namespace dormer::verdict {

enum class Bound { Unknown, Memory, Compute, Latency, Balanced };
[[nodiscard]] std::string_view
toString(Bound bound); ///< "memory", "compute", "latency", "balanced", "unknown"

/// Why a launch is bound by latency.
enum class LatencyReason { None, TooShort, SmallGrid, LowOccupancy, TailWave, DependencyStalls };
[[nodiscard]] std::string_view toString(LatencyReason reason);

/// What bounds one launch. The numbers it rests on are all here; nothing is clamped.
struct Verdict {
    Bound bound = Bound::Unknown;
    device::Resource resource = device::Resource::Dram; ///< the most used one; meaningless for Unknown
    LatencyReason reason = LatencyReason::None;
    std::string_view
        stall; ///< what warps wait for most (stalls::findState), where they were sampled; else empty
    std::array<std::optional<double>, device::kResourceCount>
        utilization; ///< time at the ceiling / duration, by Resource; of what an SM has, of the SMs at work
    double workingSms = 1;             ///< share of the SMs that work: device::workingSmShare
    double smsWithBlocks = 1;          ///< share of the SMs that get a block at all
    std::optional<double> practicalL2; ///< L2 bytes against what L2 reaches in practice (practical.h)
    Work work = Work::Fp32;            ///< the work of the textbook answer
    std::optional<double> intensity;   ///< work per DRAM byte
    std::optional<double> ridge;
    std::optional<Bound> textbook; ///< intensity against ridge: Memory or Compute

    [[nodiscard]] std::optional<double> highest() const {
        return utilization[static_cast<std::size_t>(resource)];
    }
    /// Utilization of the whole device: idle SMs count as idle.
    [[nodiscard]] std::optional<double> ofDevice(device::Resource of) const {
        const auto& share = utilization[static_cast<std::size_t>(of)];
        return share && device::isPerSm(of) ? std::optional(*share * workingSms) : share;
    }
    [[nodiscard]] bool agrees() const { return textbook && *textbook == bound; }
};

/// At or above this share of a ceiling a resource counts as the bound; below it for all, latency bounds.
inline constexpr double kBoundUtilization = 0.6;
/// Two resources from different sides closer than this make a launch balanced.
inline constexpr double kBalancedGap = 0.1;
/// Shorter launches can't be judged: launch and drain dominate.
inline constexpr double kTooShortNs = 5000;

[[nodiscard]] Verdict judge(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch);

/// Of the block slots of all waves, those that the last one leaves empty, 0..1: what a tail can cost at most
/// if blocks are equally long. 0 below one wave.
[[nodiscard]] double emptyShareOfWaves(double waves);

/// "Memory-bound (DRAM)", "Latency-bound: grid too small to fill the GPU", "Latency-bound: long scoreboard
/// stalls", "Not enough counters to judge".
[[nodiscard]] std::string headline(const Verdict& verdict);
/// One reason per line, most important first, with scaled numbers; ends with what is undetermined and why.
[[nodiscard]] std::vector<std::string> evidence(const metrics::MetricEvaluator& metrics,
                                                session::LaunchIndex launch, const Verdict& verdict);

} // namespace dormer::verdict
