// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/excess.h"
#include "analysis/verdict/measured.h"

#include "analysis/device/occupancy.h"
#include "analysis/metrics/format.h"
#include "analysis/stalls/kernel_stalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::verdict {

namespace {

std::string counted(double number, std::string_view what) {
    return fmt::format("{} {}{}", metrics::forPeople(number, metrics::Unit::Count), what,
                       number == 1 ? "" : "s");
}

/// Writes the lines of one launch; each adds nothing when its numbers are absent.
class Article {
public:
    Article(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch, const Verdict& verdict)
        : m_metrics(metrics)
        , m_launch(launch)
        , m_verdict(verdict)
        , m_measured(measuredShares(metrics, launch)) {}

    std::vector<std::string> write() {
        if (!value("duration_ns")) {
            m_lines.emplace_back("No valid duration was recorded, so there are no rates");
            return m_lines;
        }
        if (m_verdict.bound == Bound::Latency)
            latency();
        else if (m_verdict.bound != Bound::Unknown)
            bound(m_verdict.resource);
        access();
        conflicts();
        if (m_verdict.bound == Bound::Balanced) otherSide();
        parallelism();
        stalls();
        textbook();
        unknown();
        return m_lines;
    }

private:
    std::optional<double> value(std::string_view metric) const { return m_metrics.value(m_launch, metric); }

    std::optional<double> utilization(device::Resource resource) const {
        return m_verdict.utilization[static_cast<std::size_t>(resource)];
    }

    void bound(device::Resource resource) {
        const std::string share = metrics::forPeople(utilization(resource), metrics::Unit::Ratio);
        switch (resource) {
        case device::Resource::Dram:
            m_lines.push_back(fmt::format(
                "DRAM moved {} at {}, {} of peak",
                metrics::forPeople(value("dram_bytes"), metrics::Unit::Bytes),
                metrics::forPeople(value("dram_bytes_per_second"), metrics::Unit::BytesPerSecond), share));
            break;
        case device::Resource::L2:
            l2(share);
            break;
        case device::Resource::L1:
            m_lines.push_back(fmt::format(
                "L1 moved {} at {}, {} of peak", metrics::forPeople(value("l1_bytes"), metrics::Unit::Bytes),
                metrics::forPeople(value("l1_bytes_per_second"), metrics::Unit::BytesPerSecond), share));
            break;
        case device::Resource::Shared:
            m_lines.push_back(
                fmt::format("Shared memory was busy {} of the time with {} wavefronts", share,
                            metrics::forPeople(value("shared_wavefronts"), metrics::Unit::Count)));
            break;
        case device::Resource::IssueSlots:
            m_lines.push_back(fmt::format(
                "{} warp instructions issued, {} of the issue slots",
                metrics::forPeople(value("warp_instructions_issued"), metrics::Unit::Count), share));
            break;
        case device::Resource::Fp32:
            arithmetic(resource, "flops_fp32_per_second", "FLOP/s", share);
            break;
        case device::Resource::Fp64:
            arithmetic(resource, "flops_fp64_per_second", "FLOP/s", share);
            break;
        case device::Resource::Fp16:
            arithmetic(resource, "flops_fp16_per_second", "FLOP/s", share);
            break;
        case device::Resource::Tensor:
            arithmetic(resource, "tensor_ops_per_second", "op/s", share);
            break;
        case device::Resource::Integer:
            arithmetic(resource, "integer_ops_per_second", "op/s", share);
            break;
        }
        const auto& measured = m_measured[static_cast<std::size_t>(resource)];
        if (measured && resource != device::Resource::L2)
            m_lines.back() +=
                fmt::format(", {} of the measured roof", metrics::forPeople(measured, metrics::Unit::Ratio));
    }

