// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/textures.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

using namespace dormer;
using emulator::memory::Fault;
using emulator::memory::Texture;
using tests::EmulatedKernel;

namespace {

/// Floats 0, 1, 2 … as a texture or surface of a size.
struct Rig : EmulatedKernel {
    Rig(std::uint32_t width, std::uint32_t height, std::uint32_t depth)
        : EmulatedKernel(tests::kernelFile("textures"), 1)
        , count(width * std::max(height, 1U) * std::max(depth, 1U)) {
        std::vector<float> values(count);
        std::iota(values.begin(), values.end(), 0.0F);
        texels = upload(values);
        out = allocate<float>(64);
        texture.address = reinterpret_cast<std::uint64_t>(texels);
        texture.width = width;
        texture.height = height;
        texture.depth = depth;
        texture.pitch = std::uint64_t{width} * 4;
        texture.addressing.fill(Texture::Address::Clamp);
    }
    ~Rig() {
        for (const std::uint64_t handle : handles)
            emulator::memory::TextureTable::instance().remove(handle);
    }
    std::uint64_t object() {
        handles.push_back(emulator::memory::TextureTable::instance().add(texture));
        return handles.back();
    }
    template <typename... Arguments>
    void expect(const std::string& name, session::Dim3 block, Arguments... arguments) {
        const auto outcome = launch(name, {1, 1, 1}, block, arguments...);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    }
    std::size_t count;
    Texture texture;
    float* texels = nullptr;
    float* out = nullptr;
    std::vector<std::uint64_t> handles;
};

} // namespace

TEST_CASE("Layers are read by number, clamped to those there are") {
    for (const auto& [asked, layer] : std::vector<std::pair<int, int>>{{0, 0}, {2, 2}, {4, 4}, {9, 4}}) {
        Rig rig(4, 2, 5);
        rig.expect("layer2D", {4, 2, 1}, rig.object(), rig.out, asked);
        for (int i = 0; i < 8; ++i)
            REQUIRE(rig.out[i] == static_cast<float>(8 * layer + i));
        Rig rows(4, 0, 5);
        rows.expect("layer1D", {4, 1, 1}, rows.object(), rows.out, asked);
        for (int i = 0; i < 4; ++i)
            REQUIRE(rows.out[i] == static_cast<float>(4 * layer + i));
    }
}

TEST_CASE("A direction meets the face of a cube that the programming guide's table names") {
    // Faces of 2 x 2 texels: +x -x +y -y +z -z. Along an axis and a little to the texel of s, t > 0 or < 0.
    const std::vector<float> directions{
        1,   .5F,  .5F,  // +x: s = -z < 0, t = -y < 0: texel 0
        1,   -.5F, -.5F, // +x: texel 3
        -1,  .5F,  .5F,  // -x: s = z > 0, t = -y < 0: texel 1
        .5F, 1,    .5F,  // +y: s = x > 0, t = z > 0: texel 3
        .5F, -1,   .5F,  // -y: s = x > 0, t = -z < 0: texel 1
        .5F, .5F,  1,    // +z: s = x > 0, t = -y < 0: texel 1
        .5F, -.5F, -1,   // -z: s = -x < 0, t = -y > 0: texel 2
    };
    const std::vector<float> expected{0, 3, 4 + 1, 8 + 3, 12 + 1, 16 + 1, 20 + 2};
    Rig cube(2, 2, 6);
    cube.texture.normalizedCoordinates = true;
    cube.expect("cubeFaces", {7, 1, 1}, cube.object(), cube.upload(directions), cube.out);
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(cube.out[i] == expected[i]);
    Rig layers(2, 2, 18);
    layers.texture.normalizedCoordinates = true;
    layers.expect("cubeLayers", {7, 1, 1}, layers.object(), layers.upload(directions), layers.out, 2);
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(layers.out[i] == 48 + expected[i]);
}

TEST_CASE("A gather reads the four texels that a filter would mix") {
    Rig rig(4, 3, 0);
    rig.expect("gather", {1, 1, 1}, rig.object(), rig.out);
    // Around (2, 1): columns 1 and 2, rows 0 and 1; PTX has them as (0,1) (1,1) (1,0) (0,0).
    CHECK(std::vector<float>(rig.out, rig.out + 4) == std::vector<float>{5, 6, 2, 1});
}

TEST_CASE("A texture without mipmaps has one level, whatever is requested") {
    Rig rig(4, 3, 0);
    rig.expect("levels", {1, 1, 1}, rig.object(), rig.out);
    CHECK(rig.out[0] == 5);
    CHECK(rig.out[1] == 6);
}

