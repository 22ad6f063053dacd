// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// CUDA arrays: making them, and copying to and from them.

#include "instrument/emulator/runtime/api/api.h"

#include <algorithm>
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

// Exported by CUDA 13's runtime for older programs, but no longer declared.
extern "C" {
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
}

namespace {

constexpr unsigned kKnownFlags = cudaArrayDefault | cudaArraySurfaceLoadStore | cudaArrayLayered |
                                 cudaArrayCubemap | cudaArrayTextureGather;

Outcome<void> makeArray(Runtime& r, cudaArray_t* array, const cudaChannelFormatDesc* format,
                        cudaExtent extent, unsigned flags) {
    if (array == nullptr || format == nullptr) return fails(cudaErrorInvalidValue);
    if ((flags & ~kKnownFlags) != 0) return lacking("an array that is sparse or made at its first use");
    // A cube has six square faces; the depth counts faces, or layers.
    const bool layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
    if (layered && extent.depth == 0) return fails(cudaErrorInvalidValue);
    if (cube && (extent.width != extent.height || extent.depth == 0 || extent.depth % 6 != 0 ||
                 (!layered && extent.depth != 6)))
        return fails(cudaErrorInvalidValue);
    const Outcome<Array*> made = r.arrays().create(*format, extent, flags);
    if (!made) return std::unexpected(made.error());
    *array = reinterpret_cast<cudaArray_t>(*made);
    return {};
}

/// One side of a copy between an array and rows of bytes. Offsets and width are in bytes, as the 2D calls
/// have them.
struct ArraySide {
    cudaArray_const_t array;
    std::size_t xBytes, y;
};

Outcome<Rows> rowsOf(Runtime& r, const ArraySide& side, std::size_t widthBytes, std::size_t height) {
    const Array* array = r.arrays().find(side.array);
    if (array == nullptr) return fails(cudaErrorInvalidResourceHandle);
    if (side.xBytes + widthBytes > array->pitch || side.y + height > array->rows())
        return fails(cudaErrorInvalidValue);
    return Rows{reinterpret_cast<std::byte*>(array->address) + side.y * array->pitch + side.xBytes,
                array->pitch, 0};
}

Outcome<void> copyBetween(Runtime& r, const Outcome<Rows>& to, const Outcome<Rows>& from,
                          std::size_t widthBytes, std::size_t height, cudaMemcpyKind kind,
                          cudaStream_t stream) {
    if (!to) return std::unexpected(to.error());
    if (!from) return std::unexpected(from.error());
    const Outcome<Copy> copy =
        r.copies().pitched(to->start, to->pitch, from->start, from->pitch, widthBytes, height, kind);
    if (!copy) return std::unexpected(copy.error());
    return r.submit(stream, CopyCall{*copy, {}});
}

Rows plain(const void* start, std::size_t pitch) {
    return {static_cast<std::byte*>(const_cast<void*>(start)), pitch, 0}; // NOLINT: sources are only read
}

/// The old one-dimensional forms run on over the ends of rows; rows lie without gaps here.
Outcome<Rows> runOf(Runtime& r, const ArraySide& side, std::size_t bytes) {
    const Array* array = r.arrays().find(side.array);
    if (array == nullptr) return fails(cudaErrorInvalidResourceHandle);
    const std::size_t start = side.y * array->pitch + side.xBytes;
    if (start + bytes > array->pitch * array->rows() * array->slices()) return fails(cudaErrorInvalidValue);
    return Rows{reinterpret_cast<std::byte*>(array->address) + start, bytes, 0};
}

} // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned flags) {
    return call([&](Runtime& r) { return makeArray(r, array, format, {width, height, 0}, flags); });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
    return call([&](Runtime& r) { return makeArray(r, array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return call([&](Runtime& r) -> Outcome<void> {
        return array == nullptr || r.arrays().destroy(array) ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Array* found = r.arrays().find(array);
        if (found == nullptr) return fails(cudaErrorInvalidResourceHandle);
        if (format != nullptr) *format = found->format;
        if (extent != nullptr) *extent = found->extent;
        if (flags != nullptr) *flags = found->flags;
        return {};
    });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Array* found = r.arrays().find(array);
        if (found == nullptr || format == nullptr) return fails(cudaErrorInvalidValue);
        *format = found->format;
        return {};
    });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) {
        return copyBetween(r, rowsOf(r, {to, x, y}, width, height), plain(from, pitch), width, height, kind,
                           stream);
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) {
        return copyBetween(r, plain(to, pitch), rowsOf(r, {from, x, y}, width, height), width, height, kind,
                           stream);
    });
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t toX, std::size_t toY, cudaArray_const_t from,
                                     std::size_t fromX, std::size_t fromY, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind) {
    return call([&](Runtime& r) {
        return copyBetween(r, rowsOf(r, {to, toX, toY}, width, height),
                           rowsOf(r, {from, fromX, fromY}, width, height), width, height, kind, nullptr);
    });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) {
        return copyBetween(r, runOf(r, {to, x, y}, bytes), plain(from, bytes), bytes, 1, kind, stream);
    });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) {
        return copyBetween(r, plain(to, bytes), runOf(r, {from, x, y}, bytes), bytes, 1, kind, stream);
    });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, nullptr);
}

} // extern "C"

DORMER_PER_THREAD(cudaMemcpy2DToArray, ptds);
DORMER_PER_THREAD(cudaMemcpy2DToArrayAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpy2DFromArray, ptds);
DORMER_PER_THREAD(cudaMemcpy2DFromArrayAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpy2DArrayToArray, ptds);
DORMER_PER_THREAD(cudaMemcpyToArray, ptds);
DORMER_PER_THREAD(cudaMemcpyToArrayAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpyFromArray, ptds);
DORMER_PER_THREAD(cudaMemcpyFromArrayAsync, ptsz);
