// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Stream-ordered allocation. Pools here only keep their attributes: all memory comes from the device.

#include "instrument/emulator/runtime/api/api.h"

using namespace dormer::emulator::memory;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

struct Pool {
    int reuse[3] = {1, 1, 1};
    std::uint64_t releaseThreshold = 0;
};

/// The caller holds the runtime's lock.
struct Pools {
    Pool standard;
    Pool* current = &standard;
    std::map<const void*, std::unique_ptr<Pool>> made;
    Pool* find(const void* handle) {
        if (handle == &standard) return &standard;
        const auto found = made.find(handle);
        return found == made.end() ? nullptr : found->second.get();
    }
};

Pools& pools() {
    static auto* const all = new Pools;
    return *all;
}

cudaError_t getPool(cudaMemPool_t* pool, int device, Pool* which) {
    return call([&](Runtime&) -> Outcome<void> {
        if (pool == nullptr) return fails(cudaErrorInvalidValue);
        if (device != 0) return fails(cudaErrorInvalidDevice);
        *pool = reinterpret_cast<cudaMemPool_t>(which);
        return {};
    });
}

} // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        Stream* const found = r.streams().find(stream);
        if (found == nullptr) return fails(cudaErrorInvalidResourceHandle);
        if (pointer == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<std::uint64_t> address = r.allocate(bytes, Allocation::Kind::Device);
        if (!address) return std::unexpected(address.error());
        *pointer = reinterpret_cast<void*>(*address);
        r.memoryCalled("cuMemAllocAsync", dormer::session::MemoryKind::Device, bytes);
        if (found->capture == nullptr) return {};
        r.graphMemory()[*address] = bytes;
        AllocateCall node;
        node.parameters.bytesize = bytes;
        node.parameters.dptr = *pointer;
        return r.submit(stream, node);
    });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pools().find(pool) == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Stream* const found = r.streams().find(stream);
        if (found == nullptr) return fails(cudaErrorInvalidResourceHandle);
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        if (found->capture != nullptr) return r.submit(stream, FreeCall{address});
        if (pointer == nullptr || r.graphMemory().contains(address)) return {};
        const auto allocation = r.memory().find(address);
        if (!allocation || allocation->kind != Allocation::Kind::Device || !r.memory().release(address))
            return fails(cudaErrorInvalidValue);
        r.memoryCalled("cuMemFreeAsync", dormer::session::MemoryKind::Device);
        return {};
    });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return getPool(pool, device, &pools().standard);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return getPool(pool, device, pools().current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return call([&](Runtime&) -> Outcome<void> {
        Pool* const found = pools().find(pool);
        if (found == nullptr || device != 0) return fails(cudaErrorInvalidValue);
        pools().current = found;
        return {};
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return call([&](Runtime&) -> Outcome<void> {
        if (pool == nullptr || properties == nullptr) return fails(cudaErrorInvalidValue);
        if (properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
            return lacking("cudaMemPoolCreate elsewhere than on device 0");
        auto made = std::make_unique<Pool>();
        *pool = reinterpret_cast<cudaMemPool_t>(made.get());
        pools().made[made.get()] = std::move(made);
        return {};
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call([&](Runtime&) -> Outcome<void> {
        if (pools().current == pools().find(pool)) pools().current = &pools().standard;
        return pools().made.erase(pool) != 0 ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return call([&](Runtime&) -> Outcome<void> {
        return pools().find(pool) != nullptr ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&](Runtime&) -> Outcome<void> {
        Pool* const found = pools().find(pool);
        if (found == nullptr || value == nullptr) return fails(cudaErrorInvalidValue);
        if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
            attribute <= cudaMemPoolReuseAllowInternalDependencies)
            found->reuse[attribute - 1] = *static_cast<const int*>(value);
        else if (attribute == cudaMemPoolAttrReleaseThreshold)
            found->releaseThreshold = *static_cast<const std::uint64_t*>(value);
        else if (attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh)
            return fails(cudaErrorInvalidValue);
        return {};
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call([&](Runtime&) -> Outcome<void> {
        const Pool* const found = pools().find(pool);
        if (found == nullptr || value == nullptr) return fails(cudaErrorInvalidValue);
        if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
            attribute <= cudaMemPoolReuseAllowInternalDependencies)
            *static_cast<int*>(value) = found->reuse[attribute - 1];
        else if (attribute == cudaMemPoolAttrReleaseThreshold)
            *static_cast<std::uint64_t*>(value) = found->releaseThreshold;
        else
            return lacking("cudaMemPoolGetAttribute for the memory in use");
        return {};
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaMallocAsync, ptsz);
DORMER_PER_THREAD(cudaMallocFromPoolAsync, ptsz);
DORMER_PER_THREAD(cudaFreeAsync, ptsz);
