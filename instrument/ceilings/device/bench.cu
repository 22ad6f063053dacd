// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

#include <algorithm>
#include <cmath>

namespace dormer::instrument::ceilings {

namespace {

constexpr double kRepetitionSeconds = 1.5e-3;
constexpr int kTries = 5;
/// What else the host does comes and goes: a few tries would compare moments, not CPUs.
constexpr int kTriesOfHost = 25;
constexpr int kFewestRepetitions = 15;
/// Quantile that is the median of the fastest quarter.
constexpr double kFastestQuarter = 0.875;
/// Of a chip that idled the clock takes a moment to rise.
constexpr double kWarmUpSeconds = 0.25;

__global__ void additions(int rounds, ClockReading* reading, unsigned* sink) {
    const ClockScope scope(reading);
    unsigned value = threadIdx.x;
    for (int i = 0; i < rounds; ++i)
        value = value * 3 + 1;
    if (value == 7) *sink = value;
}

double quantile(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const double at = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

} // namespace

Bench::Bench(int device, double seconds)
    : m_device(device)
    , m_deadline(std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3))) {
    CEILINGS_CUDA(cudaSetDevice(device));
    const auto attribute = [device](cudaDeviceAttr which) {
        int value = 0;
        CEILINGS_CUDA(cudaDeviceGetAttribute(&value, which, device));
        return value;
    };
    m_smCount = attribute(cudaDevAttrMultiProcessorCount);
    m_l2Bytes = attribute(cudaDevAttrL2CacheSize);
    m_capability =
        10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
    CEILINGS_CUDA(cudaMalloc(reinterpret_cast<void**>(&m_reading), sizeof(ClockReading)));
    for (void*& each : m_events) {
        cudaEvent_t created = nullptr;
        CEILINGS_CUDA(cudaEventCreate(&created));
        each = created;
    }
    const auto begin = std::chrono::steady_clock::now();
    const Buffer<unsigned> sink(1);
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < kWarmUpSeconds) {
        additions<<<8 * m_smCount, 256>>>(100000, m_reading, sink.data());
        CEILINGS_CUDA(cudaDeviceSynchronize());
    }
}

Bench::~Bench() {
    cudaFree(m_reading);
    for (void* each : m_events)
        cudaEventDestroy(event(each));
}

std::size_t Bench::freeBytes() const {
    std::size_t free = 0, total = 0;
    CEILINGS_CUDA(cudaMemGetInfo(&free, &total));
    return free;
}

Bench::Repetition Bench::once(const Candidate& candidate, int rounds) {
    CEILINGS_CUDA(cudaMemsetAsync(m_reading, 0, sizeof(ClockReading)));
    if (candidate.hold) candidate.hold();
    CEILINGS_CUDA(cudaEventRecord(event(m_events[0])));
    candidate.launch(rounds, m_reading);
    CEILINGS_CUDA(cudaEventRecord(event(m_events[1])));
    CEILINGS_CUDA(cudaGetLastError());
    if (candidate.release) candidate.release();
    CEILINGS_CUDA(cudaEventSynchronize(event(m_events[1])));
    float milliseconds = 0;
    CEILINGS_CUDA(cudaEventElapsedTime(&milliseconds, event(m_events[0]), event(m_events[1])));
    ClockReading reading;
    CEILINGS_CUDA(cudaMemcpy(&reading, m_reading, sizeof reading, cudaMemcpyDeviceToHost));
    // Shorter ones say little: the timer ticks once a microsecond on some chips.
    const bool read = reading.nanoseconds > 200000;
    return {.seconds = milliseconds * 1e-3,
            .clockHz =
                read ? static_cast<double>(reading.cycles) * 1e9 / static_cast<double>(reading.nanoseconds)
                     : 0};
}

/// So many times, and on until the seconds are over.
std::vector<Bench::Repetition> Bench::repeat(const Candidate& candidate, int rounds, int times,
                                             double seconds) {
    std::vector<Repetition> all;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (int i = 0; i < times || std::chrono::steady_clock::now() < end; ++i)
        all.push_back(once(candidate, rounds));
    return all;
}

