// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

TEST_CASE("The device is the chip that was requested, and says that it is emulated") {
    const auto [key, major, minor, sms, sharedOptin] = GENERATE(table<const char*, int, int, int, int>({
        // CUDA C++ programming guide, "technical specifications"; SM counts of the products' data sheets.
        {"V100", 7, 0, 80, 96 << 10},
        {"T4", 7, 5, 40, 64 << 10},
        {"A100", 8, 0, 108, 163 << 10},
        {"RTX4090", 8, 9, 128, 99 << 10},
        {"H100", 9, 0, 132, 227 << 10},
    }));
    FakeProgram program(key);
    int count = 0, value = 0;
    REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
    CHECK(count == 1);
    cudaDeviceProp properties = {};
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK_THAT(std::string(properties.name), Catch::Contains("(emulated)"));
    CHECK((properties.major == major && properties.minor == minor));
    CHECK(properties.multiProcessorCount == sms);
    CHECK(properties.sharedMemPerBlockOptin == static_cast<std::size_t>(sharedOptin));
    CHECK((properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 &&
           properties.regsPerBlock == 65536));
    REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
    CHECK(value == sms);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
}

TEST_CASE("The device has the copy engines, clusters and persisting L2 of its chip") {
    // deviceQuery on the chips; H100: 50 MiB of L2, 31.25 of them may persist.
    const auto [key, engines, ecc, cluster, persisting] = GENERATE(table<const char*, int, int, int, int>({
        {"V100", 6, 1, 0, 0},
        {"A100", 3, 1, 0, 26214400},
        {"RTX4090", 2, 0, 0, 51904512},
        {"H100", 3, 1, 1, 32768000},
    }));
    FakeProgram program(key);
    cudaDeviceProp properties = {};
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CAPTURE(key);
    CHECK(properties.asyncEngineCount == engines);
    CHECK(properties.ECCEnabled == ecc);
    CHECK(properties.clusterLaunch == cluster);
    CHECK(properties.persistingL2CacheMaxSize == persisting);
    CHECK(properties.accessPolicyMaxWindowSize == (persisting > 0 ? 134217728 : 0));
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPersistingL2CacheSize, 0) == cudaSuccess);
    CHECK(value == persisting);
    CHECK((properties.maxTexture2DLayered[0] == 32768 && properties.maxTexture2DLayered[2] == 2048));
    CHECK(properties.maxTextureCubemapLayered[1] == 2046);
}

TEST_CASE("There is one device, without peers and without a bus") {
    FakeProgram program;
    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    int can = 1;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
    char id[32] = "x";
    CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaErrorNotSupported);
    CHECK(id[0] == '\0');
    std::size_t stack = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize) == cudaSuccess);
    CHECK(stack == 4096);
    CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1) == cudaErrorUnsupportedLimit);
}
