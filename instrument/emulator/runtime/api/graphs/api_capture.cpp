// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Recording a stream's work into a graph.

#include "instrument/emulator/runtime/api/api.h"
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

template <typename Body>
cudaError_t withStream(cudaStream_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        Stream* stream = r.streams().find(handle);
        if (stream == nullptr) return fails(cudaErrorInvalidResourceHandle);
        return body(r, *stream);
    });
}

Outcome<void> begin(Runtime& r, Stream& stream, std::shared_ptr<Graph> graph, bool own) {
    // The legacy default stream waits for all others and can't be captured.
    if (&stream == r.streams().find(nullptr)) return fails(cudaErrorStreamCaptureUnsupported);
    if (stream.capture != nullptr) return fails(cudaErrorIllegalState);
    stream.capture = std::make_shared<Capture>();
    stream.capture->graph = std::move(graph);
    stream.capture->origin = &stream;
    stream.capture->id = r.streams().nextCaptureId();
    stream.capture->intoOwnGraph = own;
    if (own) static_cast<void>(r.graphs().adopt(stream.capture->graph)); // programs add to it meanwhile
    stream.tail.clear();
    return {};
}

/// Mode of the calling thread; it only decides which unsafe calls are refused.
cudaStreamCaptureMode& captureMode() {
    thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    return mode;
}

} // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    return withStream(
        handle, [](Runtime& r, Stream& stream) { return begin(r, stream, std::make_shared<Graph>(), true); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graphHandle,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          std::size_t count, cudaStreamCaptureMode) {
    return withStream(handle, [&](Runtime& r, Stream& stream) -> Outcome<void> {
        std::shared_ptr<Graph> graph = r.graphs().share(graphHandle);
        if (graph == nullptr || (count > 0 && dependencies == nullptr)) return fails(cudaErrorInvalidValue);
        if (const Outcome<void> begun = begin(r, stream, std::move(graph), false); !begun) return begun;
        stream.tail.assign(dependencies, dependencies + count);
        return {};
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return withStream(handle, [&](Runtime& r, Stream& stream) -> Outcome<void> {
        cudaGraph_t known = nullptr; // where a capture goes into a graph that the program has
        if (graph == nullptr) {
            if (stream.capture == nullptr || stream.capture->intoOwnGraph)
                return fails(cudaErrorInvalidValue);
            graph = &known;
        }
        *graph = nullptr;
        if (stream.capture == nullptr) return fails(cudaErrorIllegalState);
        if (stream.capture->origin != &stream) return fails(cudaErrorStreamCaptureUnmatched);
        const std::shared_ptr<Capture> capture = stream.capture;
        // What other streams added must have come back to the one the capture began on.
        const bool joined = r.streams().allJoined(*capture, stream);
        r.streams().leaveCapture(*capture);
        if (capture->broken || !joined) {
            if (capture->intoOwnGraph) r.graphs().destroy(capture->graph.get());
            return fails(capture->broken ? cudaErrorStreamCaptureInvalidated
                                         : cudaErrorStreamCaptureUnjoined);
        }
        *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
        return {};
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (status == nullptr) return fails(cudaErrorInvalidValue);
        *status = stream.capture == nullptr ? cudaStreamCaptureStatusNone
                  : stream.capture->broken  ? cudaStreamCaptureStatusInvalidated
                                            : cudaStreamCaptureStatusActive;
        return {};
    });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
    if (const cudaError_t error = cudaStreamIsCapturing(handle, status); error != cudaSuccess) return error;
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (stream.capture == nullptr) return {};
        if (id != nullptr) *id = stream.capture->id;
        if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(stream.capture->graph.get());
        if (dependencies != nullptr) *dependencies = stream.tail.data();
        if (edges != nullptr) *edges = nullptr;
        if (count != nullptr) *count = stream.tail.size();
        return {};
    });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, std::size_t count, unsigned flags) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (stream.capture == nullptr) return fails(cudaErrorIllegalState);
        if (count > 0 && dependencies == nullptr) return fails(cudaErrorInvalidValue);
        if (flags == cudaStreamSetCaptureDependencies) stream.tail.clear();
        stream.tail.insert(stream.tail.end(), dependencies, dependencies + count);
        return {};
    });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (mode == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    std::swap(*mode, captureMode());
    return cudaSuccess;
}

} // extern "C"

DORMER_PER_THREAD(cudaStreamBeginCapture, ptsz);
DORMER_PER_THREAD(cudaStreamBeginCaptureToGraph, ptsz);
DORMER_PER_THREAD(cudaStreamEndCapture, ptsz);
DORMER_PER_THREAD(cudaStreamIsCapturing, ptsz);
DORMER_PER_THREAD(cudaStreamGetCaptureInfo, ptsz);
DORMER_PER_THREAD(cudaStreamUpdateCaptureDependencies, ptsz);
