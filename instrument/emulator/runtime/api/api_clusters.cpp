// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Occupancy of thread block clusters. SMs of a chip are not divided into GPCs here, so these are the most
// that a chip could hold if no cluster's SMs lay in two of them.

#include "instrument/emulator/runtime/api/api.h"

#include "analysis/device/occupancy.h"

using namespace dormer;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

/// Blocks that a cluster may have (CUDA C++ programming guide, "thread block clusters").
constexpr int kPortable = 8, kMost = 16;

/// The kernel that a configuration is for, when the chip has clusters at all.
Outcome<Function*> kernelOf(Runtime& r, const void* function, const cudaLaunchConfig_t* config) {
    if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr) ||
        r.chip().device.computeCapabilityMajor < 9)
        return fails(cudaErrorInvalidValue);
    return r.modules().function(function);
}

/// Blocks of this kernel that the chip holds at once.
std::uint64_t residentBlocks(Runtime& r, const Function& function, const cudaLaunchConfig_t& config) {
    const auto occupancy = device::theoreticalOccupancy(
        r.chip().device, describeKernel(function.kernel->facts()),
        {config.blockDim.x, config.blockDim.y, config.blockDim.z}, config.dynamicSmemBytes);
    return occupancy
               ? std::uint64_t{occupancy->blocksPerSm} * static_cast<std::uint64_t>(r.chip().device.smCount)
               : 0;
}

} // namespace

extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (size == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = kernelOf(r, function, config);
        if (!found) return std::unexpected(found.error());
        const std::uint64_t blocks = residentBlocks(r, **found, *config);
        *size = (*found)->nonPortableClusters ? kMost : kPortable;
        while (*size > 0 && static_cast<std::uint64_t>(*size) > blocks)
            *size /= 2;
        return {};
    });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (clusters == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = kernelOf(r, function, config);
        if (!found) return std::unexpected(found.error());
        const auto& facts = (*found)->kernel->facts();
        session::Dim3 size = (*found)->cluster;
        if (facts.cluster[0] != 0) size = {facts.cluster[0], facts.cluster[1], facts.cluster[2]};
        for (unsigned i = 0; i < config->numAttrs; ++i)
            if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
                const auto& asked = config->attrs[i].val.clusterDim;
                size = {asked.x, asked.y, asked.z};
            }
        const auto most = static_cast<std::uint64_t>((*found)->nonPortableClusters ? kMost : kPortable);
        if (size.count() == 0 || size.count() > most) return fails(cudaErrorInvalidClusterSize);
        *clusters = static_cast<int>(residentBlocks(r, **found, *config) / size.count());
        return {};
    });
}

} // extern "C"
