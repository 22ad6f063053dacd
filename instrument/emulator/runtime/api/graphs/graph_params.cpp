// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/graphs/graph_params.h"

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

Outcome<Task> allocateWork(Runtime& runtime, cudaMemAllocNodeParams* parameters) {
    if (parameters == nullptr || parameters->bytesize == 0) return fails(cudaErrorInvalidValue);
    const Outcome<std::uint64_t> address =
        runtime.allocate(parameters->bytesize, memory::Allocation::Kind::Device);
    if (!address) return std::unexpected(address.error());
    runtime.graphMemory()[*address] = parameters->bytesize;
    parameters->dptr = reinterpret_cast<void*>(*address);
    AllocateCall work;
    work.parameters = *parameters;
    work.parameters.accessDescs = nullptr; // the program's
    work.parameters.accessDescCount = 0;
    return work;
}

Outcome<Task> freeWork(Runtime& runtime, void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    return runtime.graphMemory().contains(address) ? Outcome<Task>(FreeCall{address})
                                                   : fails(cudaErrorInvalidValue);
}

Outcome<Task> conditionalWork(Runtime& runtime, cudaConditionalNodeParams* parameters) {
    const auto handle = static_cast<std::uint64_t>(parameters->handle);
    const auto value = runtime.memory().find(handle);
    const bool isSwitch = parameters->type == cudaGraphCondTypeSwitch;
    const unsigned most = isSwitch ? parameters->size : parameters->type == cudaGraphCondTypeIf ? 2 : 1;
    if (!value || value->kind != memory::Allocation::Kind::Internal || value->address != handle ||
        parameters->size == 0 || parameters->size > most)
        return fails(cudaErrorInvalidValue);
    ConditionalCall work;
    work.type = parameters->type;
    work.value = reinterpret_cast<const unsigned*>(handle);
    work.handles = std::make_shared<std::vector<cudaGraph_t>>();
    for (unsigned i = 0; i < parameters->size; ++i) {
        work.bodies.push_back(std::make_shared<Graph>());
        work.handles->push_back(reinterpret_cast<cudaGraph_t>(work.bodies.back().get()));
    }
    parameters->phGraph_out = work.handles->data();
    return work;
}

Outcome<Task> newWorkOf(Runtime& runtime, cudaGraphNodeParams* parameters) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    if (parameters->type == cudaGraphNodeTypeConditional)
        return conditionalWork(runtime, &parameters->conditional);
    if (parameters->type != cudaGraphNodeTypeMemAlloc) return workOf(runtime, parameters);
    cudaMemAllocNodeParams plain = {};
    plain.poolProps = parameters->alloc.poolProps;
    plain.bytesize = parameters->alloc.bytesize;
    Outcome<Task> work = allocateWork(runtime, &plain);
    parameters->alloc.dptr = plain.dptr;
    return work;
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
    case cudaGraphNodeTypeMemFree:
        return freeWork(runtime, parameters->free.dptr);
    default:
        return lacking("this use of a graph node of semaphores, memory or conditions");
    }
}

} // namespace dormer::emulator::runtime::api
