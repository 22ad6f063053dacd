// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/device_memory.h"
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <numeric>
#include <vector>

using namespace dormer::tests;

namespace {

std::vector<unsigned char> counting(std::size_t bytes) {
    std::vector<unsigned char> values(bytes);
    std::iota(values.begin(), values.end(), static_cast<unsigned char>(1));
    return values;
}

template <typename T = unsigned char>
T* allocate(std::size_t bytes) {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, bytes) == cudaSuccess);
    return static_cast<T*>(memory);
}

} // namespace

TEST_CASE("Copies go to the device and back, and no further than an allocation reaches") {
    FakeProgram program;
    const auto source = counting(100);
    std::vector<unsigned char> back(100);
    auto* memory = allocate(100);
    REQUIRE(cudaMemcpy(memory, source.data(), 100, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaMemcpy(back.data(), memory, 100, cudaMemcpyDefault) == cudaSuccess);
    CHECK(back == source);
    CHECK(cudaMemcpy(memory, source.data(), 101, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(memory + 1, source.data(), 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(back.data(), source.data(), 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(back.data(), source.data(), 4, static_cast<cudaMemcpyKind>(9)) ==
          cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaFree(memory) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaErrorInvalidValue);
    CHECK(cudaFree(nullptr) == cudaSuccess);
    CHECK(cudaMemcpy(memory, source.data(), 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
}

TEST_CASE("Rows with gaps keep what lies between them") {
    FakeProgram program;
    void* memory = nullptr;
    std::size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&memory, &pitch, 10, 3) == cudaSuccess);
    CHECK(pitch % 32 == 0);
    REQUIRE(cudaMemset(memory, 0xEE, pitch * 3) == cudaSuccess);
    const auto source = counting(30);
    REQUIRE(cudaMemcpy2D(memory, pitch, source.data(), 10, 10, 3, cudaMemcpyHostToDevice) == cudaSuccess);
    const auto* bytes = static_cast<const unsigned char*>(memory);
    CHECK(bytes[pitch + 0] == 11);
    CHECK(bytes[2 * pitch + 9] == 30);
    CHECK(bytes[10] == 0xEE);
    CHECK(cudaMemcpy2D(memory, pitch, source.data(), 8, 10, 3, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidPitchValue);
    REQUIRE(cudaMemset2D(static_cast<unsigned char*>(memory) + 2, pitch, 7, 3, 2) == cudaSuccess);
    CHECK((bytes[1] == 2 && bytes[2] == 7 && bytes[4] == 7 && bytes[5] == 6 && bytes[2 * pitch + 2] == 23));
}

TEST_CASE("Volumes and arrays are copied by position and extent") {
    FakeProgram program;
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    REQUIRE(cudaMallocArray(&array, &floats, 4, 3, 0) == cudaSuccess);
    std::vector<float> values(12), back(12), part(2);
    std::iota(values.begin(), values.end(), 0.F);
    REQUIRE(cudaMemcpy2DToArray(array, 0, 0, values.data(), 16, 16, 3, cudaMemcpyHostToDevice) ==
            cudaSuccess);
    REQUIRE(cudaMemcpy2DFromArray(back.data(), 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    CHECK(back == values);
    cudaMemcpy3DParms corner = {};
    corner.srcArray = array;
    corner.srcPos = {2, 1, 0}; // elements
    corner.dstPtr = {part.data(), 8, 2, 1};
    corner.extent = {2, 1, 1};
    corner.kind = cudaMemcpyDeviceToHost;
    REQUIRE(cudaMemcpy3D(&corner) == cudaSuccess);
    CHECK(part == std::vector<float>{6, 7});
    corner.srcPos = {3, 1, 0};
    CHECK(cudaMemcpy3D(&corner) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy2DToArray(array, 4, 0, values.data(), 16, 16, 1, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    REQUIRE(cudaFreeArray(array) == cudaSuccess);
    CHECK(cudaFreeArray(array) == cudaErrorInvalidValue);
}

TEST_CASE("Out of memory is what the chip has, and leaves the rest usable") {
    FakeProgram program("T4"); // 16 GB
    void* memory = nullptr;
    std::size_t free = 0, total = 0;
    REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
    CHECK(free == total);
    CHECK(cudaMalloc(&memory, total + 1) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&memory, 1 << 20) == cudaSuccess);
    REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
    CHECK(free == total - (1 << 20));
    CHECK(cudaMalloc(&memory, 0) == cudaSuccess);
    CHECK(memory == nullptr);
}

TEST_CASE("Host memory counts as device-accessible while it is registered") {
    FakeProgram program;
    alignas(64) static int values[16] = {};
    cudaPointerAttributes attributes = {};
    REQUIRE(cudaPointerGetAttributes(&attributes, values) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeUnregistered);
    REQUIRE(cudaHostRegister(values, sizeof values, cudaHostRegisterDefault) == cudaSuccess);
    CHECK(cudaHostRegister(values, sizeof values, 0) == cudaErrorHostMemoryAlreadyRegistered);
    REQUIRE(cudaPointerGetAttributes(&attributes, values) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeHost);
    void* device = nullptr;
    REQUIRE(cudaHostGetDevicePointer(&device, values, 0) == cudaSuccess);
    CHECK(device == values);
    REQUIRE(cudaHostUnregister(values) == cudaSuccess);
    CHECK(cudaHostUnregister(values) == cudaErrorHostMemoryNotRegistered);
    void* managed = nullptr;
    REQUIRE(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal) == cudaSuccess);
    REQUIRE(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeManaged);
    CHECK(cudaFreeHost(managed) == cudaErrorInvalidValue);
    CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("Variables are reached by their host name") {
    FakeProgram program;
    const auto source = counting(64);
    std::vector<unsigned char> back(8);
    CHECK(program.loads == 0); // nothing is loaded before it is needed
    REQUIRE(cudaMemcpyToSymbol(program.table(), source.data(), 64, 0, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(program.loads == 1);
    REQUIRE(cudaMemcpyFromSymbol(back.data(), program.table(), 8, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(back.front() == 17);
    CHECK(cudaMemcpyFromSymbol(back.data(), program.table(), 8, 60, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidValue);
    std::size_t bytes = 0;
    CHECK(cudaGetSymbolSize(&bytes, program.table()) == cudaSuccess);
    CHECK(bytes == 64);
    CHECK(cudaGetSymbolSize(&bytes, &bytes) == cudaErrorInvalidSymbol);
}

TEST_CASE("Managed variables have their address before a kernel ran") {
    FakeProgram program;
    void* pointer = nullptr;
    __cudaRegisterManagedVar(program.binary(), &pointer, nullptr, "table", 0, 64, 0, 0);
    CHECK(pointer == nullptr);
    __cudaInitModule(program.binary());
    void* address = nullptr;
    REQUIRE(cudaGetSymbolAddress(&address, program.table()) == cudaSuccess);
    CHECK(pointer == address);
}

TEST_CASE("Allocations lie at the same addresses in every run, since caches choose sets by address") {
    using dormer::emulator::memory::Allocation;
    const auto addresses = [] {
        dormer::emulator::memory::DeviceMemory memory(std::uint64_t{1} << 32);
        std::vector<std::uint64_t> all;
        for (const std::size_t bytes : {std::size_t{100}, std::size_t{5} << 20, std::size_t{1} << 12})
            all.push_back(memory.allocate(bytes, Allocation::Kind::Device, "").value_or(0));
        // A second one at the same time lies elsewhere, and is as good.
        dormer::emulator::memory::DeviceMemory other(std::uint64_t{1} << 32);
        const auto beside = other.allocate(100, Allocation::Kind::Device, "");
        REQUIRE(beside);
        CHECK_FALSE(memory.find(*beside));
        *reinterpret_cast<char*>(*beside) = 1;
        *reinterpret_cast<char*>(all[1] + (std::size_t{5} << 20) - 1) = 1;
        return all;
    };
    const auto first = addresses();
    CHECK(first[1] >= first[0] + 100);
    CHECK(first[2] >= first[1] + (std::size_t{5} << 20));
    CHECK(addresses() == first);
}
