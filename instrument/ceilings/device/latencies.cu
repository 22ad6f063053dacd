// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"
#include "instrument/ceilings/device/host_thread.h"

#include <cooperative_groups.h>

#include <atomic>

namespace dormer::instrument::ceilings {

namespace {

/// Launches, nodes or barriers of one repetition.
constexpr int kLaunches = 500;

__global__ void addOne(unsigned* count) {
    if (threadIdx.x == 0) *count += 1;
}

/// Longest that the gate stays shut, in ns: queueing 500 launches takes a few ms.
constexpr std::uint64_t kGateNs = 500'000'000;

/// Keeps the stream until the host opens; `late` is set where it did not in time.
__global__ void waitForHost(const volatile unsigned* open, unsigned* late) {
    std::uint64_t begin = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    while (*open == 0) {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (now - begin > kGateNs) {
            *late = 1;
            return;
        }
    }
}

/// Holds back what is queued behind it until it is opened.
class Gate {
public:
    Gate() { CEILINGS_CUDA(cudaMallocHost(reinterpret_cast<void**>(&m_open), sizeof *m_open)); }
    ~Gate() { cudaFreeHost(m_open); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    /// Only when all that was held before has run.
    void shut() {
        set(0);
        waitForHost<<<1, 1>>>(m_open, m_late.data());
    }
    void open() { set(1); }
    [[nodiscard]] bool wasLate() const { return m_late.first() != 0; }

private:
    void set(unsigned value) { std::atomic_ref(*m_open).store(value); }
    unsigned* m_open = nullptr; ///< of the host, and the device reads it there
    Buffer<unsigned> m_late{1};
};

/// All blocks step through barriers together. `count`: of arrivals, only in the run that is checked.
__global__ void barriers(int rounds, unsigned* count, unsigned* wrong, ClockReading* reading) {
    const ClockScope scope(reading);
    const auto grid = cooperative_groups::this_grid();
    for (int round = 0; round < rounds; ++round) {
        if (count != nullptr && threadIdx.x == 0) atomicAdd(count, 1U);
        grid.sync();
        if (count != nullptr && threadIdx.x == 0 &&
            *static_cast<volatile unsigned*>(count) < static_cast<unsigned>(round + 1) * gridDim.x)
            atomicAdd(wrong, 1U);
    }
}

/// A chain of kernel nodes, instantiated.
class Chain {
public:
    explicit Chain(unsigned* count) {
        cudaStream_t stream = nullptr;
        CEILINGS_CUDA(cudaStreamCreate(&stream));
        CEILINGS_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < kLaunches; ++i)
            addOne<<<1, 32, 0, stream>>>(count);
        CEILINGS_CUDA(cudaStreamEndCapture(stream, &m_graph));
        CEILINGS_CUDA(cudaGraphInstantiate(&m_executable, m_graph, 0));
        CEILINGS_CUDA(cudaStreamDestroy(stream));
    }
    ~Chain() {
        cudaGraphExecDestroy(m_executable);
        cudaGraphDestroy(m_graph);
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;
    void launch() const { CEILINGS_CUDA(cudaGraphLaunch(m_executable, nullptr)); }

private:
    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_executable = nullptr;
};

/// Of a launch that adds kLaunches to the counter.
std::function<bool(int)> countsUp(Buffer<unsigned>& count,
                                  const std::function<void(int, ClockReading*)>& launch) {
    return [&count, launch](int) {
        count.clear();
        launch(1, nullptr);
        return count.first() == kLaunches;
    };
}

/// kLaunches one after the other.
Candidate launchCandidate(Buffer<unsigned>& count) {
    Candidate launches;
    launches.name = "500 in a row";
    launches.workPerRound = kLaunches;
    launches.fixedRounds = 1;
    launches.launch = [&count](int, ClockReading*) {
        for (int i = 0; i < kLaunches; ++i)
            addOne<<<1, 32>>>(count.data());
    };
    launches.check = countsUp(count, launches.launch);
    return launches;
}

Candidate barrierCandidate(const Bench& bench, int threads, Buffer<unsigned>& count,
                           Buffer<unsigned>& wrong) {
    const auto launch = [blocks = bench.smCount(), threads, &wrong](int rounds, unsigned* counted,
                                                                    ClockReading* reading) {
        unsigned* wrongs = wrong.data();
        void* arguments[] = {&rounds, &counted, &wrongs, &reading};
        CEILINGS_CUDA(
            cudaLaunchCooperativeKernel(reinterpret_cast<void*>(barriers), blocks, threads, arguments));
    };
    Candidate candidate;
    candidate.name = "a block of " + std::to_string(threads) + " threads per SM";
    candidate.workPerRound = 1;
    candidate.launch = [launch](int rounds, ClockReading* reading) { launch(rounds, nullptr, reading); };
    candidate.check = [launch, &count, &wrong](int) {
        const Buffer<ClockReading> reading(1);
        count.clear();
        wrong.clear();
        launch(kLaunches, count.data(), reading.data());
        return wrong.first() == 0;
    };
    return candidate;
}

} // namespace

void measureHostLaunches(Bench& bench, std::vector<Measurement>& found) {
    Buffer<unsigned> count(1);
    const HostThread thread;
    found.push_back(bench.fastestOfHost("launches", "small kernels in one stream",
                                        thread.onSomeCpus(launchCandidate(count)), 0.3));
}

void measureLatencies(Bench& bench, std::vector<Measurement>& found) {
    Buffer<unsigned> count(1), wrong(1);
    Gate gate;
    Candidate queued = launchCandidate(count);
    queued.name = "500 that wait for one to end";
    queued.hold = [&gate] { gate.shut(); };
    queued.release = [&gate] { gate.open(); };
    queued.check = [&gate, counted = queued.check](int rounds) { return counted(rounds) && !gate.wasLate(); };
    found.push_back(
        bench.fastest("launches_queued", "small kernels, queued before the first begins", {queued}));

    const Chain chain(count.data());
    Candidate nodes = launchCandidate(count);
    nodes.name = "a chain of 500";
    nodes.launch = [&chain](int, ClockReading*) { chain.launch(); };
    nodes.check = countsUp(count, nodes.launch);
    found.push_back(bench.fastest("graph_nodes", "small kernels as nodes of a graph", {nodes}));

    found.push_back(bench.fastest(
        "grid_barriers", "grid.sync()",
        {barrierCandidate(bench, 32, count, wrong), barrierCandidate(bench, 256, count, wrong)}));
}

} // namespace dormer::instrument::ceilings
