// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/dormer.h"
#include "kernels/graphs/graph.h"
#include "kernels/graphs/pipeline.h"
#include "kernels/harness/answers.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <nvtx3/nvtx3.hpp>

#include <array>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;

using Cells = cuda::std::span<float>;

// Heat in a rod, one step in three short kernels. Each needs what the one before wrote, so that there is
// nothing to win but the gaps between them.

__host__ __device__ float startOf(std::uint64_t seed, int rod, std::size_t i) {
    return static_cast<float>(mixed(seed + static_cast<std::uint64_t>(rod), i) & 0xFF);
}

__global__ void heatStart(std::uint64_t seed, int rod, Cells cells) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    cells[i] = startOf(seed, rod, i);
}

__global__ void heatFlux(Cells cells, Cells flux) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i + 1 < cells.size()) flux[i] = 0.25F * (cells[i] - cells[i + 1]);
}

// The ends keep their temperatures.
__global__ void heatAdvance(Cells flux, Cells cells) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i > 0 && i + 1 < cells.size()) cells[i] += flux[i - 1] - flux[i];
}

__global__ void heatProbe(Cells cells, Cells history, int step) {
    history[static_cast<std::size_t>(step)] = cells[cells.size() / 2];
}

struct Rod {
    DeviceBuffer<float> cells, flux, history;
};

enum : std::size_t { kOneByOne, kCaptured, kReplayed, kNodesAdded, kTwoBranches };

class Rods {
public:
    explicit Rods(const Setup& setup);
    void launchOneByOne();
    void captureAndLaunch();
    void replay(std::size_t variant);
    /// Against the same steps on the host. All variants write to the same arrays.
    [[nodiscard]] CheckResult check(const std::function<void()>& launchAgain) const;

private:
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(m_size / kBlock); }
    /// Calls run(kernel, blocks, threads, arguments ...) for each kernel of a rod, in order.
    template <typename Run>
    void eachKernel(int rod, Run&& run) const;
    void enqueue(int rod, cudaStream_t stream) const;
    [[nodiscard]] cudaGraph_t captureBoth() const;
    [[nodiscard]] cudaGraph_t captureBranches() const;
    [[nodiscard]] cudaGraph_t addNodes() const;
    [[nodiscard]] CheckResult compare(int rod) const;

    std::size_t m_size;
    std::uint64_t m_seed;
    std::array<Rod, kRods> m_rods;
    Stream m_stream, m_branch;
    Event m_fork, m_join;
    std::array<ReadyGraph, kTwoBranches + 1> m_graphs;
};

// A graph that is replayed is made once, before anything is measured. Its kernels belong to the ranges that
// are open here, while its nodes are made, not to those around its replays: so these are the ranges to open.
Rods::Rods(const Setup& setup) : m_size(setup.size), m_seed(setup.seed) {
    for (Rod& rod : m_rods)
        rod = {DeviceBuffer<float>(m_size), DeviceBuffer<float>(m_size), DeviceBuffer<float>(kHeatSteps)};
    if (setup.runs(kReplayed)) {
        const instrument::Range workload{"graphs/replayed"};
        const nvtx3::scoped_range range{"capture"};
        m_graphs[kReplayed] = ReadyGraph(captureBoth());
    }
    if (setup.runs(kNodesAdded)) {
        const instrument::Range workload{"graphs/nodes_added"};
        const nvtx3::scoped_range range{"add nodes"};
        m_graphs[kNodesAdded] = ReadyGraph(addNodes());
    }
    if (setup.runs(kTwoBranches)) {
        const instrument::Range workload{"graphs/two_branches"};
        const nvtx3::scoped_range range{"capture"};
        m_graphs[kTwoBranches] = ReadyGraph(captureBranches());
    }
}

template <typename Run>
void Rods::eachKernel(int rod, Run&& run) const {
    const nvtx3::scoped_range range{rod == 0 ? "rod 0" : "rod 1"};
    const auto& [cells, flux, history] = m_rods[static_cast<std::size_t>(rod)];
    run(heatStart, blocks(), kBlock, m_seed, rod, cells.span());
    for (int step = 0; step < kHeatSteps; ++step) {
        run(heatFlux, blocks(), kBlock, cells.span(), flux.span());
        run(heatAdvance, blocks(), kBlock, flux.span(), cells.span());
        run(heatProbe, 1U, 1U, cells.span(), history.span(), step);
    }
}