    void l2(const std::string& share) {
        const auto l2Bytes = value("l2_bytes");
        const auto dramBytes = value("dram_bytes");
        if (l2Bytes && dramBytes) {
            m_lines.push_back(fmt::format("L2 moved {}, DRAM {}{}",
                                          metrics::forPeople(l2Bytes, metrics::Unit::Bytes),
                                          *dramBytes < *l2Bytes / 2 ? "only " : "",
                                          metrics::forPeople(dramBytes, metrics::Unit::Bytes)));
        }
        const auto lookups = value("l2_lookup_utilization");
        if (lookups && lookups == utilization(device::Resource::L2)) {
            m_lines.push_back(fmt::format("L2 tag lookups at {} of peak: {:.1f} sectors per lookup (ideal 4)",
                                          share, value("l2_sectors_per_lookup").value_or(0)));
        } else {
            m_lines.push_back(fmt::format(
                "L2 throughput is {}, {} of peak{}",
                metrics::forPeople(value("l2_bytes_per_second"), metrics::Unit::BytesPerSecond), share,
                m_verdict.practicalL2
                    ? fmt::format(", {} of {}",
                                  metrics::forPeople(m_verdict.practicalL2, metrics::Unit::Ratio),
                                  m_measured[static_cast<std::size_t>(device::Resource::L2)]
                                      ? "the measured roof"
                                      : "what L2 reaches in practice")
                    : ""));
        }
    }

    void arithmetic(device::Resource resource, std::string_view rate, std::string_view unit,
                    const std::string& share) {
        m_lines.push_back(fmt::format("{}: {}{}, {} of peak at this clock", device::title(resource),
                                      metrics::withSiPrefix(value(rate).value_or(0)), unit, share));
    }

    void latency() {
        const auto waves = value("waves");
        const auto achieved = value("achieved_occupancy");
        switch (m_verdict.reason) {
        case LatencyReason::TooShort:
            m_lines.push_back(
                fmt::format("{} is too short to judge: launch overhead dominates below {}",
                            metrics::forPeople(value("duration_ns"), metrics::Unit::Nanoseconds),
                            metrics::forPeople(kTooShortNs, metrics::Unit::Nanoseconds)));
            break;
        case LatencyReason::SmallGrid:
            m_lines.push_back(fmt::format("Grid of {} on {} SMs: {} of a full wave",
                                          counted(value("grid_blocks").value_or(0), "block"), smCount(),
                                          metrics::forPeople(waves, metrics::Unit::Ratio)));
            break;
        case LatencyReason::LowOccupancy:
            lowOccupancy();
            break;
        case LatencyReason::TailWave:
            m_lines.push_back(
                fmt::format("{:.2f} waves: the partial last wave leaves {} of all block slots empty", *waves,
                            metrics::forPeople(emptyShareOfWaves(*waves), metrics::Unit::Ratio)));
            break;
        case LatencyReason::DependencyStalls:
            m_lines.push_back(fmt::format("Warps stall on dependencies although achieved occupancy is {}",
                                          metrics::forPeople(achieved, metrics::Unit::Ratio)));
            break;
        case LatencyReason::None:
            break;
        }
        const bool someIdle = m_verdict.workingSms < 1 && device::isPerSm(m_verdict.resource);
        m_lines.push_back(fmt::format("No resource above {} of {}peak; highest: {} ({}{})",
                                      metrics::forPeople(kBoundUtilization, metrics::Unit::Ratio),
                                      someIdle ? "the GPU's " : "", device::title(m_verdict.resource),
                                      metrics::forPeople(m_verdict.highest(), metrics::Unit::Ratio),
                                      someIdle ? " on the SMs that work" : ""));
    }

    void lowOccupancy() {
        const session::Session& session = m_metrics.session();
        const session::Launch& launch = session.launch(m_launch);
        const session::Device* device = session.deviceOf(m_launch);
        const auto limit = device != nullptr
                               ? device::theoreticalOccupancy(*device, session.kernelOf(m_launch),
                                                              launch.block, launch.dynamicSharedBytes)
                               : std::nullopt;
        const auto theoretical = value("theoretical_occupancy");
        std::string line = fmt::format("Achieved occupancy is {}",
                                       metrics::forPeople(value("achieved_occupancy"), metrics::Unit::Ratio));
        if (theoretical)
            line += fmt::format(", theoretical {}", metrics::forPeople(theoretical, metrics::Unit::Ratio));
        // The limiter is only the answer when the rules agree with what the driver allowed.
        if (limit && theoretical && *theoretical < 1 &&
            limit->blocksPerSm == value("blocks_per_sm").value_or(0))
            line += fmt::format("; limited by {}", device::toString(limit->limiter));
        const double waves = value("waves").value_or(1);
        if (waves < 1)
            line += fmt::format("; {} on {} SMs fill {} of a wave",
                                counted(value("grid_blocks").value_or(0), "block"), smCount(),
                                metrics::forPeople(waves, metrics::Unit::Ratio));
        m_lines.push_back(std::move(line));
    }

