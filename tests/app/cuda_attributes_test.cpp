// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/probe/cuda_attributes.h"
#include "tests/support/catch.h"

#include <cuda.h>

TEST_CASE("the probe's attribute numbers are cuda.h's") {
    namespace probe = dormer::probe;
    CHECK(int{probe::kWarpSize} == CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    CHECK(int{probe::kClockRateKhz} == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    CHECK(int{probe::kMultiprocessorCount} == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    CHECK(int{probe::kMemoryClockRateKhz} == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    CHECK(int{probe::kMemoryBusWidth} == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    CHECK(int{probe::kL2CacheSize} == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    CHECK(int{probe::kMaxThreadsPerSm} == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    CHECK(int{probe::kComputeCapabilityMajor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    CHECK(int{probe::kComputeCapabilityMinor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    CHECK(int{probe::kMaxSharedPerSm} == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    CHECK(int{probe::kMaxRegistersPerSm} == CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    CHECK(int{probe::kMaxSharedPerBlockOptin} == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    CHECK(int{probe::kMaxBlocksPerSm} == CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    CHECK(int{probe::kReservedSharedPerBlock} == CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
}
