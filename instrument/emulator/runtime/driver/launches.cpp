// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Launches, and what the driver tells of functions.

#include "instrument/emulator/runtime/driver/arguments.h"
#include "instrument/emulator/runtime/driver/driver.h"

#include <algorithm>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// Launches with the parameters in either of the driver's two forms.
template <typename Launch>
CUresult launch(CUfunction function, void** parameters, void** extra, Launch&& launchWith) {
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return inContext([&] {
        if (extra == nullptr) return launchWith(parameters);
        if (parameters != nullptr) return cudaErrorInvalidValue;
        std::optional<std::vector<void*>> unpacked = argumentsOf(function, extra);
        return unpacked ? launchWith(unpacked->data()) : cudaErrorInvalidValue;
    });
}

/// What cudaFuncGetAttributes has under this name; nothing for one it lacks.
std::optional<int> valueOf(const cudaFuncAttributes& all, CUfunction_attribute attribute) {
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        return all.maxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        return static_cast<int>(all.sharedSizeBytes);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        return static_cast<int>(all.constSizeBytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        return static_cast<int>(all.localSizeBytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        return all.numRegs;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        return all.ptxVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        return all.binaryVersion;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        return all.cacheModeCA;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return all.maxDynamicSharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return all.preferredShmemCarveout;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        return all.clusterDimMustBeSet;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        return all.requiredClusterWidth;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        return all.requiredClusterHeight;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        return all.requiredClusterDepth;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        return all.nonPortableClusterSizeAllowed;
    default:
        return std::nullopt;
    }
}

} // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void** parameters, void** extra) {
    return launch(function, parameters, extra, [&](void** arguments) {
        return cudaLaunchKernel(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, arguments,
                                sharedBytes, stream);
    });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                   CUstream stream, void** parameters) {
    return launch(function, parameters, nullptr, [&](void** arguments) {
        return cudaLaunchCooperativeKernel(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                                           arguments, sharedBytes, stream);
    });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
    cudaLaunchConfig_t same = {};
    same.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ};
    same.blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ};
    same.dynamicSmemBytes = config->sharedMemBytes;
    same.stream = config->hStream;
    same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs);
    same.numAttrs = config->numAttrs;
    return launch(function, parameters, extra,
                  [&](void** arguments) { return cudaLaunchKernelExC(&same, function, arguments); });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        cudaFuncAttributes all = {};
        const cudaError_t error = cudaFuncGetAttributes(&all, function);
        if (error != cudaSuccess) return error;
        const std::optional<int> answer = valueOf(all, attribute);
        *value = answer.value_or(0);
        return answer ? cudaSuccess : cudaErrorInvalidValue;
    });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    return device == 0 ? cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel))
                       : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    return device == 0 ? cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value)
                       : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    return device == 0 ? cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config)
                       : CUDA_ERROR_INVALID_DEVICE;
}

/// The smallest of the block sizes, in whole warps, that keep the most threads on an SM.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction function,
                                                   CUoccupancyB2DSize sharedBytesOf, std::size_t sharedBytes,
                                                   int blockSizeLimit, unsigned flags) {
    if (minGridSize == nullptr || blockSize == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        cudaFuncAttributes all = {};
        if (const cudaError_t error = cudaFuncGetAttributes(&all, function); error != cudaSuccess)
            return error;
        constexpr int kWarp = 32;
        int most = all.maxThreadsPerBlock;
        if (blockSizeLimit > 0) most = std::min(most, blockSizeLimit);
        int best = 0;
        for (int size = (most + kWarp - 1) / kWarp * kWarp; size > 0; size -= kWarp) {
            const int threads = std::min(size, most);
            const std::size_t bytes = sharedBytesOf != nullptr ? sharedBytesOf(threads) : sharedBytes;
            int blocks = 0;
            const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                &blocks, function, threads, bytes, flags);
            if (error != cudaSuccess) return error;
            if (blocks * threads <= best) continue;
            best = blocks * threads;
            *blockSize = threads;
            *minGridSize = blocks * Runtime::instance().chip().device.smCount;
        }
        return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedBytesOf, std::size_t sharedBytes,
                                          int blockSizeLimit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, sharedBytesOf,
                                                     sharedBytes, blockSizeLimit, 0);
}

} // extern "C"

DORMER_PER_THREAD(cuLaunchKernel, ptsz);
DORMER_PER_THREAD(cuLaunchCooperativeKernel, ptsz);
DORMER_PER_THREAD(cuLaunchKernelEx, ptsz);
