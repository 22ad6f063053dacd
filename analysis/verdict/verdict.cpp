// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/verdict.h"

#include "analysis/verdict/atomics.h"
#include "analysis/verdict/measured.h"

#include "analysis/stalls/kernel_stalls.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::verdict {

namespace {

/// Metrics a verdict needs, found once: judging is done for every launch of large sessions.
struct Needed {
    const metrics::Metric* duration = metrics::findMetric("duration_ns");
    const metrics::Metric* smClock = metrics::findMetric("sm_clock_hz");
    const metrics::Metric* l2Peak = metrics::findMetric("l2_peak_bytes_per_second");
    const metrics::Metric* l2Clock = metrics::findMetric("l2_clock_hz");
    const metrics::Metric* memoryClock = metrics::findMetric("memory_clock_hz");
    const metrics::Metric* l2Lookups = metrics::findMetric("l2_lookup_utilization");
    const metrics::Metric* tensor = metrics::findMetric("tensor_instructions");
    const metrics::Metric* tensorPipe = metrics::findMetric("tensor_pipe_utilization");
    const metrics::Metric* waves = metrics::findMetric("waves");
    const metrics::Metric* sharedPerBlock = metrics::findMetric("shared_bytes_per_block");
    const metrics::Metric* theoretical = metrics::findMetric("theoretical_occupancy");
    const metrics::Metric* achieved = metrics::findMetric("achieved_occupancy");
    /// Work or bytes of each resource, by Resource.
    std::array<const metrics::Metric*, device::kResourceCount> amount = {
        metrics::findMetric("dram_bytes"),  metrics::findMetric("l2_bytes"),
        metrics::findMetric("l1_bytes"),    metrics::findMetric("shared_bytes"),
        metrics::findMetric("flops_fp32"),  metrics::findMetric("flops_fp64"),
        metrics::findMetric("flops_fp16"),  metrics::findMetric("tensor_ops"),
        metrics::findMetric("integer_ops"), metrics::findMetric("warp_instructions_issued")};
};

const Needed& needed() {
    static const Needed metrics;
    return metrics;
}

constexpr std::size_t at(device::Resource resource) {
    return static_cast<std::size_t>(resource);
}

/// Theoretical occupancy below this limits by itself; an achieved one below it means too few warps.
constexpr double kLowOccupancy = 0.5;
/// Of the slots of all waves, the last one leaves at least this share empty.
constexpr double kTailShare = 0.2;
/// Atomics that wait for each other this share of the time are what a launch waits for.
constexpr double kAtomicsDominate = 0.5;
/// So few SMs without a block are no reason.
constexpr double kFewIdleSms = 0.05;

LatencyReason latencyReason(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                            double durationNs, double smsWithBlocks) {
    if (durationNs < kTooShortNs) return LatencyReason::TooShort;
    const auto waves = metrics.value(launch, *needed().waves);
    if (waves && *waves < 1 && 1 - smsWithBlocks >= kFewIdleSms) return LatencyReason::SmallGrid;
    const auto theoretical = metrics.value(launch, *needed().theoretical);
    if (theoretical && *theoretical < kLowOccupancy) return LatencyReason::LowOccupancy;
    // Before the achieved occupancy: a tail is what lowers it.
    if (waves && emptyShareOfWaves(*waves) >= kTailShare &&
        atomicWaitNs(metrics, launch).value_or(0) < kAtomicsDominate * durationNs)
        return LatencyReason::TailWave;
    const auto achieved = metrics.value(launch, *needed().achieved);
    if (achieved && *achieved < kLowOccupancy) return LatencyReason::LowOccupancy;
    return waves && achieved ? LatencyReason::DependencyStalls : LatencyReason::None;
}

/// Latency is what is left when nothing else bounds, so the rest must be known: instructions issued,
/// arithmetic, traffic near the SM and at the device's memory, and shared memory where it is used.
bool latencyCanBeTold(const Verdict& verdict, bool usesShared) {
    const auto& u = verdict.utilization;
    const bool near = u[at(device::Resource::L1)] || u[at(device::Resource::L2)];
    const bool arithmetic = u[at(device::Resource::Fp32)] && u[at(device::Resource::Fp64)];
    const bool shared = u[at(device::Resource::Shared)] || !usesShared;
    return u[at(device::Resource::Dram)] && near && shared && arithmetic &&
           u[at(device::Resource::IssueSlots)];
}

using Shares = std::array<std::optional<double>, device::kResourceCount>;

/// What a bound is told from: against the measured roofs where there are some. Idle SMs count as idle, L2 is
/// held against what it reaches in practice.
Shares sharesUsed(const Verdict& verdict, const MeasuredShares& measured) {
    Shares used = verdict.utilization;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (measured[i] && i != at(device::Resource::L2))
            used[i] = std::max(used[i].value_or(0), *measured[i]);
    for (int i = 0; i < device::kResourceCount; ++i)
        if (used[static_cast<std::size_t>(i)] && device::isPerSm(static_cast<device::Resource>(i)))
            *used[static_cast<std::size_t>(i)] *= verdict.smsWithBlocks;
    // All that DRAM delivers passes L2: where DRAM is a bound by itself, L2 is only on its way.
    if (verdict.practicalL2 && used[at(device::Resource::Dram)].value_or(0) < kBoundUtilization) {
        auto& l2 = used[at(device::Resource::L2)];
        l2 = std::max(l2.value_or(0), *verdict.practicalL2);
    }
    return used;
}

/// Every instruction takes an issue slot, so the slots are always a little ahead of the pipe that a kernel
/// saturates. The pipe is the better name where it is a bound by itself.
void preferPipe(Verdict& verdict, const Shares& used) {
    if (verdict.resource != device::Resource::IssueSlots) return;
    const double slots = *used[at(device::Resource::IssueSlots)];
    double best = std::max(kBoundUtilization, slots - kBalancedGap);
    for (const device::Resource pipe :
         {device::Resource::Fp32, device::Resource::Fp64, device::Resource::Fp16, device::Resource::Tensor,
          device::Resource::Integer}) {
        const auto& u = used[at(pipe)];
        if (!u || *u < best) continue;
        best = *u;
        verdict.resource = pipe;
    }
}

/// `used`: what counts as used of each resource, by Resource.
void findBound(Verdict& verdict, const Shares& used, bool usesShared) {
    double memory = -1;
    double compute = -1;
    double highest = -1;
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        const auto& u = used[at(resource)];
        if (!u) continue;
        double& side = device::isMemory(resource) ? memory : compute;
        side = std::max(side, *u);
        if (*u > highest) {
            highest = *u;
            verdict.resource = resource;
        }
    }
    if (highest < 0) return;
    preferPipe(verdict, used);
    if (highest >= kBoundUtilization) {
        const bool close = memory >= 0 && compute >= 0 && std::abs(memory - compute) < kBalancedGap;
        verdict.bound = close                                ? Bound::Balanced
                        : device::isMemory(verdict.resource) ? Bound::Memory
                                                             : Bound::Compute;
    } else if (latencyCanBeTold(verdict, usesShared)) {
        verdict.bound = Bound::Latency;
    }
}

