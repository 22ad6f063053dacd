// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Attributes of streams and of kernel nodes. Which ones either has: CUDA runtime API, cudaLaunchAttributeID.

#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/device_attributes.h"

#include <algorithm>
#include <array>

using namespace dormer;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

constexpr std::array kOfStreams = {cudaLaunchAttributeAccessPolicyWindow,
                                   cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributePriority,
                                   cudaLaunchAttributeMemSyncDomainMap, cudaLaunchAttributeMemSyncDomain};
constexpr std::array kOfKernelNodes = {
    cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
    cudaLaunchAttributeClusterDimension,   cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributePriority,           cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain,      cudaLaunchAttributePreferredSharedMemoryCarveout};

template <std::size_t count>
bool among(const std::array<cudaLaunchAttributeID, count>& known, cudaLaunchAttributeID attribute) {
    return std::ranges::find(known, attribute) != known.end();
}

/// What an attribute is where nobody set it.
cudaLaunchAttributeValue standard(cudaLaunchAttributeID attribute) {
    cudaLaunchAttributeValue value = {};
    if (attribute == cudaLaunchAttributeSynchronizationPolicy) value.syncPolicy = cudaSyncPolicyAuto;
    if (attribute == cudaLaunchAttributeMemSyncDomainMap)
        value.memSyncDomainMap = {.default_ = 0, .remote = 1};
    if (attribute == cudaLaunchAttributePreferredSharedMemoryCarveout) value.sharedMemCarveout = 0;
    return value;
}

Outcome<void> check(Runtime& r, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
    bool fine = true;
    if (attribute == cudaLaunchAttributeAccessPolicyWindow) {
        const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
        const int most = deviceAttribute(r.chip(), cudaDevAttrMaxAccessPolicyWindowSize).value_or(0);
        fine = window.hitRatio >= 0 && window.hitRatio <= 1 &&
               window.missProp != cudaAccessPropertyPersisting &&
               window.num_bytes <= static_cast<std::size_t>(most);
    } else if (attribute == cudaLaunchAttributeSynchronizationPolicy) {
        fine = value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
    } else if (attribute == cudaLaunchAttributeMemSyncDomain) {
        fine = value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
               value.memSyncDomain == cudaLaunchMemSyncDomainRemote;
    }
    return fine ? Outcome<void>{} : fails(cudaErrorInvalidValue);
}

template <typename Body>
cudaError_t withStream(cudaStream_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        Stream* const stream = r.streams().find(handle);
        if (stream == nullptr) return fails(cudaErrorInvalidResourceHandle);
        return body(r, *stream);
    });
}

template <typename Body>
cudaError_t withKernel(cudaGraphNode_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        GraphNode* const node = r.graphs().node(handle);
        KernelCall* const kernel = node != nullptr ? std::get_if<KernelCall>(&node->work) : nullptr;
        if (kernel == nullptr) return fails(cudaErrorInvalidValue);
        return body(r, *kernel);
    });
}

/// The launch of a node under other attributes, checked as any launch is.
Outcome<void> change(Runtime& r, KernelCall& kernel, bool cooperative, std::optional<session::Dim3> cluster) {
    const Function& function = *kernel.function;
    const session::Dim3 size = cluster.value_or(session::Dim3{1, 1, 1});
    if (auto refused = checkLaunch(r.chip(), function.kernel->facts(), function.maxDynamicSharedBytes,
                                   {kernel.grid, kernel.block, kernel.dynamicSharedBytes, cooperative, size,
                                    cluster.has_value(), function.nonPortableClusters}))
        return std::unexpected(std::move(*refused));
    kernel.cooperative = cooperative;
    kernel.cluster = size;
    kernel.explicitCluster = cluster.has_value();
    return {};
}

std::optional<session::Dim3> clusterOf(const KernelCall& kernel) {
    return kernel.explicitCluster ? std::optional(kernel.cluster) : std::nullopt;
}

} // namespace

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
    return withStream(handle, [&](Runtime& r, Stream& stream) -> Outcome<void> {
        if (value == nullptr || !among(kOfStreams, attribute)) return fails(cudaErrorInvalidValue);
        if (const Outcome<void> fine = check(r, attribute, *value); !fine) return fine;
        if (attribute == cudaLaunchAttributePriority)
            stream.priority = value->priority;
        else
            stream.attributes[attribute] = *value;
        return {};
    });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (value == nullptr || !among(kOfStreams, attribute)) return fails(cudaErrorInvalidValue);
        const auto set = stream.attributes.find(attribute);
        *value = set != stream.attributes.end() ? set->second : standard(attribute);
        if (attribute == cudaLaunchAttributePriority) value->priority = stream.priority;
        return {};
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return withStream(to, [&](Runtime& r, Stream& target) -> Outcome<void> {
        const Stream* const source = r.streams().find(from);
        if (source == nullptr) return fails(cudaErrorInvalidResourceHandle);
        target.attributes = source->attributes;
        return {};
    });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
    return withKernel(node, [&](Runtime& r, KernelCall& kernel) -> Outcome<void> {
        if (value == nullptr || !among(kOfKernelNodes, attribute)) return fails(cudaErrorInvalidValue);
        if (const Outcome<void> fine = check(r, attribute, *value); !fine) return fine;
        if (attribute == cudaLaunchAttributeCooperative)
            return change(r, kernel, value->cooperative != 0, clusterOf(kernel));
        if (attribute == cudaLaunchAttributeClusterDimension) {
            const auto& size = value->clusterDim;
            if (size.x == 0 || size.y == 0 || size.z == 0) return fails(cudaErrorInvalidValue);
            return change(r, kernel, kernel.cooperative, session::Dim3{size.x, size.y, size.z});
        }
        kernel.attributes[attribute] = *value;
        return {};
    });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
    return withKernel(node, [&](Runtime&, KernelCall& kernel) -> Outcome<void> {
        if (value == nullptr || !among(kOfKernelNodes, attribute)) return fails(cudaErrorInvalidValue);
        const auto set = kernel.attributes.find(attribute);
        *value = set != kernel.attributes.end() ? set->second : standard(attribute);
        if (attribute == cudaLaunchAttributeCooperative) value->cooperative = kernel.cooperative ? 1 : 0;
        if (attribute == cudaLaunchAttributeClusterDimension && kernel.explicitCluster)
            value->clusterDim = {kernel.cluster.x, kernel.cluster.y, kernel.cluster.z};
        return {};
    });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return withKernel(to, [&](Runtime& r, KernelCall& target) -> Outcome<void> {
        const GraphNode* const node = r.graphs().node(from);
        const auto* const source = node != nullptr ? std::get_if<KernelCall>(&node->work) : nullptr;
        if (source == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<void> changed = change(r, target, source->cooperative, clusterOf(*source));
        if (changed) target.attributes = source->attributes;
        return changed;
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaStreamSetAttribute, ptsz);
DORMER_PER_THREAD(cudaStreamGetAttribute, ptsz);
DORMER_PER_THREAD(cudaStreamCopyAttributes, ptsz);
