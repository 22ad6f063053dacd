// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/arrays.h"

namespace dormer::emulator::runtime {

/// Rows of bytes somewhere.
struct Rows {
    std::byte* start = nullptr;
    std::size_t pitch = 0; ///< bytes from row to row
    std::size_t slice = 0; ///< bytes from slice to slice
};

/// A copy with all addresses known.
struct Copy {
    Rows to, from;
    std::size_t widthBytes = 0, height = 1, depth = 1;
    void run() const;
};

/// A fill with all addresses known.
struct Fill {
    Rows to;
    unsigned value = 0;
    unsigned elementBytes = 1; ///< 1, 2 or 4
    std::size_t width = 0;     ///< elements
    std::size_t height = 1, depth = 1;
    void run() const;
};

/// Makes copies and fills of what the program asks for, and holds them against the allocations: device memory
/// that isn't there is cudaErrorInvalidValue, as CUDA has it, and never a crash.
class CopyMaker {
public:
    CopyMaker(const memory::DeviceMemory& memory, const ArrayTable& arrays)
        : m_memory(memory), m_arrays(arrays) {}

    [[nodiscard]] Outcome<Copy> linear(void* to, const void* from, std::size_t bytes,
                                       cudaMemcpyKind kind) const;
    [[nodiscard]] Outcome<Copy> pitched(void* to, std::size_t toPitch, const void* from,
                                        std::size_t fromPitch, std::size_t width, std::size_t height,
                                        cudaMemcpyKind kind) const;
    /// All forms with arrays and volumes.
    [[nodiscard]] Outcome<Copy> general(const cudaMemcpy3DParms& parameters) const;
    [[nodiscard]] Outcome<Fill> fill(const cudaPitchedPtr& to, unsigned value, unsigned elementBytes,
                                     cudaExtent extent) const;

private:
    /// True when the bytes from there on lie in one allocation.
    [[nodiscard]] bool holds(const void* start, std::size_t bytes) const;
    [[nodiscard]] std::optional<Failure> check(const Copy& copy, cudaMemcpyKind kind, bool toArray,
                                               bool fromArray) const;

    const memory::DeviceMemory& m_memory;
    const ArrayTable& m_arrays;
};

} // namespace dormer::emulator::runtime
