// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The driver's start, its one device, and contexts, which all share that device's memory here.

#include "instrument/emulator/runtime/api/device_attributes.h"
#include "instrument/emulator/runtime/driver/driver.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// A CUcontext is the address of one.
struct Context {
    unsigned flags = 0;
    unsigned long long id = 0;
};

std::atomic<bool> initCalled{false};

struct Contexts {
    Context primary{0, 1};
    unsigned retained = 0; ///< times the primary one was
    unsigned long long lastId = 1;
    std::map<const void*, std::unique_ptr<Context>> made;
    [[nodiscard]] bool primaryActive() const { return retained > 0 || Runtime::instance().used(); }
    [[nodiscard]] Context* find(CUcontext handle) {
        if (reinterpret_cast<const void*>(handle) == &primary) return &primary;
        const auto found = made.find(handle);
        return found == made.end() ? nullptr : found->second.get();
    }
};

Contexts& contexts() {
    static Contexts* const all = new Contexts; // programs call until the very end
    return *all;
}

std::vector<CUcontext>& stack() {
    thread_local std::vector<CUcontext> current;
    return current;
}

CUcontext handleOf(Context* context) {
    return reinterpret_cast<CUcontext>(context);
}

/// For what concerns contexts alone.
template <typename Body>
CUresult locked(Body&& body) {
    if (!initialized()) return CUDA_ERROR_NOT_INITIALIZED;
    const std::lock_guard lock(Runtime::instance().mutex());
    return body();
}

/// The same for the device, which has to be the one there is.
template <typename Body>
CUresult onDevice(CUdevice device, Body&& body) {
    return locked([&] { return device == 0 ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

CUresult create(CUcontext* context, unsigned flags, CUdevice device) {
    return onDevice(device, [&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        auto made = std::make_unique<Context>(Context{flags, ++contexts().lastId});
        *context = handleOf(made.get());
        contexts().made[made.get()] = std::move(made);
        stack().push_back(*context);
        return CUDA_SUCCESS;
    });
}

} // namespace

namespace dormer::emulator::runtime::driver {

bool initialized() {
    return initCalled || Runtime::instance().used();
}

CUcontext currentContext() {
    if (!stack().empty()) return stack().back();
    return Runtime::instance().used() ? handleOf(&contexts().primary) : nullptr;
}

} // namespace dormer::emulator::runtime::driver

extern "C" {

CUresult cuInit(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.lookAtLibraries();
    if (runtime.otherDriver()) return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    initCalled = true;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    return withoutContext([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return onDevice(ordinal, [&] {
        if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *device = 0;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    return onDevice(device, [&] {
        if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
        std::strncpy(name, Runtime::instance().chip().device.name.c_str(), static_cast<std::size_t>(length));
        name[length - 1] = '\0';
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return onDevice(device, [&] {
        if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *bytes = Runtime::instance().chip().device.memoryBytes;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return withoutContext([&] {
        const cudaError_t error =
            cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
        // Only the driver's interface has it.
        if (error == cudaSuccess && attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)
            *value = 1;
        return error;
    });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    const CUresult got = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return got != CUDA_SUCCESS
               ? got
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return onDevice(device, [&] {
        if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *uuid = api::deviceProperties(Runtime::instance().chip()).uuid;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
    return withoutContext([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
    return withoutContext([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
    return withoutContext([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
    return withoutContext([&] { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    return withoutContext([&] { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return onDevice(device, [&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        ++contexts().retained;
        *context = handleOf(&contexts().primary);
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return onDevice(device, [&] {
        if (contexts().retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
        --contexts().retained;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return onDevice(device, [&] { return resultOf(cudaDeviceReset()); });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return onDevice(device, [&] {
        contexts().primary.flags = flags;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return onDevice(device, [&] {
        if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *flags = contexts().primary.flags;
        *active = contexts().primaryActive() ? 1 : 0;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
    return create(context, flags, device);
}

// Its older forms, which programs find by name.
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int, unsigned flags, CUdevice device) {
    return create(context, flags, device);
}
CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
    return create(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
    return locked([&] {
        if (contexts().made.erase(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
        if (!stack().empty() && stack().back() == context) stack().pop_back();
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxPushCurrent(CUcontext context) {
    return locked([&] {
        if (contexts().find(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        stack().push_back(context);
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    return locked([&] {
        const CUcontext top = currentContext();
        if (top == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (context != nullptr) *context = top;
        if (!stack().empty()) stack().pop_back();
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxSetCurrent(CUcontext context) {
    return locked([&] {
        if (context != nullptr && contexts().find(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (!stack().empty()) stack().pop_back();
        if (context != nullptr) stack().push_back(context);
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    return locked([&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *context = currentContext();
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetDevice(CUdevice* device) {
    return inContext([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned* flags) {
    return locked([&] {
        Context* const context = contexts().find(currentContext());
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *flags = context->flags;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
    return locked([&] {
        const Context* const context = contexts().find(handle != nullptr ? handle : currentContext());
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *id = context->id;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
    return locked([&] {
        if (contexts().find(handle != nullptr ? handle : currentContext()) == nullptr)
            return CUDA_ERROR_INVALID_CONTEXT;
        if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *version = 3020; // of all contexts since CUDA 3.2
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxSynchronize() {
    return inContext([] { return cudaDeviceSynchronize(); });
}

CUresult cuStreamGetCtx(CUstream, CUcontext* context) {
    return cuCtxGetCurrent(context);
}

} // extern "C"

DORMER_PER_THREAD(cuStreamGetCtx, ptsz);
