// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/tensor_map.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <algorithm>
#include <chrono>
#include <numeric>

using namespace dormer;
using emulator::memory::Fault;
using emulator::memory::TensorMap;
using tests::EmulatedKernel;
using Bytes = std::vector<unsigned char>;

namespace {

constexpr session::Dim3 kOne{1, 1, 1}, kThreads{64, 1, 1};

struct Rig : EmulatedKernel {
    Rig() : EmulatedKernel(tests::kernelFile("tensors")) {
        timeLimit = std::chrono::seconds(20);
        dynamicSharedBytes = 32 << 10;
    }
    template <typename... Arguments>
    void expect(const std::string& name, session::Dim3 grid, Arguments... arguments) {
        const auto outcome = launch(name, grid, kThreads, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    }
};

/// An array with pitches in elements, as a kernel is to see it.
template <typename T>
struct Array {
    std::vector<std::int64_t> size, pitch;
    T* data = nullptr;
    [[nodiscard]] TensorMap map(std::vector<int> box, unsigned swizzle = 0,
                                std::vector<int> step = {}) const {
        TensorMap result;
        result.magic = TensorMap::kMagic;
        result.address = reinterpret_cast<std::uint64_t>(data);
        result.dimensions = static_cast<std::uint8_t>(size.size());
        result.element = std::is_same_v<T, float> ? TensorMap::Element::F32 : TensorMap::Element::U16;
        result.swizzle = static_cast<std::uint8_t>(swizzle);
        for (std::size_t d = 0; d < size.size(); ++d) {
            result.size[d] = static_cast<std::uint64_t>(size[d]);
            result.stride[d] = static_cast<std::uint64_t>(pitch[d]) * sizeof(T);
            result.box[d] = static_cast<std::uint16_t>(box[d]);
            result.step[d] = static_cast<std::uint8_t>(step.empty() ? 1 : step[d]);
        }
        return result;
    }
    /// Null outside of it.
    [[nodiscard]] T* at(const std::vector<std::int64_t>& place) const {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < size.size(); ++d) {
            if (place[d] < 0 || place[d] >= size[d]) return nullptr;
            offset += place[d] * pitch[d];
        }
        return data + offset;
    }
};

template <typename T>
Array<T> arrayOf(EmulatedKernel& kernels, std::vector<std::int64_t> size) {
    Array<T> array{size, {1}, nullptr};
    for (std::size_t d = 1; d <= size.size(); ++d) // rows of whole 16 bytes
        array.pitch.push_back(d == 1 ? (size[0] + 7) / 8 * 8 + 8 : array.pitch[d - 1] * size[d - 1]);
    std::vector<T> values(static_cast<std::size_t>(array.pitch.back()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>(i * 7 % 60000 + 1);
    array.data = kernels.upload(values);
    return array;
}

/// Bytes of a box in shared memory, element by element: its pieces of 16 bytes are numbered, and what is
/// XORed into the number is the row of 128 bytes, as far as the span reaches (PTX ISA, tables of swizzling
/// modes).
template <typename T>
Bytes boxOf(const Array<T>& array, std::vector<std::int64_t> first, std::vector<int> box, unsigned swizzle,
            std::vector<int> step) {
    std::size_t count = 1;
    for (const int extent : box)
        count *= static_cast<std::size_t>(extent);
    Bytes bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> place = first;
        std::size_t rest = i;
        for (std::size_t d = 0; d < box.size(); ++d) {
            place[d] += static_cast<std::int64_t>(rest % static_cast<std::size_t>(box[d])) *
                        (step.empty() || d == 0 ? 1 : step[d]);
            rest /= static_cast<std::size_t>(box[d]);
        }
        const T* element = array.at(place);
        const T value = element != nullptr ? *element : T{};
        const std::size_t at = i * sizeof(T), piece = at / 16, row = at / 128;
        const std::size_t moved = swizzle == 0 ? piece : piece ^ (row % (swizzle / 16));
        std::memcpy(bytes.data() + moved * 16 + at % 16, &value, sizeof value);
    }
    return bytes;
}

} // namespace

TEST_CASE("A tensor copy brings its box, swizzled, and zeros for what lies outside of the array") {
    const unsigned swizzle = GENERATE(0u, 32u, 64u, 128u);
    const auto [x, y] = GENERATE(table<int, int>({{0, 0}, {8, 3}, {-3, -2}, {45, 20}, {200, 5}, {0, -40}}));
    Rig rig;
    const Array<std::uint16_t> array = arrayOf<std::uint16_t>(rig, {53, 29});
    const std::vector<int> box{swizzle == 0 ? 24 : static_cast<int>(swizzle / 2), 16};
    const int bytes = 2 * box[0] * box[1];
    Bytes none(static_cast<std::size_t>(bytes), 0xAA);
    unsigned char* out = rig.upload(none);
    rig.expect("load2", kOne, array.map(box, swizzle), out, bytes, x, y);
    CAPTURE(swizzle, x, y);
    CHECK(Bytes(out, out + bytes) == boxOf(array, {x, y}, box, swizzle, {}));
}

TEST_CASE("Tensors of one and of four dimensions are copied, with steps") {
    Rig rig;
    const Array<float> line = arrayOf<float>(rig, {100});
    unsigned char* out = rig.allocate<unsigned char>(8192);
    rig.expect("load1", kOne, line.map({64}), out, 256, 50);
    CHECK(Bytes(out, out + 256) == boxOf(line, {50}, {64}, 0, {}));

    const Array<float> array = arrayOf<float>(rig, {20, 9, 7, 5});
    const std::vector<int> box{8, 3, 4, 2}, step{1, 2, 1, 3};
    rig.expect("load4", kOne, array.map(box, 32, step), out, 8 * 3 * 4 * 2 * 4, 4, 5, -1, 1);
    CHECK(Bytes(out, out + 768) == boxOf(array, {4, 5, -1, 1}, box, 32, step));
}

TEST_CASE("A multicast brings each block of the cluster its copy") {
    Rig rig;
    rig.cluster = {2, 1, 1};
    const Array<std::uint16_t> array = arrayOf<std::uint16_t>(rig, {64, 16});
    const std::vector<int> box{64, 8};
    unsigned char* out = rig.allocate<unsigned char>(2048);
    rig.expect("multicast", {2, 1, 1}, array.map(box, 128), out, 1024);
    const Bytes wanted = boxOf(array, {0, 0}, box, 128, {});
    CHECK(Bytes(out, out + 1024) == wanted);
    CHECK(Bytes(out + 1024, out + 2048) == wanted);
}

TEST_CASE("A tensor copy to global memory writes what lies in the array, and a reduction adds to it") {
    const bool adds = GENERATE(false, true);
    const unsigned swizzle = GENERATE(0u, 64u);
    const auto [x, y] = GENERATE(table<int, int>({{0, 0}, {16, 6}, {-4, -3}, {30, 20}}));
    Rig rig;
    const Array<float> array = arrayOf<float>(rig, {33, 21}), from = arrayOf<float>(rig, {40, 40});
    const std::vector<int> box{16, 12};
    const Bytes sent = boxOf(from, {1, 2}, box, swizzle, {});
    std::vector<float> before(array.data, array.data + array.pitch.back());
    unsigned char* in = rig.upload(sent);
    rig.expect(adds ? "add2" : "store2", kOne, array.map(box, swizzle), in, static_cast<int>(sent.size()), x,
               y);
    CAPTURE(adds, swizzle, x, y);
    for (std::int64_t i = 0; i < array.pitch.back(); ++i) {
        const std::int64_t column = i % array.pitch[1] - x, row = i / array.pitch[1] - y;
        const bool inside = column >= 0 && column < 16 && row >= 0 && row < 12 && i % array.pitch[1] < 33;
        const float old = before[static_cast<std::size_t>(i)];
        const float wanted = !inside ? old : (adds ? old : 0) + *from.at({column + 1, row + 2});
        REQUIRE(array.data[i] == wanted);
    }
}

TEST_CASE("Bulk reductions of many blocks lose nothing") {
    Rig rig;
    std::vector<float> ones(256);
    std::iota(ones.begin(), ones.end(), 1.0f);
    const auto* bytes = reinterpret_cast<const unsigned char*>(ones.data());
    unsigned char* in = rig.upload(Bytes(bytes, bytes + 1024));
    float* sums = rig.upload(std::vector<float>(256));
    rig.expect("addAll", {100, 1, 1}, sums, in, 1024);
    for (int i = 0; i < 256; ++i)
        CHECK(sums[i] == 100.0f * static_cast<float>(i + 1)); // exact: below 2^24

    std::vector<int> values(40 * 64);
    for (int b = 0; b < 40; ++b)
        for (int i = 0; i < 64; ++i)
            values[static_cast<std::size_t>(b * 64 + i)] = (b * 37 + i * 11) % 101 - 200;
    const auto* more = reinterpret_cast<const unsigned char*>(values.data());
    in = rig.upload(Bytes(more, more + values.size() * 4));
    int* most = rig.upload(std::vector<int>(64, -1000));
    rig.expect("largest", {40, 1, 1}, most, in, 256);
    for (int i = 0; i < 64; ++i) {
        int wanted = -1000;
        for (int b = 0; b < 40; ++b)
            wanted = std::max(wanted, values[static_cast<std::size_t>(b * 64 + i)]);
        CHECK(most[i] == wanted);
    }
}

TEST_CASE("A block sends its neighbour in the cluster a bulk copy") {
    Rig rig;
    rig.cluster = {2, 1, 1};
    Bytes sent(512);
    std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(3));
    unsigned char* out = rig.allocate<unsigned char>(512);
    rig.expect("toNeighbour", {2, 1, 1}, out, rig.upload(sent), 512);
    CHECK(Bytes(out, out + 512) == sent);
}

