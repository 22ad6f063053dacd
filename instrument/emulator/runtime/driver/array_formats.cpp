// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/driver/array_formats.h"

#include "instrument/emulator/runtime/runtime.h"

#include <algorithm>
#include <array>

namespace dormer::emulator::runtime::driver {

namespace {

struct Format {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
};
constexpr std::array kFormats = {
    Format{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    Format{CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    Format{CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    Format{CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    Format{CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    Format{CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    Format{CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    Format{CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

struct Side {
    std::size_t x, y, z;
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    CUarray array;
    std::size_t pitch, height;

    [[nodiscard]] bool isArray() const { return type == CU_MEMORYTYPE_ARRAY; }
    [[nodiscard]] std::size_t elementBytes() const {
        const Array* found = isArray() ? Runtime::instance().arrays().find(array) : nullptr;
        return found != nullptr ? found->elementBytes : 1;
    }
    [[nodiscard]] cudaPitchedPtr pointer(std::size_t widthBytes, std::size_t rows) const {
        void* const start = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) // NOLINT: only read
                                                       : reinterpret_cast<void*>(device);
        return {start, pitch != 0 ? pitch : x + widthBytes, x + widthBytes, height != 0 ? height : y + rows};
    }
};

cudaMemcpyKind kindOf(const Side& from, const Side& to) {
    if (from.type == CU_MEMORYTYPE_UNIFIED || to.type == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    const bool fromHost = from.type == CU_MEMORYTYPE_HOST, toHost = to.type == CU_MEMORYTYPE_HOST;
    if (fromHost) return toHost ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return toHost ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

} // namespace

cudaChannelFormatDesc channelsOf(CUarray_format format, unsigned channels) {
    const auto found = std::ranges::find(kFormats, format, &Format::format);
    if (found == kFormats.end() || (channels != 1 && channels != 2 && channels != 4)) return {};
    const auto bits = [&](unsigned channel) { return channel < channels ? found->bits : 0; };
    return {bits(0), bits(1), bits(2), bits(3), found->kind};
}

CUarray_format formatOf(const cudaChannelFormatDesc& channels) {
    const auto found = std::ranges::find_if(
        kFormats, [&](const Format& each) { return each.bits == channels.x && each.kind == channels.f; });
    return found != kFormats.end() ? found->format : CU_AD_FORMAT_UNSIGNED_INT8;
}

cudaMemcpy3DParms parametersOf(const CUDA_MEMCPY3D& copy) {
    const Side from{copy.srcXInBytes, copy.srcY,     copy.srcZ,     copy.srcMemoryType, copy.srcHost,
                    copy.srcDevice,   copy.srcArray, copy.srcPitch, copy.srcHeight};
    const Side to{copy.dstXInBytes, copy.dstY,     copy.dstZ,     copy.dstMemoryType, copy.dstHost,
                  copy.dstDevice,   copy.dstArray, copy.dstPitch, copy.dstHeight};
    const std::size_t elementBytes = std::max(from.elementBytes(), to.elementBytes());
    cudaMemcpy3DParms parameters = {};
    if (from.isArray())
        parameters.srcArray = reinterpret_cast<cudaArray_t>(from.array);
    else
        parameters.srcPtr = from.pointer(copy.WidthInBytes, copy.Height);
    if (to.isArray())
        parameters.dstArray = reinterpret_cast<cudaArray_t>(to.array);
    else
        parameters.dstPtr = to.pointer(copy.WidthInBytes, copy.Height);
    parameters.srcPos = {from.isArray() ? from.x / elementBytes : from.x, from.y, from.z};
    parameters.dstPos = {to.isArray() ? to.x / elementBytes : to.x, to.y, to.z};
    parameters.extent = {copy.WidthInBytes / elementBytes, copy.Height, copy.Depth};
    parameters.kind = kindOf(from, to);
    return parameters;
}

} // namespace dormer::emulator::runtime::driver
