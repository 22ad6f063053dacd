// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace dormer::tests;

TEST_CASE("A launch hands over its shape and its parameters where the kernel has them") {
    FakeProgram program;
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 512) == cudaSuccess);
    REQUIRE(program.launch(memory, 77, 5) == cudaSuccess);
    REQUIRE(program.launches.size() == 1);
    const SeenLaunch& seen = program.launches[0];
    CHECK(seen.kernel == "_Z3addPfi");
    CHECK(seen.grid == dormer::session::Dim3{5, 1, 1});
    CHECK(seen.block == dormer::session::Dim3{128, 1, 1});
    REQUIRE(seen.parameters.size() == 12);
    void* to = nullptr;
    int count = 0;
    std::memcpy(&to, seen.parameters.data(), 8);
    std::memcpy(&count, seen.parameters.data() + 8, 4);
    CHECK(to == memory);
    CHECK(count == 77);
    CHECK_FALSE(seen.counted); // nobody watches, nothing is timed
}

TEST_CASE("What stands between <<< and >>> comes back in order, and kernels are known by handle, too") {
    FakeProgram program;
    __cudaPushCallConfiguration(dim3(3, 2), dim3(64), 16, nullptr);
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
    CHECK((grid.x == 3 && grid.y == 2 && block.x == 64 && shared == 16));
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaErrorMissingConfiguration);
    cudaKernel_t kernel = nullptr;
    REQUIRE(__cudaGetKernel(&kernel, program.add()) == cudaSuccess);
    CHECK(program.loads == 0);
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    CHECK(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream) == cudaSuccess);
    CHECK(program.launches.size() == 1);
    CHECK(cudaLaunchKernel(&to, grid, block, arguments, 0, nullptr) == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("Configurations no GPU takes are refused as CUDA refuses them, and nothing sticks") {
    const auto [grid, block, shared, code, why] =
        GENERATE(table<dim3, dim3, std::size_t, cudaError_t, std::string>({
            {dim3(1), dim3(1025), 0, cudaErrorInvalidConfiguration, "a block of 1025 x 1 x 1 threads"},
            {dim3(1), dim3(0), 0, cudaErrorInvalidConfiguration, "a block of 0 x 1 x 1 threads"},
            {dim3(1), dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration, "a block of 1 x 1 x 65 threads"},
            {dim3(1), dim3(32, 33), 0, cudaErrorInvalidConfiguration, "a block of 32 x 33 x 1 threads"},
            {dim3(0), dim3(32), 0, cudaErrorInvalidConfiguration, "a grid of 0 x 1 x 1 blocks"},
            {dim3(1, 65536), dim3(32), 0, cudaErrorInvalidConfiguration, "a grid of 1 x 65536 x 1 blocks"},
            {dim3(1), dim3(32), 49153, cudaErrorInvalidValue,
             "49153 bytes of dynamic shared memory, where 49152"},
        }));
    FakeProgram program("H100", {}, true);
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    CHECK(cudaLaunchKernel(program.add(), grid, block, arguments, shared, nullptr) == code);
    CHECK(program.launches.empty());
    CHECK(cudaGetLastError() == code);
    const auto notes = program.all<dormer::session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0].text, Catch::Contains("add(float*, int) can't be launched: " + why));
    CHECK(program.launch(nullptr, 1) == cudaSuccess);
}

TEST_CASE("Launch bounds and registers limit the block") {
    FakeProgram program;
    program.kernel.kernelFacts.maxThreadsPerBlock = 64;
    CHECK(program.launch(nullptr, 1) == cudaErrorLaunchOutOfResources);
    program.kernel.kernelFacts.maxThreadsPerBlock = 1024;
    program.kernel.kernelFacts.registersPerThread = 255;
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    // 32 warps * 255 (256 allocated) * 32 registers is four times the 65,536 an SM has.
    CHECK(cudaLaunchKernel(program.add(), dim3(1), dim3(1024), arguments, 0, nullptr) ==
          cudaErrorLaunchOutOfResources);
}

TEST_CASE("Shared memory beyond 48 KiB has to be requested, and ends where the chip's ends") {
    FakeProgram program("H100", {}, true); // 227 KiB a block
    program.kernel.kernelFacts.staticSharedBytes = 1024;
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    const auto launch = [&](std::size_t shared) {
        return cudaLaunchKernel(program.add(), dim3(1), dim3(32), arguments, shared, nullptr);
    };
    CHECK(launch(47 << 10) == cudaSuccess);
    CHECK(launch(48 << 10) == cudaErrorInvalidValue);
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CHECK(cudaFuncSetAttribute(program.add(), attribute, (226 << 10) + 1) == cudaErrorInvalidValue);
    CHECK_THAT(
        program.all<dormer::session::Note>().back().text,
        Catch::Contains("add(float*, int) can't have 231425 bytes of dynamic shared memory beside its 1024 "
                        "bytes of static: a block has at most 232448 on NVIDIA H100"));
    CHECK(cudaFuncSetAttribute(program.add(), attribute, 226 << 10) == cudaSuccess);
    CHECK(launch(226 << 10) == cudaSuccess);
    cudaFuncAttributes attributes = {};
    REQUIRE(cudaFuncGetAttributes(&attributes, program.add()) == cudaSuccess);
    CHECK(attributes.maxDynamicSharedSizeBytes == 226 << 10);
    CHECK(attributes.sharedSizeBytes == 1024);
    CHECK(attributes.ptxVersion == 70);
    CHECK(attributes.binaryVersion == 90);
}

