// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The driver's functions by name.

#include "instrument/emulator/libraries/foreign_libraries.h"
#include "instrument/emulator/runtime/driver/driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

using namespace dormer::emulator;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// CUDA versions that brought a form of a function, where the suffix doesn't tell (cudaTypedefs.h). Others
/// with a suffix are of CUDA 3.2, from when addresses have 64 bits.
struct Since {
    std::string_view symbol;
    int version;
};
constexpr std::array kSince = {
    Since{"cuCtxCreate_v3", 11040},
    Since{"cuCtxCreate_v4", 12050},
    Since{"cuMemAdvise_v2", 12020},
    Since{"cuMemPrefetchAsync_v2", 12020},
    Since{"cuMemcpyBatchAsync_v2", 13000},
    Since{"cuMemcpy3DBatchAsync_v2", 13000},
    Since{"cuEventElapsedTime_v2", 12080},
    Since{"cuStreamGetCaptureInfo_v2", 11030},
    Since{"cuStreamGetCaptureInfo_v3", 12030},
    Since{"cuStreamUpdateCaptureDependencies_v2", 12030},
    Since{"cuStreamBeginCapture_v2", 10010},
    Since{"cuStreamGetCtx_v2", 12050},
    Since{"cuCtxGetDevice_v2", 13000},
    Since{"cuCtxSynchronize_v2", 13000},
    Since{"cuGraphInstantiate_v2", 11000},
    Since{"cuGraphExecUpdate_v2", 12000},
    Since{"cuGraphAddKernelNode_v2", 12000},
    Since{"cuGraphKernelNodeGetParams_v2", 12000},
    Since{"cuGraphKernelNodeSetParams_v2", 12000},
    Since{"cuGraphExecKernelNodeSetParams_v2", 12000},
    Since{"cuGraphGetEdges_v2", 12030},
    Since{"cuGraphNodeGetDependencies_v2", 12030},
    Since{"cuGraphNodeGetDependentNodes_v2", 12030},
    Since{"cuGraphAddDependencies_v2", 12030},
    Since{"cuGraphRemoveDependencies_v2", 12030},
    Since{"cuGraphAddNode_v2", 12030},
    Since{"cuGetProcAddress_v2", 12000},
    Since{"cuDeviceGetUuid_v2", 11040},
    Since{"cuStreamWriteValue32_v2", 11070},
    Since{"cuStreamWaitValue32_v2", 11070},
    Since{"cuStreamWriteValue64_v2", 11070},
    Since{"cuStreamWaitValue64_v2", 11070},
    Since{"cuStreamBatchMemOp_v2", 11070},
};
constexpr int kSuffixesSince = 3020;

/// Our own library, which shows all functions of the driver.
void* thisLibrary() {
    static void* const handle = [] {
        Dl_info info = {};
        return dladdr(reinterpret_cast<void*>(&cuInit), &info) != 0
                   ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                   : nullptr;
    }();
    return handle;
}

/// The newest form that this version of CUDA has.
void* find(const std::string& name, int version) {
    // From CUDA 12 on, the name without a suffix means this one.
    if (name == "cuGraphInstantiate" && version >= 12000) return find("cuGraphInstantiateWithFlags", version);
    for (const char* suffix : {"_v4", "_v3", "_v2", ""}) {
        const std::string symbol = name + suffix;
        const auto since = std::ranges::find(kSince, symbol, &Since::symbol);
        const int first = since != kSince.end() ? since->version : *suffix != '\0' ? kSuffixesSince : 0;
        if (first > version) continue;
        if (void* const function = dlsym(thisLibrary(), symbol.c_str())) return function;
    }
    return nullptr;
}

} // namespace

extern "C" {

/// Streams of a thread's own are the default stream here, so the forms for them are the same.
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
    if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = std::string_view(symbol).starts_with("cu") ? find(symbol, version) : nullptr;
    if (status != nullptr)
        *status = *function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

/// Interfaces that only NVIDIA's own libraries know. Whoever asks for one can't run here.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
    if (table != nullptr) *table = nullptr;
    Dl_info caller = {};
    const bool known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.lookAtLibraries();
    if (known)
        if (const std::string text = libraries::whyNotDriven(caller.dli_fname); !text.empty())
            runtime.say("emulator-library", text);
    return CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
    return api::call([&](Runtime&) -> Outcome<void> {
        if (symbol == nullptr || function == nullptr) return fails(cudaErrorInvalidValue);
        const CUresult found =
            cuGetProcAddress_v2(symbol, function, static_cast<int>(version), flags, nullptr);
        if (status != nullptr)
            *status =
                found == CUDA_SUCCESS ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
        return {};
    });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

} // extern "C"

DORMER_PER_THREAD(cudaGetDriverEntryPoint, ptsz);
DORMER_PER_THREAD(cudaGetDriverEntryPointByVersion, ptsz);
