// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/cuda_check.h"

#include <array>
#include <type_traits>
#include <utility>

/// Owners of what CUDA graphs are made of.
namespace dormer::kernels {

/// A stream that can be captured: not the default one.
class Stream {
public:
    Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking)); }
    ~Stream() { static_cast<void>(cudaStreamDestroy(m_stream)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] cudaStream_t get() const { return m_stream; }

private:
    cudaStream_t m_stream = nullptr;
};

/// A point in a stream that another stream waits for.
class Event {
public:
    Event() { CUDA_CHECK(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming)); }
    ~Event() { static_cast<void>(cudaEventDestroy(m_event)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void order(const Stream& first, const Stream& second) const {
        CUDA_CHECK(cudaEventRecord(m_event, first.get()));
        CUDA_CHECK(cudaStreamWaitEvent(second.get(), m_event));
    }

private:
    cudaEvent_t m_event = nullptr;
};

/// A graph that can be launched; empty until it is made from one.
class ReadyGraph {
public:
    ReadyGraph() = default;
    /// Takes the graph and keeps it: launching does not need it any more, but a profiler switches its nodes
    /// on and off to count them one at a time.
    explicit ReadyGraph(cudaGraph_t graph) : m_graph(graph) {
        const cudaError_t made = cudaGraphInstantiate(&m_exec, graph, 0);
        if (made != cudaSuccess) static_cast<void>(cudaGraphDestroy(graph)); // no destructor will
        CUDA_CHECK(made);
    }
    ~ReadyGraph() {
        if (m_exec != nullptr) static_cast<void>(cudaGraphExecDestroy(m_exec));
        if (m_graph != nullptr) static_cast<void>(cudaGraphDestroy(m_graph));
    }
    ReadyGraph(ReadyGraph&& other) noexcept
        : m_graph(std::exchange(other.m_graph, nullptr)), m_exec(std::exchange(other.m_exec, nullptr)) {}
    ReadyGraph& operator=(ReadyGraph&& other) noexcept {
        std::swap(m_graph, other.m_graph);
        std::swap(m_exec, other.m_exec);
        return *this;
    }
    void launch(cudaStream_t stream) const { CUDA_CHECK(cudaGraphLaunch(m_exec, stream)); }

private:
    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

/// Captures what `enqueue` puts into the stream, instead of running it.
template <typename Enqueue>
cudaGraph_t capture(const Stream& stream, Enqueue&& enqueue) {
    CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    enqueue();
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamEndCapture(stream.get(), &graph));
    return graph;
}

/// A graph made node by node, each after the one before.
class Chain {
public:
    Chain() { CUDA_CHECK(cudaGraphCreate(&m_graph, 0)); }
    template <typename... Parameters>
    void add(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
             std::type_identity_t<Parameters>... arguments) {
        std::array<void*, sizeof...(Parameters)> pointers{&arguments...}; // CUDA copies what they point to
        cudaKernelNodeParams parameters = {};
        parameters.func = reinterpret_cast<void*>(kernel);
        parameters.gridDim = dim3(blocks);
        parameters.blockDim = dim3(threads);
        parameters.kernelParams = pointers.data();
        cudaGraphNode_t node = nullptr;
        CUDA_CHECK(cudaGraphAddKernelNode(&node, m_graph, &m_last, m_last == nullptr ? 0 : 1, &parameters));
        m_last = node;
    }
    /// Hands it over; the chain must not be used any more.
    [[nodiscard]] cudaGraph_t finish() const { return m_graph; }

private:
    cudaGraph_t m_graph = nullptr;
    cudaGraphNode_t m_last = nullptr;
};

} // namespace dormer::kernels
