// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What nvcc's generated host code calls before main, and around <<<>>>.

#include "instrument/emulator/runtime/api/api.h"

#include <vector_types.h>

using namespace dormer::emulator::runtime;

using namespace dormer::emulator::runtime::api;

namespace {

/// The handle a program gets for a fat binary: an index, never 0.
void** handleOf(std::size_t binary) {
    return reinterpret_cast<void**>(binary + 1);
}
std::size_t binaryOf(void** handle) {
    return reinterpret_cast<std::size_t>(handle) - 1;
}

struct CallConfiguration {
    dim3 grid, block;
    std::size_t sharedBytes = 0;
    cudaStream_t stream = nullptr;
};
std::vector<CallConfiguration>& configurations() {
    thread_local std::vector<CallConfiguration> stack;
    return stack;
}

/// Registration can't fail and must not be stopped by an earlier fault.
template <typename Body>
auto whileLocked(Body&& body) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    return body(runtime);
}

} // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    return whileLocked([&](Runtime& r) { return handleOf(r.modules().registerBinary(wrapper)); });
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
    whileLocked([&](Runtime& r) { r.modules().forget(binaryOf(handle)); });
}

void __cudaRegisterFunction(void** handle, const char* hostFunction, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
    whileLocked([&](Runtime& r) { r.modules().registerFunction(binaryOf(handle), hostFunction, name); });
}

void __cudaRegisterVar(void** handle, char* hostVariable, char*, const char* name, int, std::size_t bytes,
                       int, int) {
    whileLocked([&](Runtime& r) {
        r.modules().registerSymbol(binaryOf(handle), hostVariable, name, bytes, nullptr);
    });
}

void __cudaRegisterManagedVar(void** handle, void** hostPointer, char*, const char* name, int,
                              std::size_t bytes, int, int) {
    whileLocked([&](Runtime& r) {
        r.modules().registerSymbol(binaryOf(handle), hostPointer, name, bytes, hostPointer);
    });
}

char __cudaInitModule(void** handle) {
    call([&](Runtime& r) { return r.modules().loadManaged(binaryOf(handle)); });
    return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t sharedBytes, CUstream_st* stream) {
    configurations().push_back({grid, block, sharedBytes, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* sharedBytes, void* stream) {
    if (configurations().empty()) return Runtime::lastError() = cudaErrorMissingConfiguration;
    const CallConfiguration top = configurations().back();
    configurations().pop_back();
    *grid = top.grid;
    *block = top.block;
    *sharedBytes = top.sharedBytes;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* hostFunction) {
    // Not loaded yet, so that nothing but a launch pays for it; a failure shows there.
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Function*> function = r.modules().handle(hostFunction);
        if (!function) return std::unexpected(function.error());
        *kernel = reinterpret_cast<cudaKernel_t>(*function);
        return {};
    });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* hostFunction) {
    return __cudaGetKernel(kernel, hostFunction);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* hostFunction) {
    return __cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), hostFunction);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t sharedBytes, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

} // extern "C"

DORMER_PER_THREAD(__cudaLaunchKernel, ptsz);
