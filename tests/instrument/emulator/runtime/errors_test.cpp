// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/error_text.h"
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <dlfcn.h>

using namespace dormer::tests;
using dormer::emulator::memory::Fault;

TEST_CASE("An error stays until it is requested, a success does not hide it") {
    FakeProgram program;
    CHECK(cudaMalloc(nullptr, 16) == cudaErrorInvalidValue);
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, 16) == cudaSuccess);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("After a kernel's fault every call returns it, until the device is reset") {
    const auto [kind, code] = GENERATE(table<Fault::Kind, cudaError_t>({
        {Fault::Kind::IllegalAddress, cudaErrorIllegalAddress},
        {Fault::Kind::MisalignedAddress, cudaErrorMisalignedAddress},
        {Fault::Kind::Assert, cudaErrorAssert},
        {Fault::Kind::Trap, cudaErrorLaunchFailure},
        {Fault::Kind::TimeLimit, cudaErrorLaunchTimeout},
    }));
    FakeProgram program;
    program.fault = [kind] { return Fault{kind, "add(float*, int)", "add.cu:3", {}, {}, 0, "made up"}; };
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 512) == cudaSuccess);
    CHECK(program.launch(memory, 1) == code);
    program.fault = nullptr;
    CHECK(program.launch(memory, 1) == code);
    CHECK(program.launches.empty());
    CHECK(cudaGetLastError() == code);
    CHECK(cudaGetLastError() == code);
    CHECK(cudaDeviceSynchronize() == code);
    CHECK(cudaFree(memory) == code);
    int version = 0;
    CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
    CHECK(version == 13000);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("Names and wording are CUDA's own") {
    CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
    CHECK(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) == "invalid configuration argument");
    CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(5555))) == "unrecognized error code");
    // The toolkit's library holds the same table; this program is linked with ours.
    void* real = dlopen(DORMER_REAL_CUDART, RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(real != nullptr);
    using Text = const char* (*)(cudaError_t);
    const auto name = reinterpret_cast<Text>(dlsym(real, "cudaGetErrorName"));
    const auto text = reinterpret_cast<Text>(dlsym(real, "cudaGetErrorString"));
    REQUIRE((name != nullptr && text != nullptr));
    for (int code = 0; code < 1200; ++code) {
        const auto error = static_cast<cudaError_t>(code);
        CAPTURE(code);
        CHECK(std::string(dormer::emulator::runtime::api::errorName(error)) == name(error));
        CHECK(std::string(dormer::emulator::runtime::api::errorString(error)) == text(error));
    }
}

TEST_CASE("What the emulator lacks says so and is noted once") {
    FakeProgram program("H100", {}, true);
    cudaIpcMemHandle_t handle;
    CHECK(cudaIpcGetMemHandle(&handle, &program) == cudaErrorNotSupported);
    CHECK(cudaIpcGetMemHandle(&handle, &program) == cudaErrorNotSupported);
    CHECK(cudaGetLastError() == cudaErrorNotSupported);
    const auto notes = program.all<dormer::session::Note>();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].code == "emulator-unsupported");
    CHECK(notes[0].text == "the emulator does not support cudaIpcGetMemHandle");
}
