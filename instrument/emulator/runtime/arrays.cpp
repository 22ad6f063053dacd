// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/arrays.h"

namespace dormer::emulator::runtime {

Outcome<Array*> ArrayTable::create(const cudaChannelFormatDesc& format, cudaExtent extent, unsigned flags) {
    const int bits = format.x + format.y + format.z + format.w;
    if (bits <= 0 || bits % 8 != 0 || bits > 128 || extent.width == 0) return fails(cudaErrorInvalidValue);
    auto array = std::make_unique<Array>();
    array->format = format;
    array->extent = extent;
    array->flags = flags;
    array->elementBytes = static_cast<std::size_t>(bits) / 8;
    array->pitch = extent.width * array->elementBytes;
    const auto address =
        m_memory.allocate(array->pitch * array->rows() * array->slices(), memory::Allocation::Kind::Device);
    if (!address) return fails(cudaErrorMemoryAllocation);
    array->address = *address;
    Array* handle = array.get();
    m_arrays.emplace(handle, std::move(array));
    return handle;
}

Array* ArrayTable::find(const void* handle) const {
    const auto found = m_arrays.find(handle);
    return found == m_arrays.end() ? nullptr : found->second.get();
}

bool ArrayTable::destroy(const void* handle) {
    const auto found = m_arrays.find(handle);
    if (found == m_arrays.end()) return false;
    m_memory.release(found->second->address);
    m_arrays.erase(found);
    return true;
}

} // namespace dormer::emulator::runtime
