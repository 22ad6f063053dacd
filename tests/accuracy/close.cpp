// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/close.h"

#include "analysis/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::accuracy {

using namespace device;

using namespace metrics;

using namespace session;

using namespace store;

using namespace verdict;

namespace {

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class Models {
public:
    Models(const Session& recorded, const Session& emulated)
        : m_recorded(recorded)
        , m_emulated(emulated)
        , m_recordedMetrics(recorded)
        , m_emulatedMetrics(emulated) {}

    CloseRow row(const KernelPair& pair) const {
        CloseRow row;
        row.label = pair.label;
        row.l1HitRate = metric(pair, "l1_hit_rate");
        row.l2HitRate = metric(pair, "l2_hit_rate");
        row.dramBytes = metric(pair, "dram_bytes");
        row.durationNs = duration(pair);
        const bool isShort = !row.durationNs || row.durationNs->recorded < kTooShortNs;
        const Device* device = m_recorded.deviceOf(pair.recorded.front());
        // Counters of launches this short hold what starting them moves; and what fits into L2 may still be
        // there from before, on the GPU.
        if (row.l1HitRate) row.l1HitRate->judged = !isShort;
        if (row.l2HitRate) row.l2HitRate->judged = !isShort;
        if (row.dramBytes)
            row.dramBytes->judged =
                device != nullptr && row.dramBytes->recorded > static_cast<double>(device->l2Bytes);
        const Verdict here = judge(m_recordedMetrics, middleLaunch(pair));
        row.recordedVerdict = toString(here.bound);
        row.recordedHeadline = headline(here);
        row.emulatedVerdict = toString(judge(m_emulatedMetrics, pair.emulated).bound);
        return row;
    }

private:
    std::optional<Modelled> metric(const KernelPair& pair, const char* name) const {
        std::vector<double> values;
        for (const LaunchIndex launch : pair.recorded)
            if (const auto value = m_recordedMetrics.value(launch, name)) values.push_back(*value);
        const std::optional<double> here = median(values);
        const std::optional<double> there = m_emulatedMetrics.value(pair.emulated, name);
        if (!here || !there) return std::nullopt;
        return Modelled{*here, *there};
    }
    std::optional<Modelled> duration(const KernelPair& pair) const {
        std::vector<double> values;
        for (const LaunchIndex launch : pair.recorded)
            if (const auto& value = m_recorded.launch(launch).durationNs) values.push_back(*value);
        const std::optional<double> here = median(values);
        const std::optional<double> there = m_emulated.launch(pair.emulated).durationNs;
        if (!here || !there) return std::nullopt;
        return Modelled{*here, *there};
    }
    /// The launch of median duration.
    LaunchIndex middleLaunch(const KernelPair& pair) const {
        std::vector<LaunchIndex> launches = pair.recorded;
        std::ranges::sort(launches, {}, [this](LaunchIndex launch) {
            return m_recorded.launch(launch).durationNs.value_or(0);
        });
        return launches[launches.size() / 2];
    }

    const Session &m_recorded, &m_emulated;
    MetricEvaluator m_recordedMetrics, m_emulatedMetrics;
};

} // namespace

CloseResult compareModels(const Session& recorded, const Session& emulated, const Pairs& pairs) {
    CloseResult result;
    const Models models(recorded, emulated);
    std::vector<double> errors;
    std::size_t same = 0;
    for (const KernelPair& pair : pairs.kernels) {
        CloseRow row = models.row(pair);
        const auto miss = [&](const std::optional<Modelled>& number, double off, double bar,
                              const char* name) {
            if (number && number->judged && std::abs(off) > bar)
                result.missed.push_back(fmt::format("{}: {} is {:+.1f} off, {:.0f} allowed (hundredths)",
                                                    row.label, name, off * 100, bar * 100));
        };
        if (row.l1HitRate) miss(row.l1HitRate, row.l1HitRate->difference(), kL1Points, "L1 hit rate");
        if (row.l2HitRate) miss(row.l2HitRate, row.l2HitRate->difference(), kL2Points, "L2 hit rate");
        if (row.dramBytes) miss(row.dramBytes, row.dramBytes->share(), kDramShare, "DRAM bytes");
        if (row.durationNs) errors.push_back(std::abs(row.durationNs->share()));
        same += row.recordedVerdict == row.emulatedVerdict ? 1 : 0;
        result.rows.push_back(std::move(row));
    }
    result.medianTimeError = median(errors).value_or(1);
    result.sameSide =
        pairs.kernels.empty() ? 0 : static_cast<double>(same) / static_cast<double>(pairs.kernels.size());
    if (result.medianTimeError > kMedianTime)
        result.missed.push_back(
            fmt::format("median error of the time: {:.0f} %", result.medianTimeError * 100));
    if (result.sameSide < kSameSide)
        result.missed.push_back(fmt::format("same verdict: {:.0f} % of the kernels", result.sameSide * 100));
    return result;
}

} // namespace dormer::accuracy
