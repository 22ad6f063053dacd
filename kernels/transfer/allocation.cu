// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/cuda_check.h"
#include "kernels/harness/table.h"
#include "kernels/transfer/groups.h"

#include <cstdlib>
#include <new>
#include <vector>

namespace dormer::kernels {

namespace {

/// Takes memory of one kind, has a look at it, and gives it back.
struct Allocations {
    explicit Allocations(const Setup& setup) : bytes(setup.size * sizeof(Word)) {
        // Without this a pool hands everything back to the driver at the next synchronisation.
        int device = 0;
        cudaMemPool_t pool = nullptr;
        std::uint64_t keepAll = ~std::uint64_t{0};
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
        CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keepAll));
        // What the pool keeps is there before the first run.
        void* pooled = takePooled();
        freePooled(pooled);
    }

    [[nodiscard]] void* takePooled() const {
        void* memory = nullptr;
        CUDA_CHECK(cudaMallocAsync(&memory, bytes, nullptr));
        return memory;
    }
    static void freePooled(void* memory) {
        CUDA_CHECK(cudaFreeAsync(memory, nullptr));
        CUDA_CHECK(cudaStreamSynchronize(nullptr));
    }

    std::size_t bytes;
};

constexpr std::size_t kPage = 4096;

/// The system gives a page when it is first written to.
void* takeTouched(std::size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    auto* const first = static_cast<volatile unsigned char*>(memory);
    for (std::size_t at = 0; at < bytes; at += kPage)
        first[at] = 1;
    return memory;
}

using Take = void* (*)(std::size_t bytes);
using Free = void (*)(void*);

void* takeDevice(std::size_t bytes) {
    void* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, bytes));
    return memory;
}
void* takeManaged(std::size_t bytes) {
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocManaged(&memory, bytes));
    return memory;
}
void* takePinned(std::size_t bytes) {
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocHost(&memory, bytes));
    return memory;
}
void freeDevice(void* memory) {
    CUDA_CHECK(cudaFree(memory));
}
void freePinned(void* memory) {
    CUDA_CHECK(cudaFreeHost(memory));
}

/// Page-locks ordinary memory, which has to be there already.
void registerPages(std::size_t bytes) {
    std::vector<unsigned char> memory(bytes, 1);
    CUDA_CHECK(cudaHostRegister(memory.data(), bytes, cudaHostRegisterDefault));
    CUDA_CHECK(cudaHostUnregister(memory.data()));
}

/// Writes the first and the last byte through CUDA and reads them back, in memory of any kind.
CheckResult checkUsable(void* memory, std::size_t bytes) {
    constexpr unsigned char kFirst = 0x5A;
    constexpr unsigned char kLast = 0xA5;
    auto* const ends = static_cast<unsigned char*>(memory);
    CUDA_CHECK(cudaMemcpy(ends, &kFirst, 1, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(ends + bytes - 1, &kLast, 1, cudaMemcpyDefault));
    unsigned char first = 0;
    unsigned char last = 0;
    CUDA_CHECK(cudaMemcpy(&first, ends, 1, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(&last, ends + bytes - 1, 1, cudaMemcpyDefault));
    const bool same = first == kFirst && last == kLast;
    return {same, same ? "the first and the last of " + std::to_string(bytes) + " bytes hold what was written"
                       : "the memory does not hold what was written"};
}

std::vector<Expectation> twoCalls(std::size_t size) {
    return {exactly("memory_call_count", 2, "one call takes the memory, one gives it back"),
            exactly("memory_call_bytes", static_cast<double>(size * sizeof(Word)),
                    "the call that takes it names its size: 4 bytes a word")};
}

/// Below some megabytes both are a matter of microseconds.
constexpr std::size_t kLarge = 4'000'000;

std::vector<Expectation> pinnedCalls(std::size_t size) {
    std::vector<Expectation> answers = twoCalls(size);
    if (size >= kLarge)
        answers.push_back(comparedTo("transfer/allocate_device", "memory_call_ns", ">=", 2,
                                     "every page of the host has to be found, locked and mapped"));
    return answers;
}

Row<Allocations> row(std::string name, std::string shows,
                     std::function<std::vector<Expectation>(std::size_t)> answers, Take take, Free give) {
    return {{.name = std::move(name), .shows = std::move(shows), .knownAnswers = std::move(answers)},
            [take, give](Allocations& state) { give(take(state.bytes)); },
            [take, give](Allocations& state) {
                void* memory = take(state.bytes);
                CheckResult result = checkUsable(memory, state.bytes);
                give(memory);
                return result;
            }};
}

std::vector<Row<Allocations>> rows() {
    return {
        row("allocate_device", "cudaMalloc and cudaFree: what a temporary buffer costs a loop that makes one",
            twoCalls, takeDevice, freeDevice),
        {{.name = "allocate_pooled",
          .shows = "cudaMallocAsync and cudaFreeAsync: the pool hands out again what it kept",
          .knownAnswers =
              [](std::size_t size) {
                  std::vector<Expectation> answers = twoCalls(size);
                  answers.push_back(comparedTo("transfer/allocate_device", "memory_call_ns", "<=", 1,
                                               "the pool keeps the memory, so the driver is not called"));
                  return answers;
              },
          .good = true},
         [](Allocations& state) { Allocations::freePooled(state.takePooled()); },
         [](Allocations& state) {
             void* memory = state.takePooled();
             CheckResult result = checkUsable(memory, state.bytes);
             Allocations::freePooled(memory);
             return result;
         }},
        row("allocate_pinned",
            "cudaMallocHost and cudaFreeHost: page-locking costs far more than it saves one copy",
            pinnedCalls, takePinned, freePinned),
        {{.name = "allocate_pageable",
          .shows = "malloc and a first touch of every page: what the host pays without any CUDA",
          .knownAnswers =
              [](std::size_t size) {
                  std::vector<Expectation> answers;
                  if (size >= kLarge)
                      answers.push_back(comparedTo("transfer/allocate_pinned", "elapsed_ns", "<=", 1.5,
                                                   "page-locked memory needs its pages as well, and locked"));
                  return answers;
              }},
         [](Allocations& state) { std::free(takeTouched(state.bytes)); },
         [](Allocations& state) {
             void* memory = takeTouched(state.bytes);
             CheckResult result = checkUsable(memory, state.bytes);
             std::free(memory);
             return result;
         }},
        {{.name = "allocate_registered",
          .shows = "cudaHostRegister of memory that is there already: page-locking alone",
          .knownAnswers = twoCalls},
         [](Allocations& state) { registerPages(state.bytes); },
         [](Allocations& state) {
             std::vector<unsigned char> memory(state.bytes);
             CUDA_CHECK(cudaHostRegister(memory.data(), state.bytes, cudaHostRegisterDefault));
             CheckResult result = checkUsable(memory.data(), state.bytes);
             CUDA_CHECK(cudaHostUnregister(memory.data()));
             return result;
         }},
        row("allocate_managed", "cudaMallocManaged and cudaFree: pages come when somebody touches them",
            twoCalls, takeManaged, freeDevice),
    };
}

} // namespace

Group transferAllocationGroup() {
    Group group = groupOf<Allocations>(
        rows(), kTransferSizes, [](std::size_t wanted) { return roundUp(wanted, 1); },
        [](std::size_t size) { return 2 * size * sizeof(Word); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=uint32"};
        });
    group.mostRepeats = 3;
    group.launchesKernels = false;
    return group;
}

} // namespace dormer::kernels
