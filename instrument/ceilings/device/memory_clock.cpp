// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/memory_clock.h"

#include <cuda_runtime_api.h>

#include <dlfcn.h>

#include <array>

namespace dormer::instrument::ceilings {

double memoryClockHz(int device) {
    std::array<char, 64> address{};
    if (cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device) != cudaSuccess)
        return 0;
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 0;
    // Signatures of nvml.h: its return codes are enums of int size, its device an opaque pointer.
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto find =
        reinterpret_cast<int (*)(const char*, void**)>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
    const auto clock =
        reinterpret_cast<int (*)(void*, int, unsigned*)>(dlsym(library, "nvmlDeviceGetClockInfo"));
    constexpr int kMemory = 2; // NVML_CLOCK_MEM
    void* handle = nullptr;
    unsigned megahertz = 0;
    if (init == nullptr || find == nullptr || clock == nullptr || init() != 0) return 0;
    if (find(address.data(), &handle) != 0 || clock(handle, kMemory, &megahertz) != 0) return 0;
    return megahertz * 1e6;
}

} // namespace dormer::instrument::ceilings
