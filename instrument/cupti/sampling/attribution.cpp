// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/attribution.h"

#include "instrument/cupti/sampling/activity_series.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace dormer::instrument::cupti::sampling {

namespace {

/// More rounds change rates by less than a thousandth.
constexpr int kRounds = 12;
/// What was shared out may be off by this part of it, launch by launch: seen on an H100 against counters of
/// launches alone (docs/sampling.md).
constexpr double kSharedError = 0.25;

struct Share {
    double value = 0, shared = 0, coveredNs = 0;
};

} // namespace

/// A launch's part of a sample.
struct Attribution::Piece {
    std::size_t sample = 0;
    std::size_t kernel = 0;
    double overlapNs = 0;
    bool alone = false; ///< no other launch is in the sample
};

/// In order of samples.
struct Attribution::Pieces {
    std::vector<Piece> all;
    std::vector<std::pair<std::size_t, std::size_t>> ofSample; ///< begin and end in `all`
    std::vector<double> coveredNs;                             ///< by kernel
};

std::optional<double> Attribution::Total::uncertainty() const {
    if (!(value > 0)) return std::nullopt;
    double spread = 0;
    if (whole >= 2 && d > 0) {
        // Of a ratio of means: W. Cochran, Sampling Techniques, 2.11.
        const double rate = x / d;
        const double residual = std::max(0.0, xx - 2 * rate * xd + rate * rate * dd);
        spread = x > 0 ? std::sqrt(residual / (whole * (whole - 1))) / (x / whole) : 0;
    }
    const double border = kSharedError * shared / value / std::sqrt(std::max(1.0, launches));
    return std::hypot(spread, border);
}

