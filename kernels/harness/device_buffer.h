// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/cuda_check.h"
#include "kernels/harness/live_buffers.h"

#include <cuda/std/span>

#include <type_traits>
#include <utility>
#include <vector>

namespace dormer::kernels {

/// Owns an array on the device that was current when it was made. Starts poisoned: every byte 0xFF, which is
/// NaN as a floating-point number and -1 as an integer.
template <typename T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t count) : m_count(count) {
        CUDA_CHECK(cudaMalloc(&m_data, bytes()));
        CUDA_CHECK(cudaMemset(m_data, 0xFF, bytes()));
        if constexpr (!std::is_same_v<T, char>) liveBuffers().push_back({m_data, bytes()});
    }
    ~DeviceBuffer() {
        std::erase_if(liveBuffers(), [this](const LiveBuffer& buffer) { return buffer.data == m_data; });
        // Nothing useful can be done about a failure here; the next checked call reports it.
        if (m_data != nullptr) static_cast<void>(cudaFree(m_data));
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }

    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] std::size_t bytes() const { return m_count * sizeof(T); }
    [[nodiscard]] cuda::std::span<T> span() const { return {m_data, m_count}; }
    [[nodiscard]] cuda::std::span<const T> view() const { return {m_data, m_count}; }

    /// Waits for the device and copies everything to the host.
    [[nodiscard]] std::vector<T> toHost() const {
        std::vector<T> host(m_count);
        CUDA_CHECK(cudaMemcpy(host.data(), m_data, bytes(), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

} // namespace dormer::kernels
