// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/textures.h"
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

TEST_CASE("A texture object is what kernels find under its handle") {
    FakeProgram program;
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc bytes4 = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    REQUIRE(cudaMallocArray(&array, &bytes4, 20, 10, 0) == cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = cudaAddressModeClamp;
    description.addressMode[1] = cudaAddressModeBorder;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t object = 0;
    REQUIRE(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaSuccess);
    const Texture* texture = TextureTable::instance().find(object);
    REQUIRE(texture != nullptr);
    CHECK((texture->width == 20 && texture->height == 10 && texture->pitch == 80));
    CHECK((texture->bits == 8 && texture->components == 4 && texture->channel == Texture::Channel::Unsigned));
    CHECK((texture->linearFilter && texture->readsNormalizedFloat && !texture->normalizedCoordinates));
    CHECK(texture->addressing[1] == Texture::Address::Border);
    cudaTextureDesc back = {};
    CHECK(cudaGetTextureObjectTextureDesc(&back, object) == cudaSuccess);
    CHECK(back.addressMode[1] == cudaAddressModeBorder);
    description.readMode = cudaReadModeElementType; // integers can't be filtered
    CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr) ==
          cudaErrorInvalidFilterSetting);
    REQUIRE(cudaDestroyTextureObject(object) == cudaSuccess);
    CHECK(TextureTable::instance().find(object) == nullptr);
    CHECK(cudaDestroyTextureObject(object) == cudaErrorInvalidValue);
}

TEST_CASE("A texture over plain memory may not reach beyond it") {
    FakeProgram program;
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 400) == cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = 400;
    const cudaTextureDesc description = {};
    cudaTextureObject_t object = 0;
    REQUIRE(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaSuccess);
    CHECK(TextureTable::instance().find(object)->width == 100);
    CHECK(TextureTable::instance().find(object)->plainMemory);
    resource.res.linear.sizeInBytes = 404;
    CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("Textures with unnormalized coordinates clamp where they were to wrap or mirror") {
    FakeProgram program;
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    REQUIRE(cudaMallocArray(&array, &format, 4, 4, 0) == cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    // CUDA Runtime API, cudaTextureDesc: wrap and mirror need normalized coordinates; as on an H200.
    const struct {
        cudaTextureAddressMode given;
        Texture::Address unnormalized, normalized;
    } modes[] = {{cudaAddressModeWrap, Texture::Address::Clamp, Texture::Address::Wrap},
                 {cudaAddressModeMirror, Texture::Address::Clamp, Texture::Address::Mirror},
                 {cudaAddressModeClamp, Texture::Address::Clamp, Texture::Address::Clamp},
                 {cudaAddressModeBorder, Texture::Address::Border, Texture::Address::Border}};
    for (const auto& mode : modes) {
        for (const int normalized : {0, 1}) {
            cudaTextureDesc description = {};
            description.addressMode[0] = mode.given;
            description.addressMode[1] = cudaAddressModeBorder;
            description.normalizedCoords = normalized;
            cudaTextureObject_t object = 0;
            REQUIRE(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaSuccess);
            const Texture* texture = TextureTable::instance().find(object);
            CHECK(texture->addressing[0] == (normalized != 0 ? mode.normalized : mode.unnormalized));
            CHECK(texture->addressing[1] == Texture::Address::Border);
            cudaTextureDesc back = {};
            CHECK(cudaGetTextureObjectTextureDesc(&back, object) == cudaSuccess);
            CHECK(back.addressMode[0] == mode.given);
            CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
        }
    }
}

TEST_CASE("Mipmapped arrays and textures of them are refused with a line each") {
    FakeProgram program("H100", {}, true);
    cudaMipmappedArray_t array = nullptr;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    CHECK(cudaMallocMipmappedArray(&array, &floats, {64, 64, 0}, 4, 0) == cudaErrorNotSupported);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    const cudaTextureDesc description = {};
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaErrorNotSupported);
    const auto notes = program.all<dormer::session::Note>();
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].text == "the emulator does not support cudaMallocMipmappedArray");
    CHECK(notes[1].text.find("mipmap") != std::string::npos);
    CHECK(notes[1].text.find('\n') == std::string::npos);
}
