// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/textures.h"
#include "instrument/emulator/runtime/api/api.h"

#include <algorithm>

using namespace dormer::emulator::memory;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

/// What the program described, for the calls that ask for it again.
struct Described {
    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
};
std::map<std::uint64_t, Described>& described() {
    static auto* const all = new std::map<std::uint64_t, Described>; // the caller holds the runtime's lock
    return *all;
}

Outcome<void> setFormat(Texture& texture, const cudaChannelFormatDesc& format) {
    const int sizes[] = {format.x, format.y, format.z, format.w};
    const int components = static_cast<int>(std::ranges::count_if(sizes, [](int bits) { return bits > 0; }));
    const bool equal = std::ranges::all_of(sizes, [&](int bits) { return bits == 0 || bits == format.x; });
    if (components == 0 || components == 3 || !equal || (format.x != 8 && format.x != 16 && format.x != 32))
        return fails(cudaErrorInvalidChannelDescriptor);
    switch (format.f) {
    case cudaChannelFormatKindSigned:
        texture.channel = Texture::Channel::Signed;
        break;
    case cudaChannelFormatKindUnsigned:
        texture.channel = Texture::Channel::Unsigned;
        break;
    case cudaChannelFormatKindFloat:
        texture.channel = Texture::Channel::Float;
        break;
    default:
        return lacking("a texture of a compressed or normalized format");
    }
    texture.bits = static_cast<std::uint8_t>(format.x);
    texture.components = static_cast<std::uint8_t>(components);
    return {};
}

Outcome<void> setResource(Texture& texture, Runtime& r, const cudaResourceDesc& resource) {
    if (resource.resType == cudaResourceTypeArray) {
        const Array* array = r.arrays().find(resource.res.array.array);
        if (array == nullptr) return fails(cudaErrorInvalidResourceHandle);
        texture.address = array->address;
        texture.width = static_cast<std::uint32_t>(array->extent.width);
        texture.height = static_cast<std::uint32_t>(array->extent.height);
        texture.depth = static_cast<std::uint32_t>(array->extent.depth);
        texture.pitch = array->pitch;
        return setFormat(texture, array->format);
    }
    if (resource.resType == cudaResourceTypeMipmappedArray) return lacking("a texture with mipmaps");
    const bool linear = resource.resType == cudaResourceTypeLinear;
    const cudaChannelFormatDesc& format = linear ? resource.res.linear.desc : resource.res.pitch2D.desc;
    if (const Outcome<void> set = setFormat(texture, format); !set) return set;
    void* const start = linear ? resource.res.linear.devPtr : resource.res.pitch2D.devPtr;
    texture.address = reinterpret_cast<std::uint64_t>(start);
    texture.plainMemory = linear;
    if (linear) {
        texture.width = static_cast<std::uint32_t>(resource.res.linear.sizeInBytes / texture.elementBytes());
        texture.pitch = resource.res.linear.sizeInBytes;
    } else {
        texture.width = static_cast<std::uint32_t>(resource.res.pitch2D.width);
        texture.height = static_cast<std::uint32_t>(resource.res.pitch2D.height);
        texture.pitch = resource.res.pitch2D.pitchInBytes;
    }
    const std::size_t bytes = texture.pitch * std::max(texture.height, 1u);
    const auto allocation = r.memory().find(texture.address);
    if (!allocation || bytes > allocation->end() - texture.address) return fails(cudaErrorInvalidValue);
    return {};
}

Texture::Address addressing(cudaTextureAddressMode mode) {
    switch (mode) {
    case cudaAddressModeWrap:
        return Texture::Address::Wrap;
    case cudaAddressModeMirror:
        return Texture::Address::Mirror;
    case cudaAddressModeBorder:
        return Texture::Address::Border;
    case cudaAddressModeClamp:
        break;
    }
    return Texture::Address::Clamp;
}

template <typename Handle>
cudaError_t destroy(Handle handle) {
    return call([&](Runtime&) -> Outcome<void> {
        described().erase(handle);
        return TextureTable::instance().remove(handle) ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

template <typename Result, typename Handle>
cudaError_t give(Result* result, Handle handle, Result Described::*member) {
    return call([&](Runtime&) -> Outcome<void> {
        const auto found = described().find(handle);
        if (result == nullptr || found == described().end()) return fails(cudaErrorInvalidValue);
        *result = found->second.*member;
        return {};
    });
}

} // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (object == nullptr || resource == nullptr || description == nullptr)
            return fails(cudaErrorInvalidValue);
        if (view != nullptr) return lacking("cudaCreateTextureObject with a resource view");
        if (description->seamlessCubemap != 0) return lacking("a texture that filters across a cube's edges");
        if (description->sRGB != 0) return lacking("a texture with sRGB conversion");
        Texture texture;
        if (const Outcome<void> set = setResource(texture, r, *resource); !set) return set;
        for (std::size_t i = 0; i < 3; ++i)
            texture.addressing[i] = addressing(description->addressMode[i]);
        texture.linearFilter = description->filterMode == cudaFilterModeLinear;
        texture.normalizedCoordinates = description->normalizedCoords != 0;
        // Wrap and mirror are for normalized coordinates; CUDA clamps others instead.
        if (!texture.normalizedCoordinates)
            for (Texture::Address& mode : texture.addressing)
                if (mode != Texture::Address::Border) mode = Texture::Address::Clamp;
        texture.readsNormalizedFloat = description->readMode == cudaReadModeNormalizedFloat;
        std::ranges::copy(description->borderColor, texture.border.begin());
        if (texture.linearFilter && texture.channel != Texture::Channel::Float &&
            !texture.readsNormalizedFloat)
            return fails(cudaErrorInvalidFilterSetting);
        *object = TextureTable::instance().add(texture);
        described()[*object] = {*resource, *description};
        return {};
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return destroy(object);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return give(resource, object, &Described::resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
    return give(description, object, &Described::texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
            return fails(cudaErrorInvalidValue);
        Texture surface;
        if (const Outcome<void> set = setResource(surface, r, *resource); !set) return set;
        *object = TextureTable::instance().add(surface);
        described()[*object] = {*resource, {}};
        return {};
    });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return destroy(object);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
    return give(resource, object, &Described::resource);
}

} // extern "C"
