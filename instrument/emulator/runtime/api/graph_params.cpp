// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/graph_params.h"

#include "instrument/emulator/runtime/api/api.h"

namespace dormer::emulator::runtime::api {

Outcome<Task> kernelWork(Runtime& runtime, const cudaKernelNodeParams* parameters) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    if (parameters->extra != nullptr) return lacking("kernel parameters in the \"extra\" form");
    Outcome<KernelCall> call = runtime.prepare(parameters->func, parameters->gridDim, parameters->blockDim,
                                               parameters->kernelParams, parameters->sharedMemBytes, false);
    if (!call) return std::unexpected(call.error());
    return std::move(*call);
}

Outcome<Task> copyWork(Runtime& runtime, const cudaMemcpy3DParms* parameters) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    const Outcome<Copy> copy = runtime.copies().general(*parameters);
    if (!copy) return std::unexpected(copy.error());
    return CopyCall{*copy, *parameters};
}

Outcome<Task> copyWork(Runtime& runtime, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms parameters = {};
    parameters.dstPtr = {to, bytes, bytes, 1};
    parameters.srcPtr = {const_cast<void*>(from), bytes, bytes, 1}; // NOLINT: the struct has no const
    parameters.extent = {bytes, 1, 1};
    parameters.kind = kind;
    return copyWork(runtime, &parameters);
}

Outcome<Task> fillWork(Runtime& runtime, const cudaMemsetParams* parameters) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    const std::size_t pitch =
        parameters->height > 1 ? parameters->pitch : parameters->width * parameters->elementSize;
    const Outcome<Fill> fill =
        runtime.copies().fill({parameters->dst, pitch, pitch, parameters->height}, parameters->value,
                              parameters->elementSize, {parameters->width, parameters->height, 1});
    if (!fill) return std::unexpected(fill.error());
    return FillCall{*fill, *parameters};
}

Outcome<Task> hostWork(const cudaHostNodeParams* parameters) {
    if (parameters == nullptr || parameters->fn == nullptr) return fails(cudaErrorInvalidValue);
    return HostCall{parameters->fn, parameters->userData};
}

Outcome<Task> eventWork(Runtime& runtime, cudaEvent_t handle, bool record) {
    Event* event = runtime.streams().findEvent(handle);
    if (event == nullptr) return fails(cudaErrorInvalidValue);
    return EventCall{event, record};
}

Outcome<Task> childWork(Runtime& runtime, cudaGraph_t handle) {
    const Graph* graph = runtime.graphs().find(handle);
    if (graph == nullptr) return fails(cudaErrorInvalidValue);
    return ChildGraph{clone(*graph).graph};
}

Outcome<Task> workOf(Runtime& runtime, const cudaGraphNodeParams* parameters) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    switch (parameters->type) {
    case cudaGraphNodeTypeKernel: {
        const auto& kernel = parameters->kernel;
        cudaKernelNodeParams plain = {};
        plain.func = kernel.func;
        plain.gridDim = kernel.gridDim;
        plain.blockDim = kernel.blockDim;
        plain.sharedMemBytes = kernel.sharedMemBytes;
        plain.kernelParams = kernel.kernelParams;
        plain.extra = kernel.extra;
        return kernelWork(runtime, &plain);
    }
    case cudaGraphNodeTypeMemcpy:
        return copyWork(runtime, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
        const auto& memset = parameters->memset;
        const cudaMemsetParams plain = {memset.dst,         memset.pitch, memset.value,
                                        memset.elementSize, memset.width, memset.height};
        return fillWork(runtime, &plain);
    }
    case cudaGraphNodeTypeHost: {
        const cudaHostNodeParams plain = {parameters->host.fn, parameters->host.userData};
        return hostWork(&plain);
    }
    case cudaGraphNodeTypeGraph:
        return childWork(runtime, parameters->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return Nothing{};
    case cudaGraphNodeTypeWaitEvent:
        return eventWork(runtime, parameters->eventWait.event, false);
    case cudaGraphNodeTypeEventRecord:
        return eventWork(runtime, parameters->eventRecord.event, true);
    default:
        return lacking("cudaGraphAddNode for semaphores, memory or conditions");
    }
}

} // namespace dormer::emulator::runtime::api