device::Resource busiestOf(const Verdict& verdict) {
    const auto& u = verdict.utilization;
    const auto busiest =
        std::ranges::max_element(u, {}, [](const auto& share) { return share.value_or(-1); });
    return static_cast<device::Resource>(busiest - u.begin());
}

device::Resource roofOf(Work work) {
    switch (work) {
    case Work::Fp32:
        return device::Resource::Fp32;
    case Work::Fp64:
        return device::Resource::Fp64;
    case Work::Tensor:
        return device::Resource::Tensor;
    case Work::IntegerAndFp:
        return device::Resource::Fp32; // no mix of operations passes it
    case Work::WarpInstructions:
        return device::Resource::IssueSlots;
    }
    return device::Resource::Fp32;
}

void addTextbook(Verdict& verdict, const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                 double dramPeak, double computePeak) {
    const auto point = rooflinePoint(metrics, launch, verdict.work, MemoryLevel::Dram);
    if (point && point->rate > 0) verdict.intensity = point->intensity;
    if (dramPeak > 0 && computePeak > 0) verdict.ridge = computePeak / dramPeak;
    if (verdict.intensity && verdict.ridge)
        verdict.textbook = *verdict.intensity < *verdict.ridge ? Bound::Memory : Bound::Compute;
}

/// Shares of the peak that reports of Nsight Compute hold where they lack what was moved or done.
constexpr auto kSharesOfPeak = std::to_array<std::pair<device::Resource, std::string_view>>({
    {device::Resource::Dram, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {device::Resource::L2, "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {device::Resource::L1, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    {device::Resource::Fp32, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {device::Resource::Fp64, "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {device::Resource::IssueSlots, "sm__issue_active.avg.pct_of_peak_sustained_elapsed"},
});

void addSharesOfPeak(Verdict& verdict, const session::Session& session, session::LaunchIndex launch) {
    if (session.originOf(launch) != session::Origin::Imported) return;
    for (const auto& [resource, counter] : kSharesOfPeak) {
        auto& share = verdict.utilization[at(resource)];
        if (share) continue;
        const double working = device::isPerSm(resource) ? verdict.workingSms : 1;
        if (const auto percent = session.counter(launch, counter)) share = *percent / 100 / working;
    }
}

/// At this share of its ceiling a resource bounds, whatever is not known.
constexpr double kCertainBound = 0.9;

/// Whether so many instructions of warps could keep the tensor pipes busy enough to bound. The largest of
/// 9.0, m64n256k16 in FP16, is 262144 multiply-adds at 2048 per cycle and SM: 128 cycles; formats of other
/// rates have a depth in proportion. What the largest of later chips take is not known.
bool tensorCanBind(const session::Device& device, double instructions, double durationNs, double smHz) {
    constexpr double kMostCycles = 128, kPipes = 4;
    if (instructions <= 0) return false;
    if (device.computeCapabilityMajor > 9) return true;
    const double cycles = durationNs * 1e-9 * smHz * device.smCount * kPipes;
    return instructions * kMostCycles >= kBoundUtilization * cycles;
}

/// Name of the state; empty where too few warps were sampled.
std::string_view mainStall(const session::Session& session, session::LaunchIndex launch) {
    if (!session.hasWarpSamples()) return {};
    const session::WarpStates states = stalls::kernelStates(session, session.launch(launch).kernel);
    if (states.samples() < stalls::kFewestSamples) return {};
    const stalls::StateText* state = stalls::findState(stalls::mainStallOf(states));
    return state != nullptr ? state->name : std::string_view();
}

} // namespace

std::string_view toString(Bound bound) {
    switch (bound) {
    case Bound::Unknown:
        return "unknown";
    case Bound::Memory:
        return "memory";
    case Bound::Compute:
        return "compute";
    case Bound::Latency:
        return "latency";
    case Bound::Balanced:
        return "balanced";
    }
    return "";
}

std::string_view toString(LatencyReason reason) {
    switch (reason) {
    case LatencyReason::None:
        return "";
    case LatencyReason::TooShort:
        return "too short to judge";
    case LatencyReason::SmallGrid:
        return "grid too small to fill the GPU";
    case LatencyReason::LowOccupancy:
        return "low occupancy";
    case LatencyReason::TailWave:
        return "tail effect";
    case LatencyReason::DependencyStalls:
        return "dependency stalls";
    }
    return "";
}

Verdict judge(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const Needed& need = needed();
    Verdict verdict;
    const session::Device* device = metrics.session().deviceOf(launch);
    const auto duration = metrics.value(launch, *need.duration);
    if (device == nullptr || !duration) return verdict;
    verdict.stall = mainStall(metrics.session(), launch);

    const device::Architecture* architecture = device::architectureOf(*device);
    device::Clocks clocks = device::maximumClocks(*device);
    if (const auto seen = metrics.value(launch, *need.smClock)) clocks.smHz = clocks.tensorHz = *seen;
    clocks.memoryHz = device::memoryClockDuring(*device, metrics.value(launch, *need.memoryClock));
    const auto l2Peak = metrics.value(launch, *need.l2Peak);
    clocks.l2Hz = metrics.value(launch, *need.l2Clock).value_or(0);
    const auto blocks = static_cast<double>(metrics.session().launch(launch).grid.count());
    verdict.workingSms = device::workingSmShare(*device, blocks, metrics.value(launch, *need.waves));
    if (device->smCount > 0 && blocks > 0) verdict.smsWithBlocks = std::min(1.0, blocks / device->smCount);

    std::array<double, device::kResourceCount> peaks{};
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto resource = static_cast<device::Resource>(i);
        peaks[at(resource)] = resource == device::Resource::L2 && l2Peak
                                  ? *l2Peak
                                  : device::peakPerSecond(*device, architecture, resource, clocks);
        const auto amount = metrics.value(launch, *need.amount[at(resource)]);
        const double working = device::isPerSm(resource) ? verdict.workingSms : 1;
        if (amount && peaks[at(resource)] > 0)
            verdict.utilization[at(resource)] = *amount * 1e9 / (*duration * peaks[at(resource)] * working);
    }
    addSharesOfPeak(verdict, metrics.session(), launch);
    // Each format of matrices has its own ceiling; what they take together makes one of their mix. No bar for
    // kernels that did no such work.
    constexpr std::size_t kTensor = at(device::Resource::Tensor);
    verdict.utilization[kTensor].reset();
    const auto tensorOps = metrics.value(launch, *need.amount[kTensor]);
    if (const auto seconds = tensorSeconds(metrics, launch, *device, clocks); seconds && *seconds > 0) {
        peaks[kTensor] = *tensorOps / *seconds;
        verdict.utilization[kTensor] = *seconds * 1e9 / (*duration * verdict.workingSms);
    } else if (const auto busy = metrics.value(launch, *need.tensorPipe); busy && *busy > 0) {
        verdict.utilization[kTensor] = *busy / verdict.workingSms; // of whatever format
    }
    // L2 has a second ceiling, tag lookups, which scattered accesses meet first.
    if (const auto lookups = metrics.value(launch, *need.l2Lookups)) {
        auto& l2 = verdict.utilization[at(device::Resource::L2)];
        l2 = std::max(l2.value_or(0), *lookups);
    }

    const MeasuredShares measured = measuredShares(metrics, launch);
    verdict.practicalL2 = measured[at(device::Resource::L2)];
    if (const auto bytes = metrics.value(launch, *need.amount[at(device::Resource::L2)]);
        bytes && !verdict.practicalL2)
        if (const auto roof =
                device::practicalRoof(*device, device::Resource::L2, peaks[at(device::Resource::L2)], clocks))
            verdict.practicalL2 = *bytes * 1e9 / (*duration * roof->perSecond);

    findBound(verdict, sharesUsed(verdict, measured),
              metrics.value(launch, *need.sharedPerBlock).value_or(1) > 0);
    // Counters of so short a launch hold what starting it moved as well: a 1 µs kernel stands in a range of
    // 25 µs. Against its own duration that looks like a busy L2.
    const bool anyKnown =
        std::ranges::any_of(verdict.utilization, [](const auto& share) { return share.has_value(); });
    if (anyKnown && *duration < kTooShortNs) verdict.bound = Bound::Latency;
    // A tensor pipe that is busy to an unknown degree may be the bound, whatever else is short of its
    // ceiling.
    if (!verdict.utilization[kTensor] && verdict.highest().value_or(0) < kCertainBound &&
        tensorCanBind(*device, metrics.value(launch, *need.tensor).value_or(0), *duration, clocks.smHz))
        verdict.bound = Bound::Unknown;
    if (verdict.bound == Bound::Latency) {
        verdict.reason = latencyReason(metrics, launch, *duration, verdict.smsWithBlocks);
        // Of nothing that bounds the GPU the busiest is what the SMs that work are busiest with.
        verdict.resource = busiestOf(verdict);
    }

    verdict.work = dominantWork(metrics, launch);
    addTextbook(verdict, metrics, launch, peaks[at(device::Resource::Dram)], peaks[at(roofOf(verdict.work))]);
    return verdict;
}

double emptyShareOfWaves(double waves) {
    const double whole = std::floor(waves);
    return waves > whole && whole >= 1 ? (whole + 1 - waves) / (whole + 1) : 0;
}

std::string headline(const Verdict& verdict) {
    switch (verdict.bound) {
    case Bound::Unknown:
        return "Not enough counters to judge";
    case Bound::Memory:
        return fmt::format("Memory-bound ({})", device::title(verdict.resource));
    case Bound::Compute:
        return fmt::format("Compute-bound ({})", device::title(verdict.resource));
    case Bound::Balanced:
        return fmt::format("Balanced ({} highest)", device::title(verdict.resource));
    case Bound::Latency:
        if (verdict.reason == LatencyReason::None) return "Latency-bound";
        if (verdict.reason == LatencyReason::DependencyStalls && !verdict.stall.empty())
            return fmt::format("Latency-bound: {} stalls", verdict.stall);
        return fmt::format("Latency-bound: {}", toString(verdict.reason));
    }
    return {};
}

} // namespace dormer::verdict
