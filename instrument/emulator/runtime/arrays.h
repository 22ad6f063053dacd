// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/memory/device_memory.h"
#include "instrument/emulator/runtime/failure.h"

#include <memory>
#include <unordered_map>

namespace dormer::emulator::runtime {

/// A CUDA array: rows of elements in device memory, plainly row by row.
struct Array {
    cudaChannelFormatDesc format = {};
    cudaExtent extent = {}; ///< in elements; 0 for a dimension it lacks
    unsigned flags = 0;
    std::uint64_t address = 0;
    std::size_t elementBytes = 0;
    std::size_t pitch = 0; ///< bytes of a row
    [[nodiscard]] std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
    [[nodiscard]] std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

/// Arrays of the program; a cudaArray_t is the address of one.
class ArrayTable {
public:
    explicit ArrayTable(memory::DeviceMemory& memory) : m_memory(memory) {}
    [[nodiscard]] Outcome<Array*> create(const cudaChannelFormatDesc& format, cudaExtent extent,
                                         unsigned flags);
    /// Null when there is none.
    [[nodiscard]] Array* find(const void* handle) const;
    bool destroy(const void* handle);

private:
    memory::DeviceMemory& m_memory;
    std::unordered_map<const void*, std::unique_ptr<Array>> m_arrays;
};

} // namespace dormer::emulator::runtime
