// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

namespace {

cudaMemPool_t makePool() {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool = nullptr;
    REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
    return pool;
}

std::uint64_t bytesOf(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    std::uint64_t bytes = ~0ull;
    REQUIRE(cudaMemPoolGetAttribute(pool, attribute, &bytes) == cudaSuccess);
    return bytes;
}

} // namespace

TEST_CASE("A pool tells what is in use of it, and the most that was") {
    FakeProgram program;
    const cudaMemPool_t pool = makePool();
    void *first = nullptr, *second = nullptr;
    REQUIRE(cudaMallocFromPoolAsync(&first, 1000, pool, nullptr) == cudaSuccess);
    REQUIRE(cudaMallocFromPoolAsync(&second, 24, pool, nullptr) == cudaSuccess);
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemCurrent) == 1024);
    REQUIRE(cudaFreeAsync(first, nullptr) == cudaSuccess);
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemCurrent) == 24);
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemHigh) == 1024);
    CHECK(bytesOf(pool, cudaMemPoolAttrReservedMemHigh) >= 1024);
    std::uint64_t value = 5; // a high watermark can only be set back
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value) == cudaErrorInvalidValue);
    value = 0;
    REQUIRE(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value) == cudaSuccess);
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemHigh) == 24);
    REQUIRE(cudaFree(second) == cudaSuccess); // which may take memory of a pool, too
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    REQUIRE(cudaMemPoolDestroy(pool) == cudaSuccess);
    CHECK(cudaMallocFromPoolAsync(&first, 16, pool, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("Memory outlives the pool it came from") {
    FakeProgram program;
    const cudaMemPool_t pool = makePool();
    void* memory = nullptr;
    REQUIRE(cudaMallocFromPoolAsync(&memory, 64, pool, nullptr) == cudaSuccess);
    REQUIRE(cudaMemPoolDestroy(pool) == cudaSuccess);
    CHECK(cudaMemset(memory, 1, 64) == cudaSuccess);
    CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
}

TEST_CASE("Pools belong to the one device, which has all access to them") {
    FakeProgram program;
    const cudaMemPool_t pool = makePool();
    cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    cudaMemAccessFlags flags{};
    REQUIRE(cudaMemPoolGetAccess(&flags, pool, &device) == cudaSuccess);
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    const cudaMemAccessDesc all{device, cudaMemAccessFlagsProtReadWrite};
    const cudaMemAccessDesc none{device, cudaMemAccessFlagsProtNone};
    const cudaMemAccessDesc second{{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
    CHECK(cudaMemPoolSetAccess(pool, &all, 1) == cudaSuccess);
    CHECK(cudaMemPoolSetAccess(pool, &none, 1) == cudaErrorInvalidValue);
    CHECK(cudaMemPoolSetAccess(pool, &second, 1) == cudaErrorInvalidDevice);

    cudaMemPool_t standard = nullptr, found = nullptr;
    REQUIRE(cudaMemGetDefaultMemPool(&standard, &device, cudaMemAllocationTypePinned) == cudaSuccess);
    REQUIRE(cudaDeviceGetDefaultMemPool(&found, 0) == cudaSuccess);
    CHECK(found == standard);
    REQUIRE(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, pool) == cudaSuccess);
    REQUIRE(cudaMemGetMemPool(&found, &device, cudaMemAllocationTypePinned) == cudaSuccess);
    CHECK(found == pool);
    void* memory = nullptr;
    REQUIRE(cudaMallocAsync(&memory, 256, nullptr) == cudaSuccess);
    CHECK(bytesOf(pool, cudaMemPoolAttrUsedMemCurrent) == 256);
    CHECK(cudaMemGetDefaultMemPool(&found, &host, cudaMemAllocationTypePinned) == cudaErrorNotSupported);
}

TEST_CASE("Several copies in one call, and prefetches of unified memory") {
    FakeProgram program;
    void *device = nullptr, *managed = nullptr;
    REQUIRE(cudaMalloc(&device, 16) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal) == cudaSuccess);
    int in[2] = {7, 8}, out[2] = {};
    auto* const words = static_cast<int*>(device);
    void* const to[] = {words, words + 2};
    const void* const from[] = {&in[0], &in[1]};
    std::size_t sizes[] = {4, 4}, indices[] = {0};
    cudaMemcpyAttributes attributes = {};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    REQUIRE(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, indices, 1, nullptr) == cudaSuccess);
    REQUIRE(cudaMemcpy(&out[0], words, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaMemcpy(&out[1], words + 2, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK((out[0] == 7 && out[1] == 8));
    std::size_t wrong[] = {1};
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, wrong, 1, nullptr) == cudaErrorInvalidValue);

    cudaMemLocation place{cudaMemLocationTypeDevice, 0};
    void* ranges[] = {managed};
    std::size_t bytes[] = {4096};
    CHECK(cudaMemPrefetchBatchAsync(ranges, bytes, 1, &place, indices, 1, 0, nullptr) == cudaSuccess);
    CHECK(cudaMemDiscardBatchAsync(ranges, bytes, 1, 0, nullptr) == cudaSuccess);
    bytes[0] = 4097; // beyond the allocation
    CHECK(cudaMemPrefetchBatchAsync(ranges, bytes, 1, &place, indices, 1, 0, nullptr) ==
          cudaErrorInvalidValue);
    ranges[0] = device;
    bytes[0] = 16;
    CHECK(cudaMemDiscardBatchAsync(ranges, bytes, 1, 0, nullptr) == cudaErrorInvalidValue);
}
