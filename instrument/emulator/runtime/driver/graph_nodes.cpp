// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of graphs that launch, copy or fill.

#include "instrument/emulator/runtime/driver/arguments.h"
#include "instrument/emulator/runtime/driver/array_formats.h"
#include "instrument/emulator/runtime/driver/driver.h"

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// Runs `body` with the same parameters as the runtime's interface has them.
template <typename Body>
CUresult withKernel(const CUDA_KERNEL_NODE_PARAMS* parameters, Body&& body) {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        cudaKernelNodeParams same = {};
        const CUfunction function =
            parameters->func != nullptr ? parameters->func : reinterpret_cast<CUfunction>(parameters->kern);
        same.func = reinterpret_cast<void*>(function);
        same.gridDim = {parameters->gridDimX, parameters->gridDimY, parameters->gridDimZ};
        same.blockDim = {parameters->blockDimX, parameters->blockDimY, parameters->blockDimZ};
        same.sharedMemBytes = parameters->sharedMemBytes;
        same.kernelParams = parameters->kernelParams;
        std::optional<std::vector<void*>> unpacked;
        if (parameters->extra != nullptr && parameters->kernelParams == nullptr) {
            unpacked = argumentsOf(function, parameters->extra);
            if (!unpacked) return cudaErrorInvalidValue;
            same.kernelParams = unpacked->data();
        }
        return body(same);
    });
}

template <typename Body>
CUresult withCopy(const CUDA_MEMCPY3D* copy, Body&& body) {
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        const cudaMemcpy3DParms same = parametersOf(*copy);
        return body(same);
    });
}

template <typename Body>
CUresult withFill(const CUDA_MEMSET_NODE_PARAMS* fill, Body&& body) {
    if (fill == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        const cudaMemsetParams same = {reinterpret_cast<void*>(fill->dst),
                                       fill->pitch,
                                       fill->value,
                                       fill->elementSize,
                                       fill->width,
                                       fill->height};
        return body(same);
    });
}

} // namespace

extern "C" {

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return withKernel(parameters, [&](const cudaKernelNodeParams& same) {
        return cudaGraphAddKernelNode(node, graph, after, count, &same);
    });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return withKernel(parameters, [&](const cudaKernelNodeParams& same) {
        return cudaGraphKernelNodeSetParams(node, &same);
    });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return withKernel(parameters, [&](const cudaKernelNodeParams& same) {
        return cudaGraphExecKernelNodeSetParams(exec, node, &same);
    });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        cudaKernelNodeParams same = {};
        if (const cudaError_t error = cudaGraphKernelNodeGetParams(node, &same); error != cudaSuccess)
            return error;
        // The driver knows kernels by handle only.
        const Outcome<Function*> function = Runtime::instance().modules().handle(same.func);
        *parameters = {};
        parameters->func = function ? reinterpret_cast<CUfunction>(*function) : nullptr;
        parameters->gridDimX = same.gridDim.x;
        parameters->gridDimY = same.gridDim.y;
        parameters->gridDimZ = same.gridDim.z;
        parameters->blockDimX = same.blockDim.x;
        parameters->blockDimY = same.blockDim.y;
        parameters->blockDimZ = same.blockDim.z;
        parameters->sharedMemBytes = same.sharedMemBytes;
        parameters->kernelParams = same.kernelParams;
        return cudaSuccess;
    });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned value, unsigned flags) {
    return inContext([&] {
        return cudaGraphConditionalHandleCreate(reinterpret_cast<cudaGraphConditionalHandle*>(handle), graph,
                                                value, flags);
    });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMCPY3D* copy, CUcontext) {
    return withCopy(copy, [&](const cudaMemcpy3DParms& same) {
        return cudaGraphAddMemcpyNode(node, graph, after, count, &same);
    });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
    return withCopy(copy,
                    [&](const cudaMemcpy3DParms& same) { return cudaGraphMemcpyNodeSetParams(node, &same); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* copy,
                                        CUcontext) {
    return withCopy(copy, [&](const cudaMemcpy3DParms& same) {
        return cudaGraphExecMemcpyNodeSetParams(exec, node, &same);
    });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext) {
    return withFill(fill, [&](const cudaMemsetParams& same) {
        return cudaGraphAddMemsetNode(node, graph, after, count, &same);
    });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* fill) {
    return withFill(fill,
                    [&](const cudaMemsetParams& same) { return cudaGraphMemsetNodeSetParams(node, &same); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext) {
    return withFill(fill, [&](const cudaMemsetParams& same) {
        return cudaGraphExecMemsetNodeSetParams(exec, node, &same);
    });
}

} // extern "C"
