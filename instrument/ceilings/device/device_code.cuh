// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/ceilings/device/bench.h"

#include <cuda_runtime.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace dormer::instrument::ceilings {

inline void throwOnFailure(cudaError_t status, const char* expression) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(expression) + " failed: " + cudaGetErrorString(status));
}
#define CEILINGS_CUDA(...) ::dormer::instrument::ceilings::throwOnFailure((__VA_ARGS__), #__VA_ARGS__)

/// Memory of the device that frees itself.
template <typename T>
class Buffer {
public:
    explicit Buffer(std::size_t count) : m_count(count) {
        CEILINGS_CUDA(cudaMalloc(reinterpret_cast<void**>(&m_data), count * sizeof(T)));
        CEILINGS_CUDA(cudaMemset(m_data, 0, count * sizeof(T)));
    }
    ~Buffer() { cudaFree(m_data); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    void clear() { CEILINGS_CUDA(cudaMemset(m_data, 0, m_count * sizeof(T))); }
    /// The first element, once all work is done.
    [[nodiscard]] T first() const {
        T value{};
        CEILINGS_CUDA(cudaMemcpy(&value, m_data, sizeof(T), cudaMemcpyDeviceToHost));
        return value;
    }

private:
    T* m_data = nullptr;
    std::size_t m_count;
};

#ifdef __CUDACC__
/// Reads the clocks when the first thread of the first block begins and ends. Each time both in one go: a
/// store between them waits for what the memory has to do.
class ClockScope {
public:
    __device__ explicit ClockScope(ClockReading* reading) : m_reading(reading) {
        if (reads()) m_begin = now();
    }
    __device__ ~ClockScope() {
        if (!reads()) return;
        const ClockReading end = now();
        *m_reading = {end.cycles - m_begin.cycles, end.nanoseconds - m_begin.nanoseconds};
    }

private:
    __device__ bool reads() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    __device__ static ClockReading now() {
        ClockReading reading;
        asm volatile("mov.u64 %0, %%clock64;\n\tmov.u64 %1, %%globaltimer;"
                     : "=l"(reading.cycles), "=l"(reading.nanoseconds)
                     :
                     : "memory");
        return reading;
    }
    ClockReading* m_reading;
    ClockReading m_begin;
};

/// Test data: bits that look random, so that wires toggle, and whose sums are known (kPattern * n(n-1)/2).
inline constexpr std::uint32_t kPattern = 2654435761U;
__host__ __device__ inline std::uint32_t patternSum(std::uint64_t count) {
    const std::uint64_t pairs = count % 2 == 0 ? (count / 2) * (count - 1) : count * ((count - 1) / 2);
    return static_cast<std::uint32_t>(pairs) * kPattern;
}
#endif

} // namespace dormer::instrument::ceilings
