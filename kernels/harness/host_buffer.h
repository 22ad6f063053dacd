// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/cuda_check.h"

#include <cuda/std/span>

#include <cstddef>
#include <cstring>
#include <utility>

namespace dormer::kernels {

/// Owns a page-locked array on the host, which the device can reach. Starts poisoned: every byte 0xFF.
template <typename T>
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t count) : m_count(count) {
        CUDA_CHECK(cudaHostAlloc(&m_data, bytes(), cudaHostAllocMapped));
        std::memset(m_data, 0xFF, bytes());
    }
    ~PinnedBuffer() {
        // Nothing useful can be done about a failure here; the next checked call reports it.
        if (m_data != nullptr) static_cast<void>(cudaFreeHost(m_data));
    }
    PinnedBuffer(PinnedBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0)) {}
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }

    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] std::size_t bytes() const { return m_count * sizeof(T); }
    [[nodiscard]] cuda::std::span<T> span() const { return {m_data, m_count}; }
    /// The address under which the device knows the array. Where addresses are unified it is the host's.
    [[nodiscard]] T* onDevice() const {
        void* address = nullptr;
        CUDA_CHECK(cudaHostGetDevicePointer(&address, m_data, 0));
        return static_cast<T*>(address);
    }

private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

} // namespace dormer::kernels
