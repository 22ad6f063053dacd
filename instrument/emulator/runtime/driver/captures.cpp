// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Captures, seen and changed while they last.

#include "instrument/emulator/runtime/driver/driver.h"

using dormer::emulator::runtime::driver::inContext;
using dormer::emulator::runtime::driver::pass;

extern "C" {

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, std::size_t* count) {
    return inContext([&] {
        return pass(cudaStreamGetCaptureInfo, stream, status, id, graph, dependencies, edges, count);
    });
}

/// As CUDA 12.2 and older have it.
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies, std::size_t* count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* edges, std::size_t count,
                                              unsigned flags) {
    return inContext(
        [&] { return pass(cudaStreamUpdateCaptureDependencies, stream, dependencies, edges, count, flags); });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* edges, std::size_t count,
                                     CUstreamCaptureMode mode) {
    return inContext(
        [&] { return pass(cudaStreamBeginCaptureToGraph, stream, graph, dependencies, edges, count, mode); });
}

} // extern "C"

DORMER_PER_THREAD(cuStreamGetCaptureInfo_v3, ptsz);
DORMER_PER_THREAD(cuStreamGetCaptureInfo_v2, ptsz);
DORMER_PER_THREAD(cuStreamUpdateCaptureDependencies_v2, ptsz);
DORMER_PER_THREAD(cuStreamBeginCaptureToGraph, ptsz);
