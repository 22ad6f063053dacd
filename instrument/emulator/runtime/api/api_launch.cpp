// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"

#include "analysis/base/demangle.h"
#include "analysis/device/occupancy.h"

#include <fmt/format.h>

using namespace dormer;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

Outcome<void> launch(Runtime& runtime, const void* function, dim3 grid, dim3 block, void** arguments,
                     std::size_t sharedBytes, cudaStream_t stream, bool cooperative,
                     std::optional<session::Dim3> cluster = std::nullopt) {
    Outcome<KernelCall> call =
        runtime.prepare(function, grid, block, arguments, sharedBytes, cooperative, cluster);
    if (!call) return std::unexpected(call.error());
    return runtime.submit(stream, std::move(*call));
}

/// Sets one of the three sizes of a kernel's clusters, which __cluster_dims__ may have fixed.
Outcome<void> setClusterSize(Function& function, std::uint32_t session::Dim3::*which, int value) {
    if (function.kernel->facts().cluster[0] != 0) return fails(cudaErrorNotPermitted);
    if (value < 0) return fails(cudaErrorInvalidValue);
    function.cluster.*which = static_cast<std::uint32_t>(value);
    return {};
}

std::optional<device::Occupancy> occupancyOf(Runtime& runtime, const emulator::program::KernelFacts& facts,
                                             int blockSize, std::size_t sharedBytes) {
    return device::theoreticalOccupancy(runtime.chip().device, describeKernel(facts),
                                        {static_cast<std::uint32_t>(blockSize), 1, 1}, sharedBytes);
}

} // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t sharedBytes, cudaStream_t stream) {
    return call(
        [&](Runtime& r) { return launch(r, function, grid, block, arguments, sharedBytes, stream, false); });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t sharedBytes, cudaStream_t stream) {
    return call(
        [&](Runtime& r) { return launch(r, function, grid, block, arguments, sharedBytes, stream, true); });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr))
            return fails(cudaErrorInvalidValue);
        bool cooperative = false;
        std::optional<session::Dim3> cluster;
        // Events that fire once all blocks have started, or have said so: when the kernel has run, at the
        // latest.
        std::vector<EventCall> after;
        const auto fires = [&](cudaEvent_t handle) {
            after.push_back({r.streams().findEvent(handle), true});
            return after.back().event != nullptr;
        };
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
                const auto& size = config->attrs[i].val.clusterDim;
                if (size.x == 0 || size.y == 0 || size.z == 0) return fails(cudaErrorInvalidValue);
                cluster = session::Dim3{size.x, size.y, size.z};
            }
            if (config->attrs[i].id == cudaLaunchAttributeDeviceUpdatableKernelNode)
                return lacking("a device-updatable kernel node");
            if ((config->attrs[i].id == cudaLaunchAttributeProgrammaticEvent &&
                 !fires(config->attrs[i].val.programmaticEvent.event)) ||
                (config->attrs[i].id == cudaLaunchAttributeLaunchCompletionEvent &&
                 !fires(config->attrs[i].val.launchCompletionEvent.event)))
                return fails(cudaErrorInvalidResourceHandle);
            if (config->attrs[i].id == cudaLaunchAttributeCooperative)
                cooperative = config->attrs[i].val.cooperative != 0;
        }
        const Stream* const stream = r.streams().find(config->stream);
        if (!after.empty() && stream != nullptr && stream->capture != nullptr)
            return lacking("a programmatic event in a captured stream");
        if (const Outcome<void> done = launch(r, function, config->gridDim, config->blockDim, arguments,
                                              config->dynamicSmemBytes, config->stream, cooperative, cluster);
            !done)
            return done;
        for (const EventCall& each : after)
            if (const Outcome<void> done = r.submit(config->stream, each); !done) return done;
        return {};
    });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (attributes == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = r.modules().function(function);
        if (!found) return std::unexpected(found.error());
        const emulator::program::KernelFacts& facts = (*found)->kernel->facts();
        *attributes = {};
        attributes->sharedSizeBytes = facts.staticSharedBytes;
        attributes->localSizeBytes = facts.localBytesPerThread;
        attributes->maxThreadsPerBlock = static_cast<int>(facts.maxThreadsPerBlock);
        attributes->numRegs = static_cast<int>(facts.registersPerThread);
        attributes->ptxVersion = static_cast<int>(facts.ptxTarget);
        // What the driver would compile the PTX for.
        attributes->binaryVersion =
            r.chip().device.computeCapabilityMajor * 10 + r.chip().device.computeCapabilityMinor;
        attributes->maxDynamicSharedSizeBytes =
            static_cast<int>(dynamicSharedLimit(facts, (*found)->maxDynamicSharedBytes));
        attributes->preferredShmemCarveout = (*found)->carveout;
        const session::Dim3 fixed{facts.cluster[0], facts.cluster[1], facts.cluster[2]};
        const session::Dim3& cluster = fixed.count() != 0 ? fixed : (*found)->cluster;
        attributes->requiredClusterWidth = static_cast<int>(cluster.x);
        attributes->requiredClusterHeight = static_cast<int>(cluster.y);
        attributes->requiredClusterDepth = static_cast<int>(cluster.z);
        attributes->clusterDimMustBeSet = facts.needsCluster ? 1 : 0;
        attributes->clusterSchedulingPolicyPreference = (*found)->clusterPolicy;
        attributes->nonPortableClusterSizeAllowed = (*found)->nonPortableClusters ? 1 : 0;
        return {};
    });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Function*> found = r.modules().function(function);
        if (!found) return std::unexpected(found.error());
        Function& target = **found;
        switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (auto refused = checkDynamicShared(r.chip(), target.kernel->facts(), value))
                return std::unexpected(std::move(*refused));
            target.maxDynamicSharedBytes = value;
            return {};
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100) return fails(cudaErrorInvalidValue);
            target.carveout = value;
            return {};
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            target.nonPortableClusters = value != 0;
            return {};
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            target.clusterPolicy = value; // a preference of how their blocks are spread over SMs
            return {};
        case cudaFuncAttributeRequiredClusterWidth:
            return setClusterSize(target, &session::Dim3::x, value);
        case cudaFuncAttributeRequiredClusterHeight:
            return setClusterSize(target, &session::Dim3::y, value);
        case cudaFuncAttributeRequiredClusterDepth:
            return setClusterSize(target, &session::Dim3::z, value);
        case cudaFuncAttributeClusterDimMustBeSet:
            return fails(cudaErrorNotPermitted);
        default:
            return fails(cudaErrorInvalidValue);
        }
    });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int device) {
    if (device != 0) return call([](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidDevice); });
    return cudaFuncSetAttribute(kernel, attribute, value);
}