    int smCount() const {
        const session::Device* device = m_metrics.session().deviceOf(m_launch);
        return device != nullptr ? device->smCount : 0;
    }

    /// "loads: 32 sectors/request (ideal 4)", for the worse of loads and stores.
    void access() {
        struct Direction {
            std::string_view name;
            std::optional<double> actual, ideal;
        };
        const Direction directions[] = {{"load", value("global_load_sectors_per_request"),
                                         value("global_load_sectors_ideal_per_request")},
                                        {"store", value("global_store_sectors_per_request"),
                                         value("global_store_sectors_ideal_per_request")}};
        const Direction* worst = nullptr;
        for (const Direction& each : directions) {
            if (!access::isExcess(each.actual, each.ideal)) continue;
            if (worst == nullptr || *each.actual / *each.ideal > *worst->actual / *worst->ideal)
                worst = &each;
        }
        if (worst == nullptr) return;
        m_lines.push_back(fmt::format(
            "{}s: {:.3g} sectors/request (ideal {:.3g}); {} of the global traffic is wasted", worst->name,
            *worst->actual, *worst->ideal,
            metrics::forPeople(1 - value("global_access_efficiency").value_or(1), metrics::Unit::Ratio)));
    }

    void conflicts() {
        const auto excess = value("shared_wavefronts_excess");
        const auto all = value("shared_wavefronts");
        if (!excess || !all || !access::isExcess(*all, *all - *excess)) return;
        m_lines.push_back(
            fmt::format("{} shared-memory wavefronts (ideal {}): bank conflicts",
                        metrics::forPeople(all, metrics::Unit::Count),
                        metrics::forPeople(value("shared_wavefronts_ideal"), metrics::Unit::Count)));
    }

    /// Balanced: the best of the side that the first line is not about.
    void otherSide() {
        std::optional<device::Resource> best;
        for (int i = 0; i < device::kResourceCount; ++i) {
            const auto resource = static_cast<device::Resource>(i);
            if (device::isMemory(resource) == device::isMemory(m_verdict.resource) || !utilization(resource))
                continue;
            if (!best || utilization(resource) > utilization(*best)) best = resource;
        }
        if (best) bound(*best);
    }

    void parallelism() {
        const auto waves = value("waves");
        const auto achieved = value("achieved_occupancy");
        if (!waves || !achieved || m_verdict.bound == Bound::Unknown) return;
        if (m_verdict.bound == Bound::Latency && m_verdict.reason != LatencyReason::DependencyStalls) return;
        const bool enough = *waves >= 1 && *achieved >= 0.5;
        m_lines.push_back(fmt::format("{} occupancy, {:.3g} {}{}",
                                      metrics::forPeople(achieved, metrics::Unit::Ratio), *waves,
                                      *waves == 1 ? "wave" : "waves", enough ? ": enough parallelism" : ""));
    }

    /// "Warps were sampled 19756 times, 95 % of them stalled, mostly by long scoreboard (95 %), at a.cu:24"
    void stalls() {
        if (m_verdict.stall.empty()) return;
        const session::Session& session = m_metrics.session();
        const stalls::KernelStalls kernel = stalls::kernelStalls(session, session.launch(m_launch).kernel);
        const auto all = static_cast<double>(kernel.states.samples());
        const auto share = [all](std::uint64_t samples) {
            return metrics::forPeople(static_cast<double>(samples) / all, metrics::Unit::Ratio);
        };
        std::string line = fmt::format("{} of the {} sampled warps are stalled, mostly by {} ({})",
                                       share(stalls::stalledSamples(kernel.states)),
                                       metrics::forPeople(all, metrics::Unit::Count), m_verdict.stall,
                                       share(stalls::samplesOf(kernel.states, kernel.mainStall)));
        const stalls::LineStalls* worst = stalls::worstLine(kernel, kernel.mainStall);
        if (worst != nullptr && worst->place.line > 0)
            line += fmt::format(", most of these at {}", stalls::placeText(worst->place));
        m_lines.push_back(std::move(line));
    }

