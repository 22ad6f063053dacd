// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Stream-ordered allocation. Pools keep their attributes and what came from them: they hold no memory beyond
// that, so reserved and in use are the same.

#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/pool_memory.h"

#include <algorithm>

using namespace dormer::emulator::memory;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

struct Pool {
    int reuse[3] = {1, 1, 1};
    std::uint64_t releaseThreshold = 0;
    std::uint64_t used = 0, usedHigh = 0, reservedHigh = 0; ///< bytes
};

struct FromPool {
    Pool* pool = nullptr; ///< null once it is destroyed
    std::uint64_t bytes = 0;
};

/// The caller holds the runtime's lock.
struct Pools {
    Pool standard;
    Pool* current = &standard;
    std::map<const void*, std::unique_ptr<Pool>> made;
    std::map<std::uint64_t, FromPool> memory; ///< by address
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

/// Which pool a location of CUDA 13's interface has: memory of device 0.
bool isDeviceMemory(const cudaMemLocation* location, cudaMemAllocationType type) {
    return location != nullptr && location->type == cudaMemLocationTypeDevice && location->id == 0 &&
           type == cudaMemAllocationTypePinned;
}

Outcome<void> allocateFrom(Runtime& r, Pool* pool, void** pointer, std::size_t bytes, cudaStream_t stream) {
    Stream* const found = r.streams().find(stream);
    if (found == nullptr) return fails(cudaErrorInvalidResourceHandle);
    if (pointer == nullptr || pool == nullptr) return fails(cudaErrorInvalidValue);
    const Outcome<std::uint64_t> address = r.allocate(bytes, Allocation::Kind::Device);
    if (!address) return std::unexpected(address.error());
    *pointer = reinterpret_cast<void*>(*address);
    r.memoryCalled("cuMemAllocAsync", dormer::session::MemoryKind::Device, bytes);
    if (found->capture == nullptr) {
        pools().memory[*address] = {pool, bytes};
        pool->used += bytes;
        pool->usedHigh = std::max(pool->usedHigh, pool->used);
        pool->reservedHigh = std::max(pool->reservedHigh, pool->used);
        return {};
    }
    r.graphMemory()[*address] = bytes;
    AllocateCall node;
    node.parameters.bytesize = bytes;
    node.parameters.dptr = *pointer;
    return r.submit(stream, node);
}

} // namespace

void dormer::emulator::runtime::api::leavesPool(std::uint64_t address) {
    const auto found = pools().memory.find(address);
    if (found == pools().memory.end()) return;
    if (found->second.pool != nullptr) found->second.pool->used -= found->second.bytes;
    pools().memory.erase(found);
}

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return call([&](Runtime& r) { return allocateFrom(r, pools().current, pointer, bytes, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return call([&](Runtime& r) { return allocateFrom(r, pools().find(pool), pointer, bytes, stream); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Stream* const found = r.streams().find(stream);
        if (found == nullptr) return fails(cudaErrorInvalidResourceHandle);
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        if (found->capture != nullptr) return r.submit(stream, FreeCall{address});
        if (pointer == nullptr || r.graphMemory().contains(address)) return {};
        const auto allocation = r.memory().find(address);
        if (!allocation || allocation->kind != Allocation::Kind::Device || allocation->address != address)
            return fails(cudaErrorInvalidValue);
        leavesPool(address);
        r.memoryCalled("cuMemFreeAsync", dormer::session::MemoryKind::Device);
        return r.submit(stream, FreeCall{address, false});
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
        Pool* const ended = pools().find(pool);
        if (pools().current == ended) pools().current = &pools().standard;
        for (auto& [address, memory] : pools().memory)
            if (memory.pool == ended && ended != &pools().standard) memory.pool = nullptr;
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
        else if (attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) {
            // High watermarks can only be set back to what is in use now.
            if (*static_cast<const std::uint64_t*>(value) != 0) return fails(cudaErrorInvalidValue);
            (attribute == cudaMemPoolAttrUsedMemHigh ? found->usedHigh : found->reservedHigh) = found->used;
        } else
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
        else if (attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent)
            *static_cast<std::uint64_t*>(value) = found->used;
        else if (attribute == cudaMemPoolAttrReservedMemHigh)
            *static_cast<std::uint64_t*>(value) = found->reservedHigh;
        else if (attribute == cudaMemPoolAttrUsedMemHigh)
            *static_cast<std::uint64_t*>(value) = found->usedHigh;
        else
            return fails(cudaErrorInvalidValue);
        return {};
    });
}

/// The one device has all access to its own pools, which can't be taken away.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* accesses, std::size_t count) {
    return call([&](Runtime&) -> Outcome<void> {
        if (pools().find(pool) == nullptr || (count > 0 && accesses == nullptr))
            return fails(cudaErrorInvalidValue);
        for (std::size_t i = 0; i < count; ++i) {
            const cudaMemAccessDesc& access = accesses[i];
            if (access.location.type != cudaMemLocationTypeDevice || access.location.id != 0)
                return fails(cudaErrorInvalidDevice);
            if (access.flags != cudaMemAccessFlagsProtReadWrite) return fails(cudaErrorInvalidValue);
        }
        return {};
    });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    return call([&](Runtime&) -> Outcome<void> {
        if (flags == nullptr || pools().find(pool) == nullptr) return fails(cudaErrorInvalidValue);
        if (!isDeviceMemory(location, cudaMemAllocationTypePinned)) return fails(cudaErrorInvalidDevice);
        *flags = cudaMemAccessFlagsProtReadWrite;
        return {};
    });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
    if (location != nullptr && !isDeviceMemory(location, type))
        return call(
            [](Runtime&) -> Outcome<void> { return lacking("a memory pool elsewhere than on device 0"); });
    return getPool(pool, location == nullptr ? -1 : location->id, &pools().standard);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
    if (location != nullptr && !isDeviceMemory(location, type))
        return call(
            [](Runtime&) -> Outcome<void> { return lacking("a memory pool elsewhere than on device 0"); });
    return getPool(pool, location == nullptr ? -1 : location->id, pools().current);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
    if (location != nullptr && !isDeviceMemory(location, type))
        return call(
            [](Runtime&) -> Outcome<void> { return lacking("a memory pool elsewhere than on device 0"); });
    return cudaDeviceSetMemPool(location == nullptr ? -1 : location->id, pool);
}

} // extern "C"

DORMER_PER_THREAD(cudaMallocAsync, ptsz);
DORMER_PER_THREAD(cudaMallocFromPoolAsync, ptsz);
DORMER_PER_THREAD(cudaFreeAsync, ptsz);