/// A preference of how L1 and shared memory are split; the carve-out follows the launch here.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Function*> found = r.modules().handle(function);
        return found ? Outcome<void>{} : std::unexpected(found.error());
    });
}

/// Banks are four bytes wide on every chip since compute capability 5.0, whatever is requested.
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (name == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = r.modules().handle(function);
        if (!found) return std::unexpected(found.error());
        *name = (*found)->name.c_str();
        return {};
    });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                 std::size_t* bytes) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Function*> found = r.modules().function(function);
        if (!found) return std::unexpected(found.error());
        const auto& parameters = (*found)->kernel->facts().parameters;
        if (index >= parameters.size() || offset == nullptr) return fails(cudaErrorInvalidValue);
        *offset = parameters[index].offset;
        if (bytes != nullptr) *bytes = parameters[index].bytes;
        return {};
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int blockSize, std::size_t sharedBytes,
                                                                   unsigned) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (blocks == nullptr || blockSize <= 0) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = r.modules().function(function);
        if (!found) return std::unexpected(found.error());
        const emulator::program::KernelFacts& facts = (*found)->kernel->facts();
        const auto occupancy = occupancyOf(r, facts, blockSize, sharedBytes);
        const bool possible = occupancy && static_cast<std::uint32_t>(blockSize) <= facts.maxThreadsPerBlock;
        *blocks = possible ? static_cast<int>(occupancy->blocksPerSm) : 0;
        return {};
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                                          std::size_t sharedBytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, blockSize, sharedBytes,
                                                                  0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                      int blockSize) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (bytes == nullptr || blocks <= 0 || blockSize <= 0) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = r.modules().function(function);
        if (!found) return std::unexpected(found.error());
        const emulator::program::KernelFacts& facts = (*found)->kernel->facts();
        const auto fits = [&](std::size_t shared) {
            const auto occupancy = occupancyOf(r, facts, blockSize, shared);
            return occupancy && occupancy->blocksPerSm >= static_cast<std::uint32_t>(blocks);
        };
        if (!fits(0)) return fails(cudaErrorInvalidValue);
        // The occupancy falls with shared memory, so the most that still fits is found by halving.
        std::size_t low = 0;
        std::size_t high = r.chip().device.sharedBytesPerBlockOptin - facts.staticSharedBytes;
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            if (fits(middle))
                low = middle;
            else
                high = middle - 1;
        }
        *bytes = low;
        return {};
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaLaunchKernel, ptsz);
DORMER_PER_THREAD(cudaLaunchCooperativeKernel, ptsz);
DORMER_PER_THREAD(cudaLaunchKernelExC, ptsz);
