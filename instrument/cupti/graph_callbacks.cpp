// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/graph_callbacks.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/collector.h"
#include "instrument/cupti/graph_registry.h"
#include "instrument/cupti/host/cupti_error.h"

#include <algorithm>
#include <array>

namespace dormer::instrument::cupti {

namespace {

constexpr std::array kApiCalls = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

/// They give a node of an executable graph, or all of them, other parameters; the graph is the first
/// argument.
constexpr std::array kExecutableChanges = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
};
/// They change a node that executable graphs may have been made of; it is the first argument.
constexpr std::array kNodeChanges = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetAttribute,
    CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams,
};

constexpr std::array kResources = {
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,          CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
    CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING, CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING,
};

thread_local const collect::LaunchCall* capturedLaunch = nullptr;

/// The kernel of a node that was not captured but added.
passes::GraphBackend::NodeFacts addedKernel(CUgraphNode node) {
    passes::GraphBackend::NodeFacts facts;
    const activity::OwnCalls ours;
    CUDA_KERNEL_NODE_PARAMS params = {};
    const char* name = nullptr;
    if (cuGraphKernelNodeGetParams(node, &params) != CUDA_SUCCESS) return facts; // then it stays unknown
    if (params.func != nullptr && cuFuncGetName(&name, params.func) == CUDA_SUCCESS) {
        facts.function = params.func;
    } else if (params.kern != nullptr && cuKernelGetName(&name, params.kern) == CUDA_SUCCESS) {
        facts.function = params.kern;
    }
    if (name != nullptr) facts.mangledName = name;
    return facts;
}

void onNodeCreated(Collector& collector, const CUpti_GraphData& graph) {
    passes::GraphBackend::NodeFacts facts;
    if (graph.nodeType == CU_GRAPH_NODE_TYPE_KERNEL) {
        if (capturedLaunch != nullptr) {
            facts.function = capturedLaunch->function;
            facts.mangledName = capturedLaunch->mangledName;
        } else {
            facts = addedKernel(graph.node);
        }
    }
    passes::Place place = collector.place();
    facts.workload = std::move(place.workload);
    facts.nvtx = std::move(place.nvtx);
    GraphRegistry::instance().nodeCreated(graph.node, std::move(facts));
}

/// The functions' parameters begin alike: where the executable graph goes, and the graph it is made of.
using InstantiateParams = cuGraphInstantiateWithFlags_params;

void onInstantiate(const CUpti_CallbackData& data) {
    const auto& params = *static_cast<const InstantiateParams*>(data.functionParams);
    if (data.callbackSite == CUPTI_API_ENTER) {
        GraphRegistry::instance().instantiationBegins(params.hGraph);
        return;
    }
    const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
    const bool made = result != nullptr && *result == CUDA_SUCCESS && params.phGraphExec != nullptr;
    GraphRegistry::instance().instantiationEnds(made ? *params.phGraphExec : nullptr);
}

void onGraphLaunch(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data) {
    const auto& params = *static_cast<const cuGraphLaunch_params*>(data.functionParams);
    if (data.callbackSite == CUPTI_API_EXIT) {
        const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
        if (ProgramProfile* profile = collector.profile())
            profile->launchEnds(data.correlationId, result != nullptr && *result != CUDA_SUCCESS);
        else
            collector.graphEnds(params.hGraph);
        return;
    }
    collect::LaunchCall call;
    call.function = params.hGraph;
    call.mangledName = "(a graph)";
    call.correlationId = data.correlationId;
    call.stream = params.hStream;
    if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz && params.hStream == nullptr)
        call.stream = CU_STREAM_PER_THREAD;
    if (isCapturing(call.stream)) return;
    if (ProgramProfile* profile = collector.profile())
        profile->launchBegins({.function = params.hGraph,
                               .mangledName = nullptr,
                               .correlationId = data.correlationId,
                               .grid = {},
                               .block = {},
                               .dynamicSharedBytes = 0,
                               .device = 0,
                               .graph = true},
                              collector.placeNow());
    else
        collector.graphBegins(std::move(call));
}

bool onChange(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    const auto isOneOf = [id](const auto& calls) { return std::ranges::find(calls, id) != calls.end(); };
    const bool executable = isOneOf(kExecutableChanges);
    if (!executable && !isOneOf(kNodeChanges)) return false;
    if (activity::OwnCalls::active() || data.callbackSite != CUPTI_API_ENTER) return true;
    if (executable)
        GraphRegistry::instance().executableChanged(
            static_cast<const cuGraphExecUpdate_params*>(data.functionParams)->hGraphExec);
    else
        GraphRegistry::instance().nodeChanged(
            static_cast<const cuGraphKernelNodeSetParams_params*>(data.functionParams)->hNode);
    return true;
}

} // namespace

void enableGraphCallbacks(CUpti_SubscriberHandle subscriber) {
    const auto enable = [subscriber](const auto& calls) {
        for (const CUpti_driver_api_trace_cbid id : calls)
            DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
    };
    enable(kApiCalls);
    enable(kExecutableChanges);
    enable(kNodeChanges);
    for (const CUpti_CallbackIdResource id : kResources)
        DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id));
}

bool onGraphCall(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data) {
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz:
        if (!activity::OwnCalls::active()) onInstantiate(data);
        return true;
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
        if (!activity::OwnCalls::active()) onGraphLaunch(collector, id, data);
        return true;
    default:
        return onChange(id, data);
    }
}

void onGraphResource(Collector& collector, CUpti_CallbackId id, const CUpti_ResourceData& data) {
    const auto* graph = static_cast<const CUpti_GraphData*>(data.resourceDescriptor);
    if (graph == nullptr) return;
    switch (id) {
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
        onNodeCreated(collector, *graph);
        break;
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
        GraphRegistry::instance().nodeCloned(graph->node, graph->originalNode);
        break;
    case CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING:
        GraphRegistry::instance().nodeDestroyed(graph->node);
        break;
    case CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING:
        GraphRegistry::instance().graphDestroyed(graph->graph);
        break;
    case CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING:
        GraphRegistry::instance().executableDestroyed(graph->graphExec);
        break;
    default:
        break;
    }
}

bool isCapturing(const void* stream) {
    const activity::OwnCalls ours;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    auto* const handle = static_cast<CUstream>(const_cast<void*>(stream)); // NOLINT: handed through
    const CUresult result = cuStreamIsCapturing(handle, &status);
    // The other error: the launch is about to break another stream's capture, and will fail.
    return result == CUDA_SUCCESS ? status != CU_STREAM_CAPTURE_STATUS_NONE
                                  : result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

void setCapturedLaunch(const collect::LaunchCall* call) {
    capturedLaunch = call;
}

} // namespace dormer::instrument::cupti
