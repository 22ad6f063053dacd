// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of graphs and their parameters, before and after instantiation.

#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/graphs/graph_params.h"
#include "instrument/emulator/runtime/api/graphs/node_calls.h"

using namespace dormer::emulator::engine;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;
using namespace dormer::emulator::runtime::api::nodes;

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
    return add(node, graph, after, count, [](Runtime&) -> Outcome<Task> { return Nothing{}; });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
    return add(node, graph, after, count, [&](Runtime& r) { return kernelWork(r, parameters); });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    return set(node, [&](Runtime& r) { return kernelWork(r, parameters); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    return setExec(exec, node, [&](Runtime& r) { return kernelWork(r, parameters); });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<KernelCall>(node, [&](GraphNode& owner, KernelCall& kernel) {
        owner.argumentPointers.clear();
        for (const dormer::emulator::program::ParameterPlace& place :
             kernel.function->kernel->facts().parameters)
            owner.argumentPointers.push_back(kernel.parameters.data() + place.offset);
        *parameters = {};
        parameters->func = const_cast<void*>(kernel.hostFunction); // NOLINT: the struct has no const
        parameters->gridDim = {kernel.grid.x, kernel.grid.y, kernel.grid.z};
        parameters->blockDim = {kernel.block.x, kernel.block.y, kernel.block.z};
        parameters->sharedMemBytes = static_cast<unsigned>(kernel.dynamicSharedBytes);
        parameters->kernelParams = owner.argumentPointers.data();
    });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
    return add(node, graph, after, count, [&](Runtime& r) { return copyWork(r, parameters); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    return set(node, [&](Runtime& r) { return copyWork(r, parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
    return setExec(exec, node, [&](Runtime& r) { return copyWork(r, parameters); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<CopyCall>(node, [&](GraphNode&, CopyCall& copy) { *parameters = copy.parameters; });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
    return add(node, graph, after, count, [&](Runtime& r) { return copyWork(r, to, from, bytes, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
    return set(node, [&](Runtime& r) { return copyWork(r, to, from, bytes, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return setExec(exec, node, [&](Runtime& r) { return copyWork(r, to, from, bytes, kind); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* parameters) {
    return add(node, graph, after, count, [&](Runtime& r) { return fillWork(r, parameters); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    return set(node, [&](Runtime& r) { return fillWork(r, parameters); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
    return setExec(exec, node, [&](Runtime& r) { return fillWork(r, parameters); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<FillCall>(node, [&](GraphNode&, FillCall& fill) { *parameters = fill.parameters; });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
    return add(node, graph, after, count, [&](Runtime&) { return hostWork(parameters); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    return set(node, [&](Runtime&) { return hostWork(parameters); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
    return setExec(exec, node, [&](Runtime&) { return hostWork(parameters); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<HostCall>(node, [&](GraphNode&, HostCall& host) { *parameters = {host.function, host.data}; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
    return add(node, graph, after, count, [&](Runtime& r) { return childWork(r, child); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
    return setExec(exec, node, [&](Runtime& r) { return childWork(r, child); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    if (graph == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<ChildGraph>(node, [&](GraphNode&, ChildGraph& child) {
        *graph = reinterpret_cast<cudaGraph_t>(child.graph.get());
    });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
    return add(node, graph, after, count, [&](Runtime& r) { return allocateWork(r, parameters); });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<AllocateCall>(node, [&](GraphNode&, AllocateCall& work) { *parameters = work.parameters; });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    std::size_t count, void* pointer) {
    return add(node, graph, after, count, [&](Runtime& r) { return freeWork(r, pointer); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    if (pointer == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return get<FreeCall>(node, [&](GraphNode&, const FreeCall& work) {
        *static_cast<void**>(pointer) = reinterpret_cast<void*>(work.address);
    });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graphHandle,
                                             unsigned value, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        Graph* graph = r.graphs().find(graphHandle);
        if (handle == nullptr || graph == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<std::uint64_t> address =
            r.allocate(sizeof(unsigned), dormer::emulator::memory::Allocation::Kind::Internal);
        if (!address) return std::unexpected(address.error());
        Condition condition{reinterpret_cast<unsigned*>(*address), std::nullopt};
        *condition.value = 0;
        if ((flags & cudaGraphCondAssignDefault) != 0) condition.initial = value;
        graph->conditions.push_back(condition);
        *handle = *address;
        return {};
    });
}

/// Graphs keep what they allocated, so in use and reserved are the same.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (device != 0) return fails(cudaErrorInvalidDevice);
        if (value == nullptr || attribute < cudaGraphMemAttrUsedMemCurrent ||
            attribute > cudaGraphMemAttrReservedMemHigh)
            return fails(cudaErrorInvalidValue);
        std::uint64_t bytes = 0;
        for (const auto& [address, size] : r.graphMemory())
            bytes += size;
        *static_cast<std::uint64_t*>(value) = bytes;
        return {};
    });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
    return call([&](Runtime&) -> Outcome<void> {
        if (device != 0) return fails(cudaErrorInvalidDevice);
        return value != nullptr ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    return call([&](Runtime&) -> Outcome<void> {
        return device == 0 ? Outcome<void>{} : fails(cudaErrorInvalidDevice);
    });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, std::size_t count, cudaGraphNodeParams* parameters) {
    return add(node, graph, after, count, [&](Runtime& r) { return newWorkOf(r, parameters); });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
    return set(node, [&](Runtime& r) { return workOf(r, parameters); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
    return setExec(exec, node, [&](Runtime& r) { return workOf(r, parameters); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned enabled) {
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphExec* exec = r.graphs().findExec(handle);
        if (exec == nullptr) return fails(cudaErrorInvalidValue);
        const auto found = exec->clone.nodes.find(reinterpret_cast<const GraphNode*>(node));
        if (found == exec->clone.nodes.end()) return fails(cudaErrorInvalidValue);
        found->second->enabled = enabled != 0;
        return {};
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned* enabled) {
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphExec* exec = r.graphs().findExec(handle);
        if (exec == nullptr || enabled == nullptr) return fails(cudaErrorInvalidValue);
        const auto found = exec->clone.nodes.find(reinterpret_cast<const GraphNode*>(node));
        if (found == exec->clone.nodes.end()) return fails(cudaErrorInvalidValue);
        *enabled = found->second->enabled ? 1 : 0;
        return {};
    });
}

} // extern "C"
