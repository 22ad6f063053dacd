// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The driver's interface over a made-up engine: what the two interfaces have of each other.

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cuda.h>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// With cuInit called and the primary context current.
struct DriverProgram : FakeProgram {
    DriverProgram() {
        REQUIRE(cuInit(0) == CUDA_SUCCESS);
        REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
        REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    }
    ~DriverProgram() {
        (void)cuCtxSetCurrent(nullptr);
        (void)cuDevicePrimaryCtxRelease(0);
    }
    CUcontext context = nullptr;
};

std::string nameOf(CUresult result) {
    const char* name = nullptr;
    return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "(none)";
}

} // namespace

TEST_CASE("Kernels of the runtime's interface launch by the driver's", "[driver]") {
    DriverProgram program;
    cudaFunction_t function = nullptr;
    REQUIRE(cudaGetFuncBySymbol(&function, program.add()) == cudaSuccess);
    CUdeviceptr to = 0;
    int count = 7;
    REQUIRE(cuMemAlloc(&to, 64) == CUDA_SUCCESS);
    void* parameters[] = {&to, &count};
    CHECK(cuLaunchKernel(function, 3, 2, 1, 64, 1, 1, 128, nullptr, parameters, nullptr) == CUDA_SUCCESS);
    REQUIRE(program.launches.size() == 1);
    const SeenLaunch seen = program.launches[0]; // a copy: more follow
    CHECK(seen.grid == session::Dim3{3, 2, 1});
    CHECK(seen.block == session::Dim3{64, 1, 1});
    CHECK(seen.dynamicSharedBytes == 128);

    // The same parameters as one buffer.
    struct {
        CUdeviceptr to;
        int count;
    } packed = {to, count};
    std::size_t bytes = sizeof(CUdeviceptr) + sizeof(int);
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) == CUDA_SUCCESS);
    REQUIRE(program.launches.size() == 2);
    CHECK(program.launches[1].parameters == seen.parameters);
    bytes = sizeof(CUdeviceptr); // without the count
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, parameters, nullptr) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr) ==
          CUDA_ERROR_INVALID_HANDLE);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("Streams, events and memory are one for both interfaces", "[driver]") {
    DriverProgram program;
    CUstream stream = nullptr;
    REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    CUevent begin = nullptr, end = nullptr;
    REQUIRE(cuEventCreate(&begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
    REQUIRE(cuEventCreate(&end, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
    CHECK(cuEventQuery(begin) == CUDA_SUCCESS);
    CHECK(cuEventRecord(begin, stream) == CUDA_SUCCESS);
    void* to = nullptr;
    REQUIRE(cudaMalloc(&to, 64) == cudaSuccess);
    CHECK(program.launch(to, 1, 1, stream) == cudaSuccess);
    CHECK(cudaEventRecord(end, stream) == cudaSuccess);
    float milliseconds = 0;
    CHECK(cuEventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS);
    CHECK(milliseconds == 0.001F);
    const unsigned word = 0xABCD;
    const auto address = reinterpret_cast<CUdeviceptr>(to);
    CHECK(cuMemsetD32Async(address, word, 16, stream) == CUDA_SUCCESS);
    unsigned read = 0;
    CHECK(cudaMemcpy(&read, reinterpret_cast<unsigned*>(to) + 15, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(read == word);
    CHECK(cudaFree(to) == cudaSuccess);
    CHECK(cuMemFree(address) == CUDA_ERROR_INVALID_VALUE); // gone
    CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(stream) != CUDA_SUCCESS);
}

TEST_CASE("A fault stays for both interfaces", "[driver]") {
    DriverProgram program;
    program.fault = [] {
        Fault fault;
        fault.kind = Fault::Kind::IllegalAddress;
        return fault;
    };
    cudaFunction_t function = nullptr;
    REQUIRE(cudaGetFuncBySymbol(&function, program.add()) == cudaSuccess);
    CUdeviceptr to = 0;
    int count = 1;
    REQUIRE(cuMemAlloc(&to, 64) == CUDA_SUCCESS);
    void* parameters[] = {&to, &count};
    (void)cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemAlloc(&to, 64) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("The runtime's errors have the driver's names", "[driver]") {
    CHECK(nameOf(CUDA_SUCCESS) == "CUDA_SUCCESS");
    CHECK(nameOf(CUDA_ERROR_ILLEGAL_ADDRESS) == "CUDA_ERROR_ILLEGAL_ADDRESS");
    CHECK(nameOf(CUDA_ERROR_UNKNOWN) == "CUDA_ERROR_UNKNOWN");
    CHECK(nameOf(static_cast<CUresult>(98)) ==
          "(none)"); // cudaErrorInvalidDeviceFunction: the runtime's alone
    const char* text = nullptr;
    CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
    CHECK(std::string(text) == "out of memory");
    CHECK(cuGetErrorString(static_cast<CUresult>(-1), &text) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("The one device answers both interfaces alike", "[driver]") {
    DriverProgram program;
    for (const auto attribute : {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_WARP_SIZE,
                                 CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                 CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN}) {
        int one = -1, other = -2;
        CHECK(cuDeviceGetAttribute(&one, attribute, 0) == CUDA_SUCCESS);
        CHECK(cudaDeviceGetAttribute(&other, static_cast<cudaDeviceAttr>(attribute), 0) == cudaSuccess);
        CHECK(one == other);
    }
    char name[8] = "";
    CHECK(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
    CHECK(std::string(name) == "NVIDIA "); // cut, and ended
    int version = 0;
    CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS);
    CHECK(version == CUDA_VERSION);
    CHECK(cuDeviceGetAttribute(&version, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("The calls' own tables are for NVIDIA's libraries only", "[driver]") {
    DriverProgram program;
    const void* table = &program;
    const CUuuid anything = {};
    CHECK(cuGetExportTable(&table, &anything) == CUDA_ERROR_NOT_FOUND);
    CHECK(table == nullptr);
}
