// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The driver's interface over a made-up engine: what the two interfaces have of each other.

#include "instrument/emulator/memory/tensor_map.h"
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cuda.h>

#include <cstring>

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

TEST_CASE("Tensor maps are made of what CUDA allows, and what the emulator lacks is named", "[driver]") {
    DriverProgram program;
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 1 << 20) == cudaSuccess);
    struct Wanted {
        CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        cuuint64_t size[2] = {100, 50}, strides[1] = {208};
        cuuint32_t box[2] = {64, 32}, steps[2] = {1, 1};
        CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
        CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    };
    CUtensorMap map;
    const auto made = [&](const Wanted& w, int rank = 2, int offset = 0) {
        return nameOf(cuTensorMapEncodeTiled(
            &map, w.type, static_cast<cuuint32_t>(rank), static_cast<char*>(memory) + offset, w.size,
            w.strides, w.box, w.steps, w.interleave, w.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, w.fill));
    };
    CHECK(made({}) == "CUDA_SUCCESS");
    emulator::memory::TensorMap seen;
    std::memcpy(static_cast<void*>(&seen), map.opaque, sizeof seen);
    CHECK(seen.address == reinterpret_cast<std::uint64_t>(memory));
    CHECK((seen.dimensions == 2 && seen.size[0] == 100 && seen.stride[0] == 2 && seen.stride[1] == 208));
    CHECK((seen.swizzle == 128 && seen.boxBytes() == 4096));
    REQUIRE(cuTensorMapReplaceAddress(&map, static_cast<char*>(memory) + 256) == CUDA_SUCCESS);
    std::memcpy(static_cast<void*>(&seen), map.opaque, sizeof seen);
    CHECK(seen.address == reinterpret_cast<std::uint64_t>(memory) + 256);

    // cuda.h, cuTensorMapEncodeTiled: what the arguments must be.
    const auto invalid = [&](const auto& change) {
        Wanted wanted;
        change(wanted);
        return made(wanted) == "CUDA_ERROR_INVALID_VALUE";
    };
    CHECK(made({}, 2, 8) == "CUDA_ERROR_INVALID_VALUE"); // not a multiple of 16
    CHECK(made({}, 0) == "CUDA_ERROR_INVALID_VALUE");
    CHECK(made({}, 6) == "CUDA_ERROR_INVALID_VALUE");
    CHECK(invalid([](Wanted& w) { w.strides[0] = 200; }));
    CHECK(invalid([](Wanted& w) { w.box[1] = 257; }));
    CHECK(invalid([](Wanted& w) { w.box[0] = 4; }));   // rows of 8 bytes
    CHECK(invalid([](Wanted& w) { w.box[0] = 128; })); // rows longer than the swizzle's
    CHECK(invalid([](Wanted& w) { w.size[1] = 0; }));
    CHECK(invalid([](Wanted& w) { w.steps[1] = 9; }));
    // Allowed, but missing.
    const auto lacks = [&](const auto& change) {
        Wanted wanted;
        change(wanted);
        return made(wanted) == "CUDA_ERROR_NOT_SUPPORTED";
    };
    CHECK(lacks([](Wanted& w) { w.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }));
    CHECK(lacks([](Wanted& w) { w.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }));
    CHECK(lacks([](Wanted& w) { w.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B; }));
    CHECK(lacks([](Wanted& w) { w.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B; }));
}
