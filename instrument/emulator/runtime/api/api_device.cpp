// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/device_attributes.h"
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

constexpr unsigned kScheduleFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

/// For calls that need nothing done: checks that device 0 is meant.
cudaError_t onDevice(int device) {
    return call([&](Runtime&) -> Outcome<void> {
        return device == 0 ? Outcome<void>{} : fails(cudaErrorInvalidDevice);
    });
}

template <typename Value>
cudaError_t give(Value* to, Value value) {
    return call([&](Runtime&) -> Outcome<void> {
        if (to == nullptr) return fails(cudaErrorInvalidValue);
        *to = value;
        return {};
    });
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return give(count, 1);
}

cudaError_t cudaGetDevice(int* device) {
    return give(device, 0);
}

cudaError_t cudaSetDevice(int device) {
    return onDevice(device);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return onDevice(device);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return call([&](Runtime&) -> Outcome<void> {
        if (count < 0 || (count > 0 && devices == nullptr)) return fails(cudaErrorInvalidValue);
        return std::all_of(devices, devices + count, [](int device) { return device == 0; })
                   ? Outcome<void>{}
                   : fails(cudaErrorInvalidDevice);
    });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return wanted == nullptr ? Runtime::lastError() = cudaErrorInvalidValue : give(device, 0);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (properties == nullptr) return fails(cudaErrorInvalidValue);
        if (device != 0) return fails(cudaErrorInvalidDevice);
        *properties = deviceProperties(r.chip());
        return {};
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (device != 0) return fails(cudaErrorInvalidDevice);
        const std::optional<int> answer = deviceAttribute(r.chip(), attribute);
        if (value == nullptr || !answer) return fails(cudaErrorInvalidValue);
        *value = *answer;
        return {};
    });
}

cudaError_t cudaDeviceSynchronize() {
    return call([](Runtime& r) -> Outcome<void> {
        if (Outcome<void> ended = r.finish(); !ended) return ended;
        r.streams().hostWaitsForAll();
        return {};
    });
}

cudaError_t cudaDeviceReset() {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.reset();
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return call([&](Runtime& r) -> Outcome<void> {
        const auto found = r.limits().find(limit);
        if (found == r.limits().end()) return fails(cudaErrorUnsupportedLimit);
        found->second = value;
        return {};
    });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return call([&](Runtime& r) -> Outcome<void> {
        const auto found = r.limits().find(limit);
        if (found == r.limits().end()) return fails(cudaErrorUnsupportedLimit);
        if (value == nullptr) return fails(cudaErrorInvalidValue);
        *value = found->second;
        return {};
    });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if ((flags & ~kScheduleFlags) != 0) return fails(cudaErrorInvalidValue);
        r.deviceFlags() = flags;
        return {};
    });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return give(flags, Runtime::instance().deviceFlags() | cudaDeviceMapHost);
}

/// A preference of how L1 and shared memory are split; the carve-out follows the launch here.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return onDevice(0);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return give(config, cudaFuncCachePreferNone);
}

/// Banks are four bytes wide on every chip since compute capability 5.0.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return onDevice(0);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return give(config, cudaSharedMemBankSizeFourByte);
}

/// There is no bus, so no address on one.
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    return call([&](Runtime&) -> Outcome<void> {
        if (device != 0) return fails(cudaErrorInvalidDevice);
        if (id == nullptr || length <= 0) return fails(cudaErrorInvalidValue);
        id[0] = '\0';
        return lacking("cudaDeviceGetPCIBusId (an emulated device has no bus)");
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int*, const char*) {
    return call([](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidDevice); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return call([&](Runtime&) -> Outcome<void> {
        if (device != 0 || peer != 0) return fails(cudaErrorInvalidDevice);
        if (can == nullptr) return fails(cudaErrorInvalidValue);
        *can = 0;
        return {};
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return call([](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidDevice); });
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
    return call([](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidDevice); });
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
    return call(
        [](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidDevice); }); // there is no second one
}

/// The L2 of the model has no lines that persist.
cudaError_t cudaCtxResetPersistingL2Cache() {
    return onDevice(0);
}

} // extern "C"
