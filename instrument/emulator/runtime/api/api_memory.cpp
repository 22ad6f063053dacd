// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/pool_memory.h"

#include <algorithm>

using namespace dormer::emulator::memory;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

/// Rows start at multiples of this: cudaDeviceProp::texturePitchAlignment is 32, but CUDA pads to 512.
constexpr std::size_t kPitchAlignment = 512;

dormer::session::MemoryKind memoryOf(Allocation::Kind kind) {
    return kind == Allocation::Kind::Managed      ? dormer::session::MemoryKind::Managed
           : kind == Allocation::Kind::PinnedHost ? dormer::session::MemoryKind::Pinned
                                                  : dormer::session::MemoryKind::Device;
}

/// `call` is the request that a GPU's driver gets then.
Outcome<void> allocate(Runtime& runtime, void** pointer, std::size_t bytes, Allocation::Kind kind,
                       const char* call) {
    if (pointer == nullptr) return fails(cudaErrorInvalidValue);
    if (bytes == 0) { // CUDA has it so
        *pointer = nullptr;
        return {};
    }
    const Outcome<std::uint64_t> address = runtime.allocate(bytes, kind);
    if (!address) return std::unexpected(address.error());
    *pointer = reinterpret_cast<void*>(*address);
    runtime.memoryCalled(call, memoryOf(kind), bytes);
    if (kind == Allocation::Kind::Managed)
        runtime.say(
            "emulator-migrations",
            "managed memory: page migrations between host and GPU are not modelled, so kernels and copies "
            "seem faster than they are where both touch the same pages; measure on a GPU");
    return {};
}

/// The allocation that starts at the pointer, if it is of one of these kinds.
Outcome<void> release(Runtime& runtime, const void* pointer, std::initializer_list<Allocation::Kind> kinds) {
    if (pointer == nullptr) return {};
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = runtime.memory().find(address);
    if (!allocation || allocation->address != address ||
        std::ranges::find(kinds, allocation->kind) == kinds.end())
        return fails(cudaErrorInvalidValue);
    if (runtime.graphMemory().contains(address)) return {};
    runtime.hostFlags().erase(pointer);
    if (!runtime.memory().release(address)) return fails(cudaErrorInvalidValue);
    return {};
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return call(
        [&](Runtime& r) { return allocate(r, pointer, bytes, Allocation::Kind::Device, "cuMemAlloc"); });
}

cudaError_t cudaFree(void* pointer) {
    return call([&](Runtime& r) {
        if (Outcome<void> ended = r.finish(); !ended) return ended; // it waits for the device
        const Outcome<void> done = release(r, pointer, {Allocation::Kind::Device, Allocation::Kind::Managed});
        if (done && pointer != nullptr) {
            leavesPool(reinterpret_cast<std::uint64_t>(pointer));
            r.memoryCalled("cuMemFree", dormer::session::MemoryKind::None);
        }
        return done;
    });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
            return fails(cudaErrorInvalidValue);
        return allocate(r, pointer, bytes, Allocation::Kind::Managed, "cuMemAllocManaged");
    });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
            return fails(cudaErrorInvalidValue);
        const auto done = allocate(r, pointer, bytes, Allocation::Kind::PinnedHost, "cuMemHostAlloc");
        if (!done) return done;
        r.hostFlags()[*pointer] = flags;
        return {};
    });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
    return call([&](Runtime& r) {
        const Outcome<void> done = release(r, pointer, {Allocation::Kind::PinnedHost});
        if (done && pointer != nullptr) r.memoryCalled("cuMemFreeHost", dormer::session::MemoryKind::Pinned);
        return done;
    });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (pointer == nullptr || bytes == 0) return fails(cudaErrorInvalidValue);
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        if (r.memory().find(address)) return fails(cudaErrorHostMemoryAlreadyRegistered);
        if (!r.memory().adopt(address, bytes)) return fails(cudaErrorHostMemoryAlreadyRegistered);
        r.hostFlags()[pointer] = flags;
        r.memoryCalled("cuMemHostRegister", dormer::session::MemoryKind::Pinned, bytes);
        return {};
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<void> released = release(r, pointer, {Allocation::Kind::PinnedHost});
        if (!released || pointer == nullptr) return fails(cudaErrorHostMemoryNotRegistered);
        r.memoryCalled("cuMemHostUnregister", dormer::session::MemoryKind::Pinned);
        return {};
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        const auto allocation = r.memory().find(reinterpret_cast<std::uint64_t>(host));
        if (device == nullptr || flags != 0 || !allocation || allocation->kind == Allocation::Kind::Device)
            return fails(cudaErrorInvalidValue);
        *device = host;
        return {};
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return call([&](Runtime& r) -> Outcome<void> {
        const auto found = r.hostFlags().find(host);
        if (flags == nullptr || found == r.hostFlags().end()) return fails(cudaErrorInvalidValue);
        *flags = found->second | cudaHostAllocMapped;
        return {};
    });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (pitch == nullptr) return fails(cudaErrorInvalidValue);
        *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
        return allocate(r, pointer, *pitch * height, Allocation::Kind::Device, "cuMemAllocPitch");
    });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    if (pointer == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    std::size_t pitch = 0;
    void* start = nullptr;
    const cudaError_t error = cudaMallocPitch(&start, &pitch, extent.width, extent.height * extent.depth);
    if (error == cudaSuccess) *pointer = {start, pitch, extent.width, extent.height};
    return error;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (free == nullptr || total == nullptr) return fails(cudaErrorInvalidValue);
        *total = r.memory().capacity();
        *free = r.memory().capacity() - std::min(r.memory().used(), r.memory().capacity());
        return {};
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (attributes == nullptr) return fails(cudaErrorInvalidValue);
        *attributes = {};
        const auto allocation = r.memory().find(reinterpret_cast<std::uint64_t>(pointer));
        void* const address = const_cast<void*>(pointer); // NOLINT: handed back as CUDA does
        if (!allocation) {
            attributes->type = cudaMemoryTypeUnregistered;
            attributes->device = cudaInvalidDeviceId;
            attributes->hostPointer = address;
            return {};
        }
        attributes->device = 0;
        attributes->devicePointer = address;
        attributes->type = cudaMemoryTypeDevice;
        if (allocation->kind == Allocation::Kind::Managed) attributes->type = cudaMemoryTypeManaged;
        if (allocation->kind == Allocation::Kind::PinnedHost) attributes->type = cudaMemoryTypeHost;
        if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = address;
        return {};
    });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Symbol*> found = r.modules().symbol(symbol);
        if (!found) return std::unexpected(found.error());
        if (pointer == nullptr) return fails(cudaErrorInvalidValue);
        *pointer = reinterpret_cast<void*>((*found)->address);
        return {};
    });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<Symbol*> found = r.modules().symbol(symbol);
        if (!found) return std::unexpected(found.error());
        if (bytes == nullptr) return fails(cudaErrorInvalidValue);
        *bytes = (*found)->bytes;
        return {};
    });
}

} // extern "C"