void Attribution::addCounter(const Pieces& pieces, const Burst& burst, std::size_t column,
                             const SampleGroup& group, std::span<const KernelInterval> kernels,
                             std::vector<Whole>& wholes) {
    const SampledMetric& metric = group[column];
    const std::size_t sectors = sectorsColumn(group);
    std::vector<double> values(burst.size());
    for (std::size_t i = 0; i < burst.size(); ++i)
        values[i] = valueOf(burst, i, column, group, sectors);

    std::vector<Share> ofKernel(kernels.size());
    const auto give = [&](const Piece& piece, double value) {
        Share& share = ofKernel[piece.kernel];
        share.value += value;
        share.coveredNs += piece.overlapNs;
        if (!piece.alone) share.shared += value;
    };
    if (metric.meaning == Meaning::Mean || metric.meaning == Meaning::Constant) {
        for (const Piece& piece : pieces.all)
            if (std::isfinite(values[piece.sample])) give(piece, values[piece.sample] * piece.overlapNs);
    } else {
        struct Rate {
            double value = 0, coveredNs = 0; ///< known before and seen alone
            double given = 0, overlapNs = 0; ///< of mixed samples
            [[nodiscard]] double perNs() const {
                const double time = coveredNs + overlapNs;
                return time > 0 ? (value + given) / time : 0;
            }
        };
        std::unordered_map<std::uint32_t, Rate> rates;
        for (const Piece& piece : pieces.all) {
            const std::uint32_t signature = kernels[piece.kernel].signature;
            const auto [rate, isNew] = rates.try_emplace(signature);
            if (isNew)
                if (const auto known = m_totals.find(signature); known != m_totals.end())
                    if (const auto total = known->second.find(metric.counter); total != known->second.end())
                        rate->second = {total->second.value, total->second.coveredNs};
            if (!piece.alone || !std::isfinite(values[piece.sample])) continue;
            rate->second.value += values[piece.sample];
            rate->second.coveredNs += piece.overlapNs;
        }
        const auto shareOut = [&](const auto& take) {
            for (const auto& [begin, end] : pieces.ofSample) {
                if (begin == end || pieces.all[begin].alone) continue;
                const double value = values[pieces.all[begin].sample];
                if (!std::isfinite(value)) continue;
                double weights = 0, overlap = 0;
                for (std::size_t i = begin; i < end; ++i) {
                    const Piece& piece = pieces.all[i];
                    weights += rates[kernels[piece.kernel].signature].perNs() * piece.overlapNs;
                    overlap += piece.overlapNs;
                }
                for (std::size_t i = begin; i < end; ++i) {
                    const Piece& piece = pieces.all[i];
                    const double weight = weights > 0 ? rates[kernels[piece.kernel].signature].perNs() *
                                                            piece.overlapNs / weights
                                                      : piece.overlapNs / overlap;
                    take(piece, value * weight);
                }
            }
        };
        // A signature that was never alone starts as busy as the mean, so that it can get a share at all.
        double all = 0, time = 0;
        for (const double value : values)
            all += std::isfinite(value) ? value : 0;
        for (const Piece& piece : pieces.all)
            time += piece.overlapNs;
        for (auto& [signature, rate] : rates)
            if (rate.coveredNs == 0 && time > 0) rate = {0, 0, all / time, 1};
        for (int round = 0; round < kRounds; ++round) {
            std::unordered_map<std::uint32_t, Rate> next = rates;
            for (auto& [signature, rate] : next)
                rate.given = rate.overlapNs = 0;
            shareOut([&](const Piece& piece, double value) {
                Rate& rate = next[kernels[piece.kernel].signature];
                rate.given += value;
                rate.overlapNs += piece.overlapNs;
            });
            rates = std::move(next);
        }
        for (const Piece& piece : pieces.all)
            if (piece.alone && std::isfinite(values[piece.sample])) give(piece, values[piece.sample]);
        shareOut(give);
    }

    const auto isMean = metric.meaning == Meaning::Mean || metric.meaning == Meaning::Constant;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Share& share = ofKernel[i];
        if (share.coveredNs <= 0) continue;
        const auto duration = static_cast<double>(kernels[i].endNs - kernels[i].startNs);
        Total& total = m_totals[kernels[i].signature][metric.counter];
        total.value += share.value;
        total.coveredNs += share.coveredNs;
        total.shared += share.shared;
        total.launches += share.coveredNs / duration;
        // Rounding of times may leave a nanosecond out.
        if (pieces.coveredNs[i] < duration - 1) continue;
        total.whole += 1;
        total.x += share.value;
        total.d += duration;
        total.xx += share.value * share.value;
        total.xd += share.value * duration;
        total.dd += duration * duration;
        if (duration < kWholeIntervals * static_cast<double>(burst.intervalNs)) continue;
        const auto known = std::ranges::find(wholes, i, &Whole::kernel);
        Whole& whole = known != wholes.end() ? *known : wholes.emplace_back(Whole{i, {}});
        whole.values.emplace_back(metric.counter, isMean ? share.value / share.coveredNs : share.value);
    }
}

std::vector<Attribution::Whole> Attribution::add(const Burst& burst, const SampleGroup& group,
                                                 std::span<const KernelInterval> kernels,
                                                 std::int64_t offsetNs) {
    Pieces pieces;
    pieces.coveredNs.resize(kernels.size());
    // Kernels that may still run into later samples, by place.
    std::vector<std::size_t> running;
    std::size_t next = 0;
    for (std::size_t i = 0; i < burst.size(); ++i) {
        const std::int64_t from = burst.startNs[i] + offsetNs, to = burst.endNs[i] + offsetNs;
        for (; next < kernels.size() && kernels[next].startNs < to; ++next)
            running.push_back(next);
        std::erase_if(running, [&](std::size_t kernel) { return kernels[kernel].endNs <= from; });
        const std::size_t begin = pieces.all.size();
        for (const std::size_t kernel : running) {
            const std::int64_t overlap =
                std::min(to, kernels[kernel].endNs) - std::max(from, kernels[kernel].startNs);
            if (overlap <= 0) continue;
            pieces.all.push_back({i, kernel, static_cast<double>(overlap), false});
            pieces.coveredNs[kernel] += static_cast<double>(overlap);
        }
        if (pieces.all.size() == begin + 1) pieces.all.back().alone = true;
        pieces.ofSample.emplace_back(begin, pieces.all.size());
    }
    std::vector<Whole> wholes;
    for (std::size_t column = 0; column < group.size(); ++column)
        addCounter(pieces, burst, column, group, kernels, wholes);
    return wholes;
}

} // namespace dormer::instrument::cupti::sampling
