// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Hints on managed memory: host and device share theirs here, so they are checked and need nothing done.

#include "instrument/emulator/runtime/api/api.h"

using namespace dormer::emulator::memory;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

Outcome<void> checkManaged(Runtime& runtime, const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = runtime.memory().find(address);
    if (!allocation || allocation->kind != Allocation::Kind::Managed || bytes > allocation->end() - address)
        return fails(cudaErrorInvalidValue);
    return {};
}

bool exists(const cudaMemLocation& location) {
    return location.type == cudaMemLocationTypeDevice
               ? location.id == 0
               : location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
                     location.type == cudaMemLocationTypeHostNumaCurrent;
}

} // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (flags != 0) return fails(cudaErrorInvalidValue);
        if (!exists(location)) return fails(cudaErrorInvalidDevice);
        if (r.streams().find(stream) == nullptr) return fails(cudaErrorInvalidResourceHandle);
        const Outcome<void> managed = checkManaged(r, pointer, bytes);
        if (managed) r.memoryCalled("cuMemPrefetchAsync", dormer::session::MemoryKind::Managed, bytes);
        return managed;
    });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise,
                          cudaMemLocation location) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (!exists(location)) return fails(cudaErrorInvalidDevice);
        const Outcome<void> managed = checkManaged(r, pointer, bytes);
        if (managed) r.memoryCalled("cuMemAdvise", dormer::session::MemoryKind::Managed, bytes);
        return managed;
    });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t dataBytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (data == nullptr || dataBytes < sizeof(int) || dataBytes % sizeof(int) != 0)
            return fails(cudaErrorInvalidValue);
        if (const Outcome<void> managed = checkManaged(r, pointer, bytes); !managed) return managed;
        // Advice isn't kept, so the answers are those of a range nobody advised on.
        auto* values = static_cast<int*>(data);
        std::fill_n(values, dataBytes / sizeof(int),
                    attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId);
        if (attribute == cudaMemRangeAttributePreferredLocationType ||
            attribute == cudaMemRangeAttributeLastPrefetchLocationType)
            values[0] = cudaMemLocationTypeInvalid;
        return {};
    });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* dataBytes, cudaMemRangeAttribute* attributes,
                                      std::size_t count, const void* pointer, std::size_t bytes) {
    if (data == nullptr || dataBytes == nullptr || attributes == nullptr || count == 0)
        return Runtime::lastError() = cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
        const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], dataBytes[i], attributes[i], pointer, bytes);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (r.streams().find(stream) == nullptr) return fails(cudaErrorInvalidResourceHandle);
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
            return fails(cudaErrorInvalidValue);
        return checkManaged(r, pointer, bytes);
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaMemPrefetchAsync, ptsz);
DORMER_PER_THREAD(cudaStreamAttachMemAsync, ptsz);