int Bench::roundsFor(const Candidate& candidate) {
    if (candidate.fixedRounds > 0) return candidate.fixedRounds;
    int rounds = candidate.roundsMultiple;
    // By a few steps, since a launch of few rounds is mostly overhead.
    for (int step = 0; step < 4; ++step) {
        (void)once(candidate, rounds);
        const double seconds = once(candidate, rounds).seconds;
        if (seconds > 0.7 * kRepetitionSeconds) break;
        const double factor = std::min(kRepetitionSeconds / std::max(seconds, 1e-6), 200.0);
        const double wanted = std::min(rounds * factor, 1e8) / candidate.roundsMultiple;
        rounds = std::max(1, static_cast<int>(wanted)) * candidate.roundsMultiple;
    }
    return rounds;
}

Bench::Best Bench::bestOf(const std::vector<Candidate>& candidates, int tries, double share,
                          std::string& problem) {
    Best best;
    double bestRate = 0;
    for (const Candidate& candidate : candidates) {
        if (!timeLeft()) break;
        if (candidate.prepare) candidate.prepare();
        const int rounds = roundsFor(candidate);
        std::vector<double> rates;
        for (const Repetition& each : repeat(candidate, rounds, tries))
            rates.push_back(candidate.workPerRound * rounds / each.seconds);
        if (!candidate.check(rounds)) {
            problem = "wrong result: " + candidate.name;
            continue;
        }
        const double rate = quantile(rates, share);
        if (rate <= bestRate) continue;
        bestRate = rate;
        best = {&candidate, rounds};
    }
    return best;
}

Measurement Bench::measure(std::string resource, const std::string& method,
                           const std::vector<Candidate>& candidates, double holdSeconds, double settleSeconds,
                           bool ofHost) {
    Measurement result{
        .resource = std::move(resource), .ofHost = ofHost, .method = method, .problem = "no time was left"};
    const double share = ofHost ? kFastestQuarter : 0.5;
    const Best best = bestOf(candidates, ofHost ? kTriesOfHost : kTries, share, result.problem);
    if (best.candidate == nullptr) return result;
    if (best.candidate->prepare) best.candidate->prepare();
    std::vector<double> rates, clocks;
    (void)repeat(*best.candidate, best.rounds, 0, settleSeconds);
    for (const Repetition& each : repeat(*best.candidate, best.rounds, kFewestRepetitions, holdSeconds)) {
        rates.push_back(best.candidate->workPerRound * best.rounds / each.seconds);
        if (each.clockHz > 0) clocks.push_back(each.clockHz);
    }
    result.perSecond = quantile(rates, share);
    result.spread = (quantile(rates, 0.9) - quantile(rates, 0.1)) / result.perSecond;
    result.clockHz = clocks.empty() ? 0 : quantile(clocks, 0.5);
    result.method += "; " + best.candidate->name;
    if (ofHost) result.method += "; median of the fastest quarter";
    result.problem.clear();
    return result;
}

void keepFaster(std::vector<Measurement>& best, const std::vector<Measurement>& visit) {
    for (const Measurement& each : visit) {
        const auto known = std::ranges::find(best, each.resource, &Measurement::resource);
        if (known == best.end())
            best.push_back(each);
        else if (each.perSecond > known->perSecond)
            *known = each;
    }
}

Measurement Bench::fastest(std::string resource, const std::string& method,
                           const std::vector<Candidate>& candidates, double holdSeconds,
                           double settleSeconds) {
    return measure(std::move(resource), method, candidates, holdSeconds, settleSeconds, false);
}

Measurement Bench::fastestOfHost(std::string resource, const std::string& method,
                                 const std::vector<Candidate>& candidates, double holdSeconds) {
    return measure(std::move(resource), method, candidates, holdSeconds, 0, true);
}

} // namespace dormer::instrument::ceilings
