// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

Outcome<void> fill(Runtime& r, const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                   cudaStream_t stream, bool asynchronous = true) {
    const Outcome<Fill> made = r.copies().fill(to, static_cast<unsigned>(value), 1, extent);
    if (!made) return std::unexpected(made.error());
    FillCall work{*made, {}, asynchronous};
    work.parameters.dst = to.ptr;
    work.parameters.pitch = to.pitch;
    work.parameters.value = static_cast<unsigned>(value);
    work.parameters.elementSize = 1;
    work.parameters.width = extent.width;
    work.parameters.height = extent.height * extent.depth;
    return r.submit(stream, work);
}

} // namespace

extern "C" {

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return call([&](Runtime& r) { return fill(r, {to, bytes, bytes, 1}, value, {bytes, 1, 1}, stream); });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return call([&](Runtime& r) {
        return fill(r, {to, bytes, bytes, 1}, value, {bytes, 1, 1}, nullptr, false);
    });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
    return call([&](Runtime& r) {
        return fill(r, {to, pitch, width, height}, value, {width, height, 1}, stream);
    });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return call([&](Runtime& r) {
        return fill(r, {to, pitch, width, height}, value, {width, height, 1}, nullptr, false);
    });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    return call([&](Runtime& r) { return fill(r, to, value, extent, stream); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return call([&](Runtime& r) { return fill(r, to, value, extent, nullptr, false); });
}

} // extern "C"

DORMER_PER_THREAD(cudaMemset, ptds);
DORMER_PER_THREAD(cudaMemsetAsync, ptsz);
DORMER_PER_THREAD(cudaMemset2D, ptds);
DORMER_PER_THREAD(cudaMemset2DAsync, ptsz);
DORMER_PER_THREAD(cudaMemset3D, ptds);
DORMER_PER_THREAD(cudaMemset3DAsync, ptsz);
