// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/device_attributes.h"

#include "analysis/device/architecture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace dormer::emulator::runtime::api {

namespace {

using device::Chip;

struct Constant {
    cudaDeviceAttr attribute;
    int value;
};

// The same on every compute capability from 7.0 to 9.0: CUDA C++ programming guide, "technical specifications
// per compute capability"; and what the emulator is: one device without a bus, whose memory the host shares.
constexpr std::array kConstants = {
    Constant{cudaDevAttrMaxThreadsPerBlock, 1024},
    Constant{cudaDevAttrMaxBlockDimX, 1024},
    Constant{cudaDevAttrMaxBlockDimY, 1024},
    Constant{cudaDevAttrMaxBlockDimZ, 64},
    Constant{cudaDevAttrMaxGridDimX, std::numeric_limits<int>::max()},
    Constant{cudaDevAttrMaxGridDimY, 65535},
    Constant{cudaDevAttrMaxGridDimZ, 65535},
    Constant{cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
    Constant{cudaDevAttrTotalConstantMemory, 64 << 10},
    Constant{cudaDevAttrMaxPitch, std::numeric_limits<int>::max()},
    Constant{cudaDevAttrMaxRegistersPerBlock, 65536},
    Constant{cudaDevAttrTextureAlignment, 512},
    Constant{cudaDevAttrTexturePitchAlignment, 32},
    Constant{cudaDevAttrSurfaceAlignment, 512},
    Constant{cudaDevAttrCanMapHostMemory, 1},
    Constant{cudaDevAttrComputeMode, cudaComputeModeDefault},
    Constant{cudaDevAttrConcurrentKernels, 1},
    Constant{cudaDevAttrUnifiedAddressing, 1},
    Constant{cudaDevAttrStreamPrioritiesSupported, 1},
    Constant{cudaDevAttrGlobalL1CacheSupported, 1},
    Constant{cudaDevAttrLocalL1CacheSupported, 1},
    Constant{cudaDevAttrManagedMemory, 1},
    Constant{cudaDevAttrConcurrentManagedAccess, 1},
    Constant{cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    // Memory operations of streams: of 64 bits, and CU_STREAM_WAIT_VALUE_NOR (cuda.h; the runtime does not
    // name them).
    Constant{cudaDevAttrReserved122, 1},
    Constant{cudaDevAttrReserved123, 1},
    Constant{cudaDevAttrHostRegisterSupported, 1},
    Constant{cudaDevAttrCooperativeLaunch, 1},
    Constant{cudaDevAttrMemoryPoolsSupported, 1},
    Constant{cudaDevAttrMaxTexture1DWidth, 131072},
    Constant{cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
    Constant{cudaDevAttrMaxTexture2DWidth, 131072},
    Constant{cudaDevAttrMaxTexture2DHeight, 65536},
    Constant{cudaDevAttrMaxTexture2DLinearWidth, 131072},
    Constant{cudaDevAttrMaxTexture2DLinearHeight, 65000},
    Constant{cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    Constant{cudaDevAttrMaxTexture3DWidth, 16384},
    Constant{cudaDevAttrMaxTexture3DHeight, 16384},
    Constant{cudaDevAttrMaxTexture3DDepth, 16384},
    Constant{cudaDevAttrMaxSurface1DWidth, 32768},
    Constant{cudaDevAttrMaxSurface2DWidth, 131072},
    Constant{cudaDevAttrMaxSurface2DHeight, 65536},
    Constant{cudaDevAttrMaxSurface3DWidth, 16384},
    Constant{cudaDevAttrMaxSurface3DHeight, 16384},
    Constant{cudaDevAttrMaxSurface3DDepth, 16384},
    // The rest as deviceQuery shows it on chips of these capabilities.
    Constant{cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    Constant{cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    Constant{cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    Constant{cudaDevAttrMaxTexture2DGatherWidth, 32768},
    Constant{cudaDevAttrMaxTexture2DGatherHeight, 32768},
    Constant{cudaDevAttrMaxTexture3DWidthAlt, 8192},
    Constant{cudaDevAttrMaxTexture3DHeightAlt, 8192},
    Constant{cudaDevAttrMaxTexture3DDepthAlt, 32768},
    Constant{cudaDevAttrMaxTextureCubemapWidth, 32768},
    Constant{cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    Constant{cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    Constant{cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    Constant{cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    Constant{cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    Constant{cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    Constant{cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    Constant{cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    Constant{cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    Constant{cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    Constant{cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    Constant{cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    Constant{cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    Constant{cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    Constant{cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    Constant{cudaDevAttrComputePreemptionSupported, 1},
    Constant{cudaDevAttrHostRegisterReadOnlySupported, 1},
    Constant{cudaDevAttrNumaConfig, cudaDeviceNumaConfigNone},
    Constant{cudaDevAttrNumaId, -1},
    Constant{cudaDevAttrHostNumaId, -1},
};

/// Attributes that exist but say "no" or "none" here: interprocess sharing, graphics, the bus.
bool exists(cudaDeviceAttr attribute) {
    return attribute > 0 && attribute < cudaDevAttrMax;
}

int clampToInt(double value) {
    return static_cast<int>(std::min(value, static_cast<double>(std::numeric_limits<int>::max())));
}

/// Chips for computing centres, whose memory corrects errors; those for desktops have fewer copy engines.
bool isForCentres(const session::Device& device) {
    return device.computeCapabilityMajor == 7 || device.computeCapabilityMinor == 0;
}

int copyEngines(const session::Device& device) {
    if (device.computeCapabilityMajor == 7) return device.computeCapabilityMinor == 0 ? 6 : 3;
    return isForCentres(device) ? 3 : 2;
}

/// What L2 may set aside for lines that persist, of 8.0 and later: 5/8 of it on A100 and H100, 11/16 on the
/// chips for desktops, as deviceQuery shows it.
int persistingL2Bytes(const session::Device& device) {
    if (device.computeCapabilityMajor < 8) return 0;
    return static_cast<int>(isForCentres(device) ? device.l2Bytes / 8 * 5 : device.l2Bytes / 16 * 11);
}

std::optional<int> ofChip(const device::Chip& chip, cudaDeviceAttr attribute) {
    const session::Device& device = chip.device;
    switch (attribute) {
    case cudaDevAttrWarpSize:
        return static_cast<int>(device.warpSize);
    case cudaDevAttrClockRate:
        return clampToInt(device.smClockMaxHz / 1e3); // kHz
    case cudaDevAttrMemoryClockRate:
        return clampToInt(device.memoryClockMaxHz / 1e3); // kHz
    case cudaDevAttrMultiProcessorCount:
        return device.smCount;
    case cudaDevAttrGlobalMemoryBusWidth:
        return device.memoryBusBits;
    case cudaDevAttrL2CacheSize:
        return static_cast<int>(device.l2Bytes);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return static_cast<int>(device.maxThreadsPerSm);
    case cudaDevAttrComputeCapabilityMajor:
        return device.computeCapabilityMajor;
    case cudaDevAttrComputeCapabilityMinor:
        return device.computeCapabilityMinor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return static_cast<int>(device.sharedBytesPerSm);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return static_cast<int>(device.registersPerSm);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return static_cast<int>(device.sharedBytesPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return static_cast<int>(device.maxBlocksPerSm);
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return static_cast<int>(device.reservedSharedBytesPerBlock);
    case cudaDevAttrAsyncEngineCount:
        return copyEngines(device);
    case cudaDevAttrGpuOverlap:
        return 1;
    case cudaDevAttrEccEnabled:
        return isForCentres(device) ? 1 : 0;
    case cudaDevAttrClusterLaunch:
        return device.computeCapabilityMajor >= 9 ? 1 : 0;
    case cudaDevAttrMaxPersistingL2CacheSize:
        return persistingL2Bytes(device);
    case cudaDevAttrMaxAccessPolicyWindowSize:
        return device.computeCapabilityMajor >= 8 ? 128 << 20 : 0;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: {
        const device::Architecture* architecture = device::architectureOf(device);
        if (architecture == nullptr || architecture->fp64 <= 0) return 0;
        return static_cast<int>(architecture->fp32 / architecture->fp64);
    }
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<int> deviceAttribute(const device::Chip& chip, cudaDeviceAttr attribute) {
    if (!exists(attribute)) return std::nullopt;
    if (const auto value = ofChip(chip, attribute)) return value;
    const auto constant = std::ranges::find(kConstants, attribute, &Constant::attribute);
    return constant == kConstants.end() ? 0 : constant->value;
}

cudaDeviceProp deviceProperties(const device::Chip& chip) {
    const auto get = [&chip](cudaDeviceAttr attribute) {
        return deviceAttribute(chip, attribute).value_or(0);
    };
    const auto bytes = [&get](cudaDeviceAttr attribute) { return static_cast<std::size_t>(get(attribute)); };
    cudaDeviceProp p = {};
    std::strncpy(p.name, chip.device.name.c_str(), sizeof p.name - 1);
    p.totalGlobalMem = chip.device.memoryBytes;
    p.sharedMemPerBlock = bytes(cudaDevAttrMaxSharedMemoryPerBlock);
    p.regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
    p.warpSize = get(cudaDevAttrWarpSize);
    p.memPitch = bytes(cudaDevAttrMaxPitch);
    p.maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
    p.maxThreadsDim[0] = get(cudaDevAttrMaxBlockDimX);
    p.maxThreadsDim[1] = get(cudaDevAttrMaxBlockDimY);
    p.maxThreadsDim[2] = get(cudaDevAttrMaxBlockDimZ);
    p.maxGridSize[0] = get(cudaDevAttrMaxGridDimX);
    p.maxGridSize[1] = get(cudaDevAttrMaxGridDimY);
    p.maxGridSize[2] = get(cudaDevAttrMaxGridDimZ);
    p.totalConstMem = bytes(cudaDevAttrTotalConstantMemory);
    p.major = get(cudaDevAttrComputeCapabilityMajor);
    p.minor = get(cudaDevAttrComputeCapabilityMinor);
    p.textureAlignment = bytes(cudaDevAttrTextureAlignment);
    p.texturePitchAlignment = bytes(cudaDevAttrTexturePitchAlignment);
    p.surfaceAlignment = bytes(cudaDevAttrSurfaceAlignment);
    p.multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    p.canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
    p.maxTexture1D = get(cudaDevAttrMaxTexture1DWidth);
    p.maxTexture1DMipmap = get(cudaDevAttrMaxTexture1DMipmappedWidth);
    p.maxTexture2D[0] = get(cudaDevAttrMaxTexture2DWidth);
    p.maxTexture2D[1] = get(cudaDevAttrMaxTexture2DHeight);
    p.maxTexture2DLinear[0] = get(cudaDevAttrMaxTexture2DLinearWidth);
    p.maxTexture2DLinear[1] = get(cudaDevAttrMaxTexture2DLinearHeight);
    p.maxTexture2DLinear[2] = get(cudaDevAttrMaxTexture2DLinearPitch);
    p.maxTexture2DMipmap[0] = get(cudaDevAttrMaxTexture2DMipmappedWidth);
    p.maxTexture2DMipmap[1] = get(cudaDevAttrMaxTexture2DMipmappedHeight);
    p.maxTexture2DGather[0] = get(cudaDevAttrMaxTexture2DGatherWidth);
    p.maxTexture2DGather[1] = get(cudaDevAttrMaxTexture2DGatherHeight);
    p.maxTexture3D[0] = get(cudaDevAttrMaxTexture3DWidth);
    p.maxTexture3D[1] = get(cudaDevAttrMaxTexture3DHeight);
    p.maxTexture3D[2] = get(cudaDevAttrMaxTexture3DDepth);
    p.maxTexture3DAlt[0] = get(cudaDevAttrMaxTexture3DWidthAlt);
    p.maxTexture3DAlt[1] = get(cudaDevAttrMaxTexture3DHeightAlt);
    p.maxTexture3DAlt[2] = get(cudaDevAttrMaxTexture3DDepthAlt);
    p.maxTextureCubemap = get(cudaDevAttrMaxTextureCubemapWidth);
    p.maxTexture1DLayered[0] = get(cudaDevAttrMaxTexture1DLayeredWidth);
    p.maxTexture1DLayered[1] = get(cudaDevAttrMaxTexture1DLayeredLayers);
    p.maxTexture2DLayered[0] = get(cudaDevAttrMaxTexture2DLayeredWidth);
    p.maxTexture2DLayered[1] = get(cudaDevAttrMaxTexture2DLayeredHeight);
    p.maxTexture2DLayered[2] = get(cudaDevAttrMaxTexture2DLayeredLayers);
    p.maxTextureCubemapLayered[0] = get(cudaDevAttrMaxTextureCubemapLayeredWidth);
    p.maxTextureCubemapLayered[1] = get(cudaDevAttrMaxTextureCubemapLayeredLayers);
    p.maxSurface1D = get(cudaDevAttrMaxSurface1DWidth);
    p.maxSurface2D[0] = get(cudaDevAttrMaxSurface2DWidth);
    p.maxSurface2D[1] = get(cudaDevAttrMaxSurface2DHeight);
    p.maxSurface3D[0] = get(cudaDevAttrMaxSurface3DWidth);
    p.maxSurface3D[1] = get(cudaDevAttrMaxSurface3DHeight);
    p.maxSurface3D[2] = get(cudaDevAttrMaxSurface3DDepth);
    p.maxSurface1DLayered[0] = get(cudaDevAttrMaxSurface1DLayeredWidth);
    p.maxSurface1DLayered[1] = get(cudaDevAttrMaxSurface1DLayeredLayers);
    p.maxSurface2DLayered[0] = get(cudaDevAttrMaxSurface2DLayeredWidth);
    p.maxSurface2DLayered[1] = get(cudaDevAttrMaxSurface2DLayeredHeight);
    p.maxSurface2DLayered[2] = get(cudaDevAttrMaxSurface2DLayeredLayers);
    p.maxSurfaceCubemap = get(cudaDevAttrMaxSurfaceCubemapWidth);
    p.maxSurfaceCubemapLayered[0] = get(cudaDevAttrMaxSurfaceCubemapLayeredWidth);
    p.maxSurfaceCubemapLayered[1] = get(cudaDevAttrMaxSurfaceCubemapLayeredLayers);
    p.ECCEnabled = get(cudaDevAttrEccEnabled);
    p.asyncEngineCount = get(cudaDevAttrAsyncEngineCount);
    p.persistingL2CacheMaxSize = get(cudaDevAttrMaxPersistingL2CacheSize);
    p.accessPolicyMaxWindowSize = get(cudaDevAttrMaxAccessPolicyWindowSize);
    p.computePreemptionSupported = get(cudaDevAttrComputePreemptionSupported);
    p.hostRegisterReadOnlySupported = get(cudaDevAttrHostRegisterReadOnlySupported);
    p.clusterLaunch = get(cudaDevAttrClusterLaunch);
    p.concurrentKernels = get(cudaDevAttrConcurrentKernels);
    p.unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
    p.memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
    p.l2CacheSize = get(cudaDevAttrL2CacheSize);
    p.maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    p.streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported);
    p.globalL1CacheSupported = get(cudaDevAttrGlobalL1CacheSupported);
    p.localL1CacheSupported = get(cudaDevAttrLocalL1CacheSupported);
    p.sharedMemPerMultiprocessor = bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p.regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
    p.managedMemory = get(cudaDevAttrManagedMemory);
    p.concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
    p.canUseHostPointerForRegisteredMem = get(cudaDevAttrCanUseHostPointerForRegisteredMem);
    p.cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
    p.sharedMemPerBlockOptin = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p.maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    p.reservedSharedMemPerBlock = bytes(cudaDevAttrReservedSharedMemoryPerBlock);
    p.hostRegisterSupported = get(cudaDevAttrHostRegisterSupported);
    p.memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported);
    p.deviceNumaConfig = get(cudaDevAttrNumaConfig);
    p.deviceNumaId = get(cudaDevAttrNumaId);
    p.hostNumaId = get(cudaDevAttrHostNumaId);
    return p;
}

} // namespace dormer::emulator::runtime::api
