// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/runtime.h"

#include <cuda_runtime_api.h>

#include <functional>

// What nvcc's generated host code calls.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** handle, const char* hostFunction, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void** handle, char* hostVariable, char*, const char* name, int, std::size_t bytes,
                       int, int);
void __cudaRegisterManagedVar(void** handle, void** hostPointer, char*, const char* name, int,
                              std::size_t bytes, int, int);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t sharedBytes, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* sharedBytes, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* hostFunction);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t sharedBytes, cudaStream_t stream);
}

namespace dormer::tests {

using namespace emulator::engine;
using namespace emulator::memory;
using namespace emulator::program;

/// What __cudaRegisterFatBinary gets of a program that holds PTX for this compute capability (70) alone.
[[nodiscard]] void* fatBinaryFor(std::uint32_t target);

/// A kernel that only notes that it ran.
struct FakeKernel final : emulator::program::Kernel {
    KernelFacts kernelFacts;
    emulator::ptx::Module module;
    [[nodiscard]] const KernelFacts& facts() const override { return kernelFacts; }
    std::vector<emulator::ptx::FunctionText> functionTexts;
    [[nodiscard]] const emulator::ptx::Module& source() const override { return module; }
    [[nodiscard]] std::vector<emulator::ptx::FunctionText> texts() const override { return functionTexts; }
};

/// What the fake engine saw of one launch.
struct SeenLaunch {
    std::string kernel;
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    std::vector<std::byte> parameters;
    bool counted = false;
    double beginNs = 0;
};

/// A program with one kernel, add(float* to, int count), and one variable, table of 64 bytes, on a device
/// whose kernels take a microsecond each. One at a time: it stands in for the process's runtime.
class FakeProgram {
public:
    explicit FakeProgram(const char* chip = "H100", instrument::stream::CollectOptions options = {},
                         bool recorded = false);
    ~FakeProgram();
    FakeProgram(const FakeProgram&) = delete;
    FakeProgram& operator=(const FakeProgram&) = delete;

    [[nodiscard]] const void* add() const { return &m_hostFunction; }
    [[nodiscard]] void* table() { return &m_hostVariable; }
    [[nodiscard]] void** binary() { return m_binary; }
    cudaError_t launch(void* to, int count, unsigned blocks = 1, cudaStream_t stream = nullptr);

    std::vector<SeenLaunch> launches;
    std::function<std::optional<Fault>()> fault; ///< asked at each launch
    int waits = 0;                               ///< looks at the next launch that find it waiting
    FakeKernel kernel;
    std::vector<session::Record> records;
    int loads = 0;                                          ///< of PTX
    double durationNs = 1000;                               ///< what each launch is predicted to take
    std::vector<emulator::engine::InstructionStall> stalls; ///< where they are requested
    [[nodiscard]] emulator::runtime::Runtime& runtime() { return *m_runtime; }
    [[nodiscard]] emulator::runtime::Recorder& recorder() { return *m_recorder; }

    template <typename T>
    [[nodiscard]] std::vector<T> all() const {
        std::vector<T> found;
        for (const session::Record& record : records)
            if (const T* one = std::get_if<T>(&record)) found.push_back(*one);
        return found;
    }

private:
    class Fakes;
    std::unique_ptr<emulator::runtime::Recorder> m_recorder;
    std::unique_ptr<emulator::runtime::Runtime> m_runtime;
    emulator::runtime::Runtime* m_before;
    void** m_binary = nullptr;
    char m_hostFunction = 0, m_hostVariable = 0;
};

} // namespace dormer::tests
