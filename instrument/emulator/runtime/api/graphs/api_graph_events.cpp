// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of graphs that record events or wait for them.

#include "instrument/emulator/runtime/api/graphs/graph_params.h"
#include "instrument/emulator/runtime/api/graphs/node_calls.h"

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;
using namespace dormer::emulator::runtime::api::nodes;

namespace {

/// The event of a node that records one, or waits for one.
cudaError_t eventOf(cudaGraphNode_t node, cudaEvent_t* event, bool record) {
    if (event == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphNode* const found = r.graphs().node(node);
        const auto* const work = found != nullptr ? std::get_if<EventCall>(&found->work) : nullptr;
        if (work == nullptr || work->record != record) return fails(cudaErrorInvalidValue);
        *event = reinterpret_cast<cudaEvent_t>(work->event);
        return {};
    });
}

} // namespace

extern "C" {

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count, cudaEvent_t event) {
    return add(node, graph, after, count, [&](Runtime& r) { return eventWork(r, event, true); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t count, cudaEvent_t event) {
    return add(node, graph, after, count, [&](Runtime& r) { return eventWork(r, event, false); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return eventOf(node, event, true);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return eventOf(node, event, false);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set(node, [&](Runtime& r) { return eventWork(r, event, true); });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set(node, [&](Runtime& r) { return eventWork(r, event, false); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
    return setExec(exec, node, [&](Runtime& r) { return eventWork(r, event, true); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
    return setExec(exec, node, [&](Runtime& r) { return eventWork(r, event, false); });
}

} // extern "C"
