// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Calls for several copies, prefetches or discards at once. They may be done in any order; here it is the
// list's.

#include "instrument/emulator/runtime/api/api.h"

#include <cuda_runtime_api.h>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

cudaError_t invalid() {
    return call([](Runtime&) -> Outcome<void> { return fails(cudaErrorInvalidValue); });
}

/// Each list's entry i holds from its index on: they begin at 0 and rise.
bool rises(const std::size_t* indices, std::size_t count, std::size_t operations) {
    if (count == 0 || indices == nullptr || indices[0] != 0) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (indices[i] >= operations || (i > 0 && indices[i] <= indices[i - 1])) return false;
    return true;
}

/// Ranges of unified memory: nothing else can be prefetched or discarded.
cudaError_t checkManaged(void** pointers, const std::size_t* sizes, std::size_t count,
                         unsigned long long flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (pointers == nullptr || sizes == nullptr || count == 0 || flags != 0)
            return fails(cudaErrorInvalidValue);
        for (std::size_t i = 0; i < count; ++i) {
            const auto address = reinterpret_cast<std::uint64_t>(pointers[i]);
            const auto found = r.memory().find(address);
            if (!found || found->kind != dormer::emulator::memory::Allocation::Kind::Managed ||
                sizes[i] == 0 || sizes[i] > found->end() - address)
                return fails(cudaErrorInvalidValue);
        }
        return {};
    });
}

} // namespace

extern "C" {

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* sizes,
                                 std::size_t count, cudaMemcpyAttributes* attributes, std::size_t* indices,
                                 std::size_t attributeCount, cudaStream_t stream) {
    if (to == nullptr || from == nullptr || sizes == nullptr || count == 0 || attributes == nullptr ||
        !rises(indices, attributeCount, count))
        return invalid();
    for (std::size_t i = 0; i < count; ++i)
        if (const cudaError_t error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchBatchAsync(void** pointers, std::size_t* sizes, std::size_t count,
                                      cudaMemLocation* locations, std::size_t* indices,
                                      std::size_t locationCount, unsigned long long flags, cudaStream_t) {
    if (locations == nullptr || !rises(indices, locationCount, count)) return invalid();
    return checkManaged(pointers, sizes, count, flags);
}

/// What is discarded may keep its values.
cudaError_t cudaMemDiscardBatchAsync(void** pointers, std::size_t* sizes, std::size_t count,
                                     unsigned long long flags, cudaStream_t) {
    return checkManaged(pointers, sizes, count, flags);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, std::size_t* sizes, std::size_t count,
                                                cudaMemLocation* locations, std::size_t* indices,
                                                std::size_t locationCount, unsigned long long flags,
                                                cudaStream_t stream) {
    return cudaMemPrefetchBatchAsync(pointers, sizes, count, locations, indices, locationCount, flags,
                                     stream);
}

} // extern "C"

DORMER_PER_THREAD(cudaMemcpyBatchAsync, ptsz);
DORMER_PER_THREAD(cudaMemPrefetchBatchAsync, ptsz);
DORMER_PER_THREAD(cudaMemDiscardBatchAsync, ptsz);
DORMER_PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync, ptsz);
