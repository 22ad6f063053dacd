// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cuda.h>

using namespace dormer::tests;

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20; // what the driver names as its granularity

const CUmemAllocationProp kOnDevice = [] {
    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    return properties;
}();
const CUmemAccessDesc kReadWrite = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
const CUmemAccessDesc kNone = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};

/// With the driver ready, and four pages of addresses.
struct Addresses : FakeProgram {
    CUdeviceptr begin = 0;
    Addresses() {
        REQUIRE(cuInit(0) == CUDA_SUCCESS);
        CUcontext context = nullptr;
        REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
        REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
        REQUIRE(cuMemAddressReserve(&begin, 4 * kPage, 0, 0, 0) == CUDA_SUCCESS);
        REQUIRE(begin % kPage == 0);
    }
    ~Addresses() {
        (void)cuCtxSetCurrent(nullptr);
        (void)cuDevicePrimaryCtxRelease(0);
    }
    static CUmemGenericAllocationHandle create(std::size_t bytes) {
        CUmemGenericAllocationHandle handle = 0;
        REQUIRE(cuMemCreate(&handle, bytes, &kOnDevice, 0) == CUDA_SUCCESS);
        return handle;
    }
};

std::size_t freeBytes() {
    std::size_t free = 0, total = 0;
    REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
    return free;
}

} // namespace

TEST_CASE("Memory is there for kernels and copies once it is mapped and may be accessed") {
    Addresses program;
    int supported = 0;
    std::size_t granularity = 0;
    REQUIRE(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) ==
            CUDA_SUCCESS);
    REQUIRE(cuMemGetAllocationGranularity(&granularity, &kOnDevice, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
            CUDA_SUCCESS);
    CHECK((supported == 1 && granularity == kPage));
    const std::size_t before = freeBytes();
    const auto first = Addresses::create(kPage), second = Addresses::create(2 * kPage);
    CHECK(freeBytes() == before - 3 * kPage);
    REQUIRE(cuMemMap(program.begin, kPage, 0, first, 0) == CUDA_SUCCESS);
    REQUIRE(cuMemMap(program.begin + kPage, 2 * kPage, 0, second, 0) == CUDA_SUCCESS);
    CHECK_FALSE(program.runtime().memory().find(program.begin)); // nobody may access it yet
    REQUIRE(cuMemSetAccess(program.begin, 3 * kPage, &kReadWrite, 1) == CUDA_SUCCESS);
    // One piece for the program: a fill across both.
    auto* const memory = reinterpret_cast<unsigned char*>(program.begin);
    REQUIRE(cudaMemset(memory + kPage - 8, 7, 16) == cudaSuccess);
    unsigned char back[16] = {};
    REQUIRE(cudaMemcpy(back, memory + kPage - 8, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK((back[0] == 7 && back[15] == 7));
    CHECK(cudaMemset(memory + 3 * kPage - 8, 7, 16) == cudaErrorInvalidValue); // beyond what is mapped
    CHECK(cudaFree(memory) == cudaErrorInvalidValue);                          // not cudaMalloc's
    unsigned long long flags = 0;
    REQUIRE(cuMemGetAccess(&flags, &kOnDevice.location, program.begin + kPage + 5) == CUDA_SUCCESS);
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    REQUIRE(cuMemSetAccess(program.begin, kPage, &kNone, 1) == CUDA_SUCCESS);
    CHECK_FALSE(program.runtime().memory().find(program.begin));
    CHECK(program.runtime().memory().find(program.begin + kPage));

    CHECK(cuMemAddressFree(program.begin, 4 * kPage) == CUDA_ERROR_INVALID_VALUE); // mapped still
    CHECK(cuMemUnmap(program.begin, 2 * kPage) == CUDA_ERROR_INVALID_VALUE);       // cuts the second in half
    REQUIRE(cuMemRelease(first) == CUDA_SUCCESS);
    REQUIRE(cuMemRelease(second) == CUDA_SUCCESS);
    CHECK(freeBytes() == before - 3 * kPage); // as long as it is mapped
    REQUIRE(cuMemUnmap(program.begin, 3 * kPage) == CUDA_SUCCESS);
    CHECK(freeBytes() == before);
    CHECK(cudaMemset(memory, 7, 16) == cudaErrorInvalidValue);
    CHECK(cuMemAddressFree(program.begin, 4 * kPage) == CUDA_SUCCESS);
}

TEST_CASE("The same memory at two addresses has the same bytes") {
    Addresses program;
    const auto handle = Addresses::create(kPage);
    for (const std::size_t at : {std::size_t{0}, 2 * kPage}) {
        REQUIRE(cuMemMap(program.begin + at, kPage, 0, handle, 0) == CUDA_SUCCESS);
        REQUIRE(cuMemSetAccess(program.begin + at, kPage, &kReadWrite, 1) == CUDA_SUCCESS);
    }
    REQUIRE(cuMemsetD8(program.begin + 100, 42, 1) == CUDA_SUCCESS);
    unsigned char back = 0;
    REQUIRE(cuMemcpyDtoH(&back, program.begin + 2 * kPage + 100, 1) == CUDA_SUCCESS);
    CHECK(back == 42);
    CUmemGenericAllocationHandle again = 0;
    REQUIRE(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(program.begin + 5)) == CUDA_SUCCESS);
    CHECK(again == handle);
    CUmemAllocationProp properties = {};
    REQUIRE(cuMemRelease(handle) == CUDA_SUCCESS); // one of two
    REQUIRE(cuMemGetAllocationPropertiesFromHandle(&properties, handle) == CUDA_SUCCESS);
    CHECK(properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
    REQUIRE(cuMemRelease(handle) == CUDA_SUCCESS);
    CHECK(cuMemRelease(handle) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Mappings have to fit: sizes, places, memory, and the device") {
    Addresses program;
    const auto handle = Addresses::create(kPage);
    CUmemGenericAllocationHandle other = 0;
    CUdeviceptr address = 0;
    CHECK(cuMemAddressReserve(&address, kPage + 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemMap(program.begin + 4096, kPage, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemMap(program.begin + 4 * kPage, kPage, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemMap(program.begin, 2 * kPage, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
    REQUIRE(cuMemMap(program.begin, kPage, 0, handle, 0) == CUDA_SUCCESS);
    CHECK(cuMemMap(program.begin, kPage, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE); // taken
    CHECK(cuMemSetAccess(program.begin, 2 * kPage, &kReadWrite, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemCreate(&other, std::size_t{1} << 40, &kOnDevice, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    CUmemAllocationProp shared = kOnDevice;
    shared.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CHECK(cuMemCreate(&other, kPage, &shared, 0) == CUDA_ERROR_NOT_SUPPORTED);
}