void Rods::enqueue(int rod, cudaStream_t stream) const {
    eachKernel(rod, [stream](auto* kernel, unsigned blocks, unsigned threads, auto... arguments) {
        kernel<<<blocks, threads, 0, stream>>>(arguments...);
    });
}

cudaGraph_t Rods::captureBoth() const {
    return capture(m_stream, [this] {
        for (int rod = 0; rod < kRods; ++rod)
            enqueue(rod, m_stream.get());
    });
}

// The second stream joins the capture by waiting for an event of the first, and comes back the same way.
cudaGraph_t Rods::captureBranches() const {
    return capture(m_stream, [this] {
        m_fork.order(m_stream, m_branch);
        enqueue(0, m_stream.get());
        enqueue(1, m_branch.get());
        m_join.order(m_branch, m_stream);
    });
}

cudaGraph_t Rods::addNodes() const {
    Chain chain;
    for (int rod = 0; rod < kRods; ++rod)
        eachKernel(rod, [&chain](auto* kernel, unsigned blocks, unsigned threads, auto... arguments) {
            chain.add(kernel, blocks, threads, arguments...);
        });
    return chain.finish();
}

// Each launch waits for its end: the time of the whole is what graphs are about.

void Rods::launchOneByOne() {
    for (int rod = 0; rod < kRods; ++rod)
        enqueue(rod, nullptr);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

void Rods::captureAndLaunch() {
    const nvtx3::scoped_range range{"capture"};
    m_graphs[kCaptured] = ReadyGraph(captureBoth());
    replay(kCaptured);
}

void Rods::replay(std::size_t variant) {
    m_graphs[variant].launch(nullptr);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

CheckResult Rods::check(const std::function<void()>& launchAgain) const {
    for (const Rod& rod : m_rods) {
        CUDA_CHECK(cudaMemset(rod.cells.data(), 0xFF, rod.cells.bytes()));
        CUDA_CHECK(cudaMemset(rod.history.data(), 0xFF, rod.history.bytes()));
    }
    launchAgain();
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int rod = 0; rod < kRods; ++rod)
        if (CheckResult result = compare(rod); !result.passed) return result;
    return {true, "equal to the host's steps to the bit in all " + std::to_string(kRods * m_size) +
                      " cells and in the history of both rods"};
}

CheckResult Rods::compare(int rod) const {
    std::vector<float> cells(m_size);
    std::vector<float> flux(m_size);
    std::vector<float> history;
    for (std::size_t i = 0; i < m_size; ++i)
        cells[i] = startOf(m_seed, rod, i);
    for (int step = 0; step < kHeatSteps; ++step) {
        for (std::size_t i = 0; i + 1 < m_size; ++i)
            flux[i] = 0.25F * (cells[i] - cells[i + 1]);
        for (std::size_t i = 1; i + 1 < m_size; ++i)
            cells[i] += flux[i - 1] - flux[i];
        history.push_back(cells[m_size / 2]);
    }
    const std::string name = "rod " + std::to_string(rod);
    const Rod& found = m_rods[static_cast<std::size_t>(rod)];
    const std::vector<float> foundCells = found.cells.toHost();
    for (std::size_t i = 0; i < m_size; ++i)
        if (foundCells[i] != cells[i])
            return {false, "cell " + std::to_string(i) + " of " + name + " is " +
                               std::to_string(foundCells[i]) + ", on the host " + std::to_string(cells[i])};
    const std::vector<float> foundHistory = found.history.toHost();
    for (std::size_t step = 0; step < history.size(); ++step)
        if (foundHistory[step] != history[step])
            return {false, "the middle of " + name + " after step " + std::to_string(step) + " was " +
                               std::to_string(foundHistory[step]) + ", on the host " +
                               std::to_string(history[step])};
    return {true, ""};
}

std::vector<Expectation> answers(std::size_t size) {
    return {exactly("kernel_count", static_cast<double>(kernelsOfRun()),
                    "two rods, each started once and taken through 8 steps of three kernels"),
            ofKernel("heatFlux", exactly("flops_fp32", static_cast<double>(fluxFlops(size)),
                                         "a subtraction and a multiplication between neighbouring cells")),
            ofKernel("heatAdvance", exactly("flops_fp32", static_cast<double>(advanceFlops(size)),
                                            "a subtraction and an addition in each inner cell"))};
}

/// The usual answers, and how the time of a run compares.
std::function<std::vector<Expectation>(std::size_t)> answersAnd(Expectation comparison) {
    return [comparison](std::size_t size) {
        std::vector<Expectation> all = answers(size);
        all.push_back(comparison);
        return all;
    };
}

std::vector<Row<Rods>> rows() {
    return {
        {{.name = "launched_one_by_one",
          .shows = "fifty short kernels, each launched by the host: the gaps between them are the time",
          .knownAnswers = answers,
          .better = "graphs/replayed"},
         [](Rods& r) { r.launchOneByOne(); },
         [](Rods& r) { return r.check([&r] { r.launchOneByOne(); }); }},
        {{.name = "captured",
          .shows = "captured into a graph anew in each run: instantiating costs more than one replay saves",
          .knownAnswers = answersAnd(comparedTo("graphs/replayed", "elapsed_ns", ">=", 1,
                                                "it instantiates the graph that the other one keeps")),
          .better = "graphs/replayed"},
         [](Rods& r) { r.captureAndLaunch(); },
         [](Rods& r) { return r.check([&r] { r.captureAndLaunch(); }); }},
        {{.name = "replayed",
          .shows = "captured once, then one call for all fifty kernels",
          .knownAnswers = answersAnd(comparedTo("graphs/launched_one_by_one", "elapsed_ns", "<=", 1,
                                                "one call launches all kernels, and the device knows what "
                                                "comes next"))},
         [](Rods& r) { r.replay(kReplayed); },
         [](Rods& r) { return r.check([&r] { r.replay(kReplayed); }); }},
        {{.name = "nodes_added",
          .shows = "the same graph made node by node, without a stream to capture",
          .knownAnswers = answers},
         [](Rods& r) { r.replay(kNodesAdded); },
         [](Rods& r) { return r.check([&r] { r.replay(kNodesAdded); }); }},
        {{.name = "two_branches",
          .shows = "a graph that forks: the two rods don't wait for each other",
          .knownAnswers = answersAnd(comparedTo("graphs/replayed", "elapsed_ns", "<=", 1,
                                                "the branches run side by side on a device that neither "
                                                "fills")),
          .good = true},
         [](Rods& r) { r.replay(kTwoBranches); },
         [](Rods& r) { return r.check([&r] { r.replay(kTwoBranches); }); }},
    };
}

Group group() {
    Group made = groupOf<Rods>(
        rows(), Sizes{std::size_t{1} << 14, std::size_t{1} << 11},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return kRods * 2 * size * sizeof(float); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "rods=" + std::to_string(kRods),
                                            "steps=" + std::to_string(kHeatSteps),
                                            "block=" + std::to_string(kBlock)};
        });
    made.mostRepeats = 3; // of fifty kernels each
    return made;
}

} // namespace

Family graphsFamily() {
    return {
        .name = "graphs",
        .title = "CUDA graphs",
        .shows = "Many short kernels launched one by one, or as a graph that the device knows as a whole",
        .groups = {group()},
        .lookAt =
            "Compare elapsed_ns of the variants, the time of a whole run, with kernel_ns, the time its "
            "kernels take in all: what lies between is launching. launched_one_by_one pays it fifty "
            "times, replayed once. captured shows that a graph has to be kept to pay off. Every kernel of "
            "a graph carries the NVTX range that was open when its node was made, such as graphs/replayed "
            "> capture > rod 0, so that replays don't hide where work comes from; graph_node tells which "
            "node it is. two_branches says what depends on what, so that independent kernels may overlap.",
        .figures = {"elapsed_ns", "kernel_ns", "kernel_count"},
    };
}

} // namespace dormer::kernels