TEST_CASE("Tensor copies count the bytes that they move, and nothing of L1") {
    Rig rig;
    const Array<std::uint16_t> array = arrayOf<std::uint16_t>(rig, {64, 64});
    unsigned char* out = rig.allocate<unsigned char>(1024);
    const auto outcome =
        rig.launch("load2", kOne, kThreads, array.map({64, 8}, 128), out, 1024, 0, 60); // 4 rows are inside
    REQUIRE(outcome);
    bool found = false;
    for (const auto& each : outcome->instructions) {
        if (!each.text.starts_with("cp.async.bulk.tensor")) continue;
        found = true;
        CHECK(each.counts.executions == 1);
        CHECK(each.counts.sectors == 18); // pitch 144 bytes: every other row begins within a sector
    }
    CHECK(found);
}

TEST_CASE("A tensor copy by what is no map, or to a place that is not aligned, stops the kernel") {
    Rig rig;
    unsigned char* out = rig.allocate<unsigned char>(1024);
    const auto outcome = rig.launch("load2", kOne, kThreads, TensorMap{}, out, 1024, 0, 0);
    REQUIRE_FALSE(outcome);
    CHECK_THAT(outcome.error().detail, Catch::Contains("no tensor map"));
    const Array<float> line = arrayOf<float>(rig, {100});
    const auto other = rig.launch("load2", kOne, kThreads, line.map({64}), out, 256, 0, 0);
    REQUIRE_FALSE(other);
    CHECK_THAT(other.error().detail, Catch::Contains("2 dimensions with a map of 1"));
}
