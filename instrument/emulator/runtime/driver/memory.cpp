// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What the driver tells of memory.

#include "instrument/emulator/runtime/driver/driver.h"

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;
using Kind = dormer::emulator::memory::Allocation::Kind;

namespace {

template <typename T>
CUresult give(void* to, T value) {
    *static_cast<T*>(to) = value;
    return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t height,
                         unsigned elementBytes) {
    if (elementBytes != 4 && elementBytes != 8 && elementBytes != 16) return CUDA_ERROR_INVALID_VALUE;
    return inContext(
        [&] { return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, widthBytes, height); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
    return inContext([&] {
        const auto found = Runtime::instance().memory().find(pointer);
        if (!found) return cudaErrorSymbolNotFound; // the driver's number for "not found"
        if (base != nullptr) *base = found->address;
        if (bytes != nullptr) *bytes = found->bytes;
        return cudaSuccess;
    });
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    if (!initialized()) return CUDA_ERROR_NOT_INITIALIZED;
    if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = Runtime::instance().memory().find(pointer);
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    const bool host = found->kind == Kind::PinnedHost, managed = found->kind == Kind::Managed;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return give(data, currentContext());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return give<unsigned>(data, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return give(data, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return host || managed ? give(data, reinterpret_cast<void*>(pointer)) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return give<unsigned>(data, managed ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return give<int>(data, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return give<CUdeviceptr>(data, found->address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return give<std::size_t>(data, found->bytes);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return give<unsigned long long>(data, found->address);
    case CU_POINTER_ATTRIBUTE_MAPPED:
        return give<unsigned>(data, 1);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr pointer) {
    if (attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; ++i) {
        const CUresult result = cuPointerGetAttribute(data[i], attributes[i], pointer);
        if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}

} // extern "C"