TEST_CASE("Surfaces are read and written by bytes, with their boundary modes") {
    Rig clamped(4, 3, 0);
    clamped.expect("addOneClamped", {4, 3, 1}, clamped.object(), 2, 0);
    // All lanes read before any writes: column 2 and 3 of each row, the last one again.
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
            CHECK(clamped.texels[4 * y + x] == static_cast<float>(4 * y + std::min(x + 2, 3) + 1));
    Rig zero(4, 3, 0);
    zero.expect("writeZeroMode", {8, 1, 1}, zero.object(), zero.out);
    CHECK(std::vector<float>(zero.out, zero.out + 8) == std::vector<float>{0, 0, 4, 5, 6, 7, 0, 0});
    CHECK(std::vector<float>(zero.texels + 8, zero.texels + 12) == std::vector<float>{102, 103, 104, 105});
    CHECK(zero.texels[7] == 7);
    Rig trap(4, 3, 0);
    const auto outcome = trap.launch("outsideTraps", {1, 1, 1}, {8, 1, 1}, trap.object());
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == Fault::Kind::IllegalAddress);
    CHECK(outcome.error().thread.x == 4);
    CHECK(outcome.error().detail.find("outside the surface") != std::string::npos);
}

TEST_CASE("Surfaces have layers, depth and narrow elements") {
    Rig deep(4, 2, 3);
    deep.expect("layersAndDepth", {4, 1, 1}, deep.object(), deep.out);
    for (int x = 0; x < 4; ++x) {
        CHECK(deep.out[x] == static_cast<float>(2 * 8 + 4 + x));
        CHECK(deep.texels[8 + x] == static_cast<float>(2 * (2 * 8 + 4 + x)));
    }
    Rig pairs(4, 0, 0);
    const std::vector<std::int16_t> words{1, 2, -3, 4, 5, 6, 7, 8};
    std::memcpy(pairs.texels, words.data(), 16);
    pairs.expect("narrow", {4, 1, 1}, pairs.object(), pairs.out);
    const auto* got = reinterpret_cast<const int*>(pairs.out);
    CHECK(got[0] == 1 * 1000 + 2 + 1 * 1000000);
    CHECK(got[1] == -3 * 1000 + 4 + 0);
    CHECK(got[2] == 5 * 1000 + 6 + 2 * 1000000);
}

TEST_CASE("A warp that names one texture reads the same as lanes that name their own") {
    // Two objects of one texture, in turns, are read lane by lane.
    using Channel = Texture::Channel;
    struct Format {
        Channel channel;
        std::uint8_t bits, components;
        bool normalized; // integers come back as numbers
    };
    const Format formats[] = {{Channel::Float, 32, 1, false},    {Channel::Float, 32, 4, false},
                              {Channel::Float, 16, 2, false},    {Channel::Unsigned, 8, 4, true},
                              {Channel::Signed, 8, 2, true},     {Channel::Signed, 16, 1, true},
                              {Channel::Unsigned, 32, 2, false}, {Channel::Signed, 16, 4, false}};
    constexpr unsigned kLanes = 32, kWidth = 13, kHeight = 7, kDepth = 5;
    std::mt19937 random(11);
    std::vector<std::uint32_t> memory(std::size_t{kWidth} * kHeight * kDepth * 4);
    for (std::uint32_t& word : memory)
        word = random();
    std::vector<float> places(std::size_t{4} * kLanes);
    for (const auto& [kernel, depth, height] :
         {std::tuple{"each1D", 0U, 0U}, std::tuple{"each2D", 0U, kHeight},
          std::tuple{"each3D", kDepth, kHeight}, std::tuple{"eachLayer", kDepth, kHeight}})
        for (const Format& format : formats)
            for (unsigned modes = 0; modes < 16; ++modes) {
                const bool integers = format.channel != Channel::Float && !format.normalized;
                if (integers != (std::string(kernel) == "eachLayer")) continue;
                Rig rig(kWidth, height, depth);
                Texture& texture = rig.texture;
                texture.address = reinterpret_cast<std::uint64_t>(rig.upload(memory));
                texture.channel = format.channel;
                texture.bits = format.bits;
                texture.components = format.components;
                texture.readsNormalizedFloat = format.normalized;
                texture.pitch = std::uint64_t{kWidth} * texture.elementBytes();
                texture.linearFilter = (modes & 1) != 0 && !integers;
                texture.normalizedCoordinates = (modes & 2) != 0;
                texture.addressing.fill(static_cast<Texture::Address>(modes / 4));
                texture.border = {0.25F, 2.0F, 3.0F, 4.0F};
                const float scale = texture.normalizedCoordinates ? 3.0F / kWidth : 3.0F;
                for (float& place : places)
                    place = scale * (static_cast<float>(random() % 4000) / 400 - 3);
                places[4] = std::numeric_limits<float>::quiet_NaN();
                places[8] = std::numeric_limits<float>::infinity();
                places[12] = -3e38F;
                places[16] = 2.0F; // between two texels
                auto* at = rig.upload(places);
                const std::uint64_t one = rig.object(), other = rig.object();
                std::vector<std::uint64_t> handles(kLanes, one);
                std::vector<std::uint32_t> results[2];
                for (unsigned i = 0; i < 2; ++i) {
                    auto* out = rig.upload(std::vector<std::uint32_t>(std::size_t{4} * kLanes, 7));
                    rig.expect(kernel, {kLanes, 1, 1}, rig.upload(handles), at, out);
                    results[i].assign(out, out + std::size_t{4} * kLanes);
                    for (unsigned lane = 0; lane < kLanes; lane += 2)
                        handles[lane] = other;
                }
                CAPTURE(kernel, modes, unsigned(format.bits), unsigned(format.components));
                CHECK(results[0] == results[1]);
            }
}