TEST_CASE("Occupancy is NVIDIA's own") {
    FakeProgram program("A100");
    // CUDA's cuda_occupancy.h: 92 registers and 224 threads on compute capability 8.0 give 2 blocks.
    program.kernel.kernelFacts.registersPerThread = 92;
    int blocks = 0;
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, program.add(), 224, 0) == cudaSuccess);
    CHECK(blocks == 2);
    std::size_t shared = 0;
    REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, program.add(), 2, 224) == cudaSuccess);
    int withAll = 0, withMore = 0;
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&withAll, program.add(), 224, shared) ==
            cudaSuccess);
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&withMore, program.add(), 224, shared + 1) ==
            cudaSuccess);
    CHECK(withAll == 2);
    CHECK(withMore == 1);
}

TEST_CASE("A cooperative launch has to fit on the chip at once") {
    FakeProgram program; // 132 SMs, 16 blocks of 128 threads each
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    const auto launch = [&](unsigned blocks) {
        return cudaLaunchCooperativeKernel(program.add(), dim3(blocks), dim3(128), arguments, 0, nullptr);
    };
    CHECK(launch(132 * 16) == cudaSuccess);
    CHECK(launch(132 * 16 + 1) == cudaErrorCooperativeLaunchTooLarge);
}

TEST_CASE("Clusters have up to 8 blocks, or 16 on request, and divide the grid") {
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    const auto launch = [&](FakeProgram& program, dim3 grid, unsigned x, unsigned y) {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = x;
        attribute.val.clusterDim.y = y;
        attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = grid;
        config.blockDim = dim3(64);
        config.attrs = &attribute;
        config.numAttrs = x == 0 ? 0 : 1;
        return cudaLaunchKernelExC(&config, program.add(), arguments);
    };
    FakeProgram program;
    CHECK(launch(program, dim3(16), 8, 1) == cudaSuccess);
    CHECK(launch(program, dim3(8, 8), 2, 4) == cudaSuccess);
    CHECK(launch(program, dim3(16), 16, 1) == cudaErrorInvalidClusterSize);
    REQUIRE(cudaFuncSetAttribute(program.add(), cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
            cudaSuccess);
    CHECK(launch(program, dim3(16), 16, 1) == cudaSuccess);
    CHECK(launch(program, dim3(32), 32, 1) == cudaErrorInvalidClusterSize);
    CHECK(launch(program, dim3(15), 2, 1) == cudaErrorInvalidClusterSize);
    program.kernel.kernelFacts.cluster = {4, 1, 1};
    CHECK(launch(program, dim3(6), 0, 0) == cudaErrorInvalidClusterSize);
    CHECK(launch(program, dim3(8), 0, 0) == cudaSuccess);
    program.kernel.kernelFacts.cluster = {};
    program.kernel.kernelFacts.needsCluster = true;
    CHECK(launch(program, dim3(8), 0, 0) == cudaErrorInvalidClusterSize);
    CHECK(launch(program, dim3(8), 2, 1) == cudaSuccess);
}

TEST_CASE("A program without PTX for the chip is told which flags to add") {
    FakeProgram program("A100", {}, true);
    void** newer = __cudaRegisterFatBinary(fatBinaryFor(90));
    char function = 0;
    __cudaRegisterFunction(newer, &function, nullptr, "_Z3addPfi", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    CHECK(cudaFuncSetCacheConfig(&function, cudaFuncCachePreferL1) == cudaSuccess); // not loaded for this
    void* arguments[2] = {};
    for (int turn = 0; turn < 2; ++turn)
        CHECK(cudaLaunchKernel(&function, dim3(1), dim3(1), arguments, 0, nullptr) ==
              cudaErrorNoKernelImageForDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorNoKernelImageForDevice);
    const auto notes = program.all<dormer::session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0].text, Catch::Contains("(it holds compute_90); build it with -gencode "
                                              "arch=compute_80,code=compute_80 -cudart shared"));
    CHECK(program.launch(nullptr, 1) == cudaSuccess); // the program's other kernels go on
}
