// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Arrays and texture and surface objects.

#include "instrument/emulator/runtime/driver/array_formats.h"
#include "instrument/emulator/runtime/driver/driver.h"

#include <algorithm>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// False for a kind of memory that the emulator's textures can't be of.
bool convert(const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
    to = {};
    to.resType = static_cast<cudaResourceType>(from.resType);
    switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
        return true;
    case CU_RESOURCE_TYPE_LINEAR:
        to.res.linear = {reinterpret_cast<void*>(from.res.linear.devPtr),
                         channelsOf(from.res.linear.format, from.res.linear.numChannels),
                         from.res.linear.sizeInBytes};
        return true;
    case CU_RESOURCE_TYPE_PITCH2D:
        to.res.pitch2D = {reinterpret_cast<void*>(from.res.pitch2D.devPtr),
                          channelsOf(from.res.pitch2D.format, from.res.pitch2D.numChannels),
                          from.res.pitch2D.width, from.res.pitch2D.height, from.res.pitch2D.pitchInBytes};
        return true;
    default:
        return false;
    }
}

/// Integers come as fractions of their range unless the program wants them as they are; cudaTextureDesc has
/// that the other way round, and floats are always as they are.
bool readsFractions(const CUDA_RESOURCE_DESC& resource, unsigned flags) {
    if ((flags & CU_TRSF_READ_AS_INTEGER) != 0) return false;
    CUDA_ARRAY3D_DESCRIPTOR array = {};
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    if (resource.resType == CU_RESOURCE_TYPE_LINEAR)
        format = resource.res.linear.format;
    else if (resource.resType == CU_RESOURCE_TYPE_PITCH2D)
        format = resource.res.pitch2D.format;
    else if (cuArray3DGetDescriptor(&array, resource.res.array.hArray) == CUDA_SUCCESS)
        format = array.Format;
    return format != CU_AD_FORMAT_FLOAT && format != CU_AD_FORMAT_HALF &&
           format != CU_AD_FORMAT_SIGNED_INT32 && format != CU_AD_FORMAT_UNSIGNED_INT32;
}

} // namespace

extern "C" {

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
    if (wanted == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        const cudaChannelFormatDesc channels = channelsOf(wanted->Format, wanted->NumChannels);
        return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &channels,
                                 {wanted->Width, wanted->Height, wanted->Depth}, wanted->Flags);
    });
}

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* wanted) {
    if (wanted == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR flat = {wanted->Width,  wanted->Height,      0,
                                          wanted->Format, wanted->NumChannels, 0};
    return cuArray3DCreate(array, &flat);
}

CUresult cuArrayDestroy(CUarray array) {
    return inContext([&] { return cudaFreeArray(reinterpret_cast<cudaArray_t>(array)); });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        cudaChannelFormatDesc channels = {};
        cudaExtent extent = {};
        const cudaError_t error =
            cudaArrayGetInfo(&channels, &extent, &descriptor->Flags, reinterpret_cast<cudaArray_t>(array));
        if (error != cudaSuccess) return error;
        descriptor->Width = extent.width;
        descriptor->Height = extent.height;
        descriptor->Depth = extent.depth;
        descriptor->Format = formatOf(channels);
        descriptor->NumChannels = channels.w != 0 ? 4 : channels.y != 0 ? 2 : 1;
        return cudaSuccess;
    });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR all = {};
    const CUresult result = cuArray3DGetDescriptor(&all, array);
    if (result == CUDA_SUCCESS) *descriptor = {all.Width, all.Height, all.Format, all.NumChannels};
    return result;
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* wanted, const CUDA_RESOURCE_VIEW_DESC* view) {
    if (resource == nullptr || wanted == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (view != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
    cudaResourceDesc memory;
    if (!convert(*resource, memory)) return CUDA_ERROR_NOT_SUPPORTED;
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; ++i)
        how.addressMode[i] = static_cast<cudaTextureAddressMode>(wanted->addressMode[i]);
    std::copy_n(wanted->borderColor, 4, how.borderColor);
    how.filterMode = static_cast<cudaTextureFilterMode>(wanted->filterMode);
    how.readMode =
        readsFractions(*resource, wanted->flags) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = (wanted->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    how.sRGB = (wanted->flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
    how.maxAnisotropy = wanted->maxAnisotropy;
    return inContext([&] { return cudaCreateTextureObject(texture, &memory, &how, nullptr); });
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
    return inContext([&] { return cudaDestroyTextureObject(texture); });
}

CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
    cudaResourceDesc memory;
    if (resource == nullptr || !convert(*resource, memory)) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] { return cudaCreateSurfaceObject(surface, &memory); });
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    return inContext([&] { return cudaDestroySurfaceObject(surface); });
}

} // extern "C"
