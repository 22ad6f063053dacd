// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Copies and fills.

#include "instrument/emulator/runtime/driver/array_formats.h"
#include "instrument/emulator/runtime/driver/driver.h"

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

void* pointer(CUdeviceptr address) {
    return reinterpret_cast<void*>(address);
}

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return inContext([&] { return cudaMemcpy(to, from, bytes, kind); });
}

CUresult copyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, CUstream stream) {
    return inContext([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

CUDA_MEMCPY3D deep(const CUDA_MEMCPY2D& flat) {
    CUDA_MEMCPY3D all = {};
    all.srcXInBytes = flat.srcXInBytes;
    all.srcY = flat.srcY;
    all.srcMemoryType = flat.srcMemoryType;
    all.srcHost = flat.srcHost;
    all.srcDevice = flat.srcDevice;
    all.srcArray = flat.srcArray;
    all.srcPitch = flat.srcPitch;
    all.dstXInBytes = flat.dstXInBytes;
    all.dstY = flat.dstY;
    all.dstMemoryType = flat.dstMemoryType;
    all.dstHost = flat.dstHost;
    all.dstDevice = flat.dstDevice;
    all.dstArray = flat.dstArray;
    all.dstPitch = flat.dstPitch;
    all.WidthInBytes = flat.WidthInBytes;
    all.Height = flat.Height;
    all.Depth = 1;
    return all;
}

CUresult copyDeep(const CUDA_MEMCPY3D& copy, CUstream stream, bool asynchronous) {
    return inContext([&] {
        const cudaMemcpy3DParms parameters = parametersOf(copy);
        return asynchronous ? cudaMemcpy3DAsync(&parameters, stream) : cudaMemcpy3D(&parameters);
    });
}

/// `pitch` in bytes; width in elements.
CUresult fill(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned elementBytes, std::size_t width,
              std::size_t height, CUstream stream, bool asynchronous) {
    return inContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            const Outcome<Fill> made =
                r.copies().fill({pointer(to), pitch, width, height}, value, elementBytes, {width, height, 1});
            if (!made) return std::unexpected(made.error());
            FillCall work{*made, {}, asynchronous};
            work.parameters = {pointer(to), pitch, value, elementBytes, width, height};
            return r.submit(stream, work);
        });
    });
}

CUresult fillRow(CUdeviceptr to, unsigned value, unsigned elementBytes, std::size_t count, CUstream stream,
                 bool asynchronous) {
    return fill(to, count * elementBytes, value, elementBytes, count, 1, stream, asynchronous);
}

} // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
    return copy(pointer(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
    return copy(to, pointer(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return copy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
    return cuMemcpyDtoD(to, from, bytes);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
    return copyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream stream) {
    return cuMemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
    return copy == nullptr ? CUDA_ERROR_INVALID_VALUE : copyDeep(deep(*copy), nullptr, false);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
    return cuMemcpy2D(copy);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
    return copy == nullptr ? CUDA_ERROR_INVALID_VALUE : copyDeep(deep(*copy), stream, true);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) {
    return copy == nullptr ? CUDA_ERROR_INVALID_VALUE : copyDeep(*copy, nullptr, false);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
    return copy == nullptr ? CUDA_ERROR_INVALID_VALUE : copyDeep(*copy, stream, true);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
    return fillRow(to, value, 1, count, nullptr, false);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
    return fillRow(to, value, 2, count, nullptr, false);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
    return fillRow(to, value, 4, count, nullptr, false);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
    return fillRow(to, value, 1, count, stream, true);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
    return fillRow(to, value, 2, count, stream, true);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
    return fillRow(to, value, 4, count, stream, true);
}

CUresult cuMemsetD2D8(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height) {
    return fill(to, pitch, value, 1, width, height, nullptr, false);
}
CUresult cuMemsetD2D16(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height) {
    return fill(to, pitch, value, 2, width, height, nullptr, false);
}
CUresult cuMemsetD2D32(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                       std::size_t height) {
    return fill(to, pitch, value, 4, width, height, nullptr, false);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
    return fill(to, pitch, value, 1, width, height, stream, true);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
    return fill(to, pitch, value, 2, width, height, stream, true);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
    return fill(to, pitch, value, 4, width, height, stream, true);
}

} // extern "C"

DORMER_PER_THREAD(cuMemcpy, ptds);
DORMER_PER_THREAD(cuMemcpyHtoD_v2, ptds);
DORMER_PER_THREAD(cuMemcpyDtoH_v2, ptds);
DORMER_PER_THREAD(cuMemcpyDtoD_v2, ptds);
DORMER_PER_THREAD(cuMemcpyPeer, ptds);
DORMER_PER_THREAD(cuMemcpyAsync, ptsz);
DORMER_PER_THREAD(cuMemcpyHtoDAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemcpyDtoHAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemcpyDtoDAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemcpyPeerAsync, ptsz);
DORMER_PER_THREAD(cuMemcpy2D_v2, ptds);
DORMER_PER_THREAD(cuMemcpy2DUnaligned_v2, ptds);
DORMER_PER_THREAD(cuMemcpy2DAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemcpy3D_v2, ptds);
DORMER_PER_THREAD(cuMemcpy3DAsync_v2, ptsz);
DORMER_PER_THREAD(cuMemsetD8_v2, ptds);
DORMER_PER_THREAD(cuMemsetD16_v2, ptds);
DORMER_PER_THREAD(cuMemsetD32_v2, ptds);
DORMER_PER_THREAD(cuMemsetD8Async, ptsz);
DORMER_PER_THREAD(cuMemsetD16Async, ptsz);
DORMER_PER_THREAD(cuMemsetD32Async, ptsz);
DORMER_PER_THREAD(cuMemsetD2D8_v2, ptds);
DORMER_PER_THREAD(cuMemsetD2D16_v2, ptds);
DORMER_PER_THREAD(cuMemsetD2D32_v2, ptds);
DORMER_PER_THREAD(cuMemsetD2D8Async, ptsz);
DORMER_PER_THREAD(cuMemsetD2D16Async, ptsz);
DORMER_PER_THREAD(cuMemsetD2D32Async, ptsz);