    void textbook() {
        if (!m_verdict.textbook) return;
        const bool flop =
            m_verdict.work == Work::Fp32 || m_verdict.work == Work::Fp64 || m_verdict.work == Work::Tensor;
        std::string line = fmt::format(
            "AI {} {} {} ridge {:.3g}",
            metrics::forPeople(m_verdict.intensity,
                               flop ? metrics::Unit::FlopPerByte : metrics::Unit::OpPerByte),
            *m_verdict.textbook == Bound::Memory ? "<" : "≥", title(m_verdict.work), *m_verdict.ridge);
        if (m_verdict.bound == Bound::Memory || m_verdict.bound == Bound::Compute) {
            line += m_verdict.agrees()
                        ? ": consistent with the verdict"
                        : fmt::format(": by itself it suggests {}-bound", toString(*m_verdict.textbook));
        }
        m_lines.push_back(std::move(line));
    }

    /// What is undetermined, and which counter it needs.
    void unknown() {
        const session::Launch& launch = m_metrics.session().launch(m_launch);
        const bool nothing =
            std::ranges::none_of(m_verdict.utilization, [](const auto& u) { return u.has_value(); });
        if (nothing && !m_metrics.session().hasCounters(m_launch)) {
            m_lines.push_back(launch.notCounted.empty()
                                  ? "Counters not collected"
                                  : fmt::format("Counters not collected: {}", launch.notCounted));
            return;
        }
        static constexpr std::pair<device::Resource, std::string_view> kAmounts[] = {
            {device::Resource::Dram, "dram_bytes"},
            {device::Resource::L2, "l2_bytes"},
            {device::Resource::L1, "l1_bytes"},
            {device::Resource::Shared, "shared_bytes"},
            {device::Resource::Fp32, "flops_fp32"},
            {device::Resource::Fp64, "flops_fp64"},
            {device::Resource::Fp16, "flops_fp16"},
            {device::Resource::Integer, "integer_ops"},
            {device::Resource::IssueSlots, "warp_instructions_issued"}};
        std::string resources;
        std::string counters;
        std::string withoutCeiling;
        const auto append = [](std::string& list, std::string_view item) {
            list += list.empty() ? "" : ", ";
            list += item;
        };
        for (const auto& [resource, metric] : kAmounts) {
            if (utilization(resource)) continue;
            const std::string missing = m_metrics.missingInput(m_launch, metric);
            if (missing.empty()) {
                append(withoutCeiling, device::title(resource));
                continue;
            }
            append(resources, device::title(resource));
            if (counters.find(missing) == std::string::npos) append(counters, missing);
        }
        if (!resources.empty())
            m_lines.push_back(fmt::format("Undetermined: {}; not collected: {}", resources, counters));
        if (!withoutCeiling.empty())
            m_lines.push_back(
                fmt::format("Undetermined: {}; no ceiling is known for this device", withoutCeiling));
        if (const auto tensor = value("tensor_instructions"); tensor.value_or(0) > 0) addTensor(*tensor);
    }

    void addTensor(double instructions) {
        if (utilization(device::Resource::Tensor)) return;
        const std::string ran = fmt::format("{} tensor instructions executed",
                                            metrics::forPeople(instructions, metrics::Unit::Count));
        const auto flops = value("flops_tensor"), integers = value("integer_ops_tensor");
        const double counted = flops.value_or(0) + integers.value_or(0);
        if (!flops) {
            m_lines.push_back(ran + ": tensor work is not counted (use --set tensor)");
        } else if (counted == 0) { // formats that none of the counters stand for
            m_lines.push_back(ran + ": tensor work is not counted");
        } else {
            m_lines.push_back(fmt::format("{}, {} operations: no ceiling is known for them", ran,
                                          metrics::forPeople(counted, metrics::Unit::Count)));
        }
    }

    const metrics::MetricEvaluator& m_metrics;
    session::LaunchIndex m_launch;
    const Verdict& m_verdict;
    MeasuredShares m_measured;
    std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> evidence(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                  const Verdict& verdict) {
    return Article(metrics, launch, verdict).write();
}

} // namespace dormer::verdict
