// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Virtual memory management: addresses and memory are got apart and brought together by the program. Memory
// is an unnamed file, so that it may be mapped in several places.

#include "instrument/emulator/runtime/driver/driver.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;
using dormer::emulator::memory::DeviceMemory;

namespace {

/// What the driver gives on every chip: pages of 2 MiB.
constexpr std::size_t kGranularity = std::size_t{2} << 20;

/// Memory from cuMemCreate, which lives on while it is mapped.
struct Physical {
    int file = -1;
    std::size_t bytes = 0;
    CUmemAllocationProp properties = {};
    ~Physical() {
        close(file);
        Runtime::instance().memory().refund(bytes);
    }
};

struct Mapping {
    std::size_t bytes = 0;
    std::shared_ptr<Physical> memory;
    unsigned long long access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

struct Reservation {
    std::size_t bytes = 0;
    std::map<std::uint64_t, Mapping> mappings; ///< by address
};

struct Handle {
    std::shared_ptr<Physical> memory;
    unsigned references = 1;
};

/// The caller holds the runtime's lock.
struct Space {
    std::map<std::uint64_t, Reservation> reservations;
    std::map<CUmemGenericAllocationHandle, Handle> handles;
    CUmemGenericAllocationHandle last = 0;

    /// The reservation that holds the range.
    std::map<std::uint64_t, Reservation>::iterator around(CUdeviceptr address, std::size_t bytes) {
        auto found = reservations.upper_bound(address);
        if (found == reservations.begin()) return reservations.end();
        --found;
        const std::uint64_t offset = address - found->first;
        return offset <= found->second.bytes && bytes <= found->second.bytes - offset ? found
                                                                                      : reservations.end();
    }
};

Space& space() {
    static auto* const all = new Space;
    return *all;
}

bool fits(std::uint64_t value) {
    return value != 0 && value % kGranularity == 0;
}

/// Mappings that make up the range exactly; none when it cuts one or has gaps.
std::vector<std::pair<const std::uint64_t, Mapping>*> mappingsIn(Reservation& reservation,
                                                                 CUdeviceptr address, std::size_t bytes) {
    std::vector<std::pair<const std::uint64_t, Mapping>*> found;
    std::uint64_t next = address;
    for (auto at = reservation.mappings.find(address); at != reservation.mappings.end(); ++at) {
        if (at->first != next || at->second.bytes > address + bytes - next) return {};
        found.push_back(&*at);
        next += at->second.bytes;
        if (next == address + bytes) return found;
    }
    return {};
}

/// Lets kernels access what the program gave access to: neighbours are one, as they are for the program.
void expose(std::uint64_t begin, const Reservation& reservation) {
    std::vector<DeviceMemory::Range> ranges;
    for (const auto& [address, mapping] : reservation.mappings) {
        if (mapping.access == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
        if (!ranges.empty() && ranges.back().address + ranges.back().bytes == address)
            ranges.back().bytes += mapping.bytes;
        else
            ranges.push_back({address, mapping.bytes});
    }
    Runtime::instance().memory().expose({begin, reservation.bytes}, ranges);
}

/// What is under way ends first, for it may use the addresses.
cudaError_t ended() {
    return dormer::emulator::runtime::api::call([](Runtime& r) { return r.finish(); });
}

bool isOnDevice(const CUmemLocation& location) {
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0;
}

} // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(std::size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
    if (granularity == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *granularity = kGranularity;
    return initialized() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
    if (address == nullptr || !fits(bytes) || flags != 0 ||
        (alignment != 0 && !std::has_single_bit(alignment)))
        return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto found = Runtime::instance().memory().reserve(bytes, std::max(alignment, kGranularity));
        if (!found) return cudaErrorMemoryAllocation;
        space().reservations[*found].bytes = bytes;
        *address = *found;
        return cudaSuccess;
    });
}

CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
    return withoutContext([&] {
        const auto found = space().reservations.find(address);
        if (found == space().reservations.end() || found->second.bytes != bytes ||
            !found->second.mappings.empty())
            return cudaErrorInvalidValue;
        munmap(reinterpret_cast<void*>(address), bytes);
        space().reservations.erase(found);
        return cudaSuccess;
    });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
    if (handle == nullptr || properties == nullptr || !fits(bytes) || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED || !isOnDevice(properties->location))
                return api::lacking("cuMemCreate elsewhere than on device 0");
            if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
                return api::lacking("cuMemCreate of memory for other processes");
            if (!r.memory().charge(bytes)) return fails(cudaErrorMemoryAllocation);
            auto memory = std::make_shared<Physical>();
            memory->bytes = bytes;
            memory->properties = *properties;
            memory->file = memfd_create("device memory", MFD_CLOEXEC);
            if (memory->file < 0 || ftruncate(memory->file, static_cast<off_t>(bytes)) != 0)
                return fails(cudaErrorMemoryAllocation, "emulator-memory",
                             "this machine has not the memory that cuMemCreate asks for");
            *handle = ++space().last;
            space().handles[*handle].memory = std::move(memory);
            return {};
        });
    });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return withoutContext([&] {
        const auto found = space().handles.find(handle);
        if (found == space().handles.end()) return cudaErrorInvalidValue;
        if (--found->second.references == 0) space().handles.erase(found);
        return cudaSuccess;
    });
}

CUresult cuMemMap(CUdeviceptr address, std::size_t bytes, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
    if (address % kGranularity != 0 || !fits(bytes) || offset % kGranularity != 0 || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto reservation = space().around(address, bytes);
        const auto from = space().handles.find(handle);
        if (reservation == space().reservations.end() || from == space().handles.end())
            return cudaErrorInvalidValue;
        const std::shared_ptr<Physical>& memory = from->second.memory;
        if (offset > memory->bytes || bytes > memory->bytes - offset) return cudaErrorInvalidValue;
        auto& mappings = reservation->second.mappings;
        const auto after = mappings.lower_bound(address);
        if ((after != mappings.end() && after->first < address + bytes) ||
            (after != mappings.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address))
            return cudaErrorInvalidValue;
        if (mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 memory->file, static_cast<off_t>(offset)) == MAP_FAILED)
            return cudaErrorMemoryAllocation;
        mappings[address] = {bytes, memory, CU_MEM_ACCESS_FLAGS_PROT_NONE};
        return cudaSuccess;
    });
}

CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) {
    return withoutContext([&] {
        if (const cudaError_t error = ended(); error != cudaSuccess) return error;
        const auto reservation = space().around(address, bytes);
        if (reservation == space().reservations.end()) return cudaErrorInvalidValue;
        const auto found = mappingsIn(reservation->second, address, bytes);
        if (found.empty()) return cudaErrorInvalidValue;
        if (mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
            return cudaErrorMemoryAllocation;
        for (const auto* each : found)
            reservation->second.mappings.erase(std::uint64_t{each->first});
        expose(reservation->first, reservation->second);
        return cudaSuccess;
    });
}

CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* accesses,
                        std::size_t count) {
    if (accesses == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto reservation = space().around(address, bytes);
        if (reservation == space().reservations.end()) return cudaErrorInvalidValue;
        const auto found = mappingsIn(reservation->second, address, bytes);
        if (found.empty()) return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            if (!isOnDevice(accesses[i].location)) return cudaErrorInvalidDevice;
            for (auto* each : found)
                each->second.access = accesses[i].flags;
        }
        expose(reservation->first, reservation->second);
        return cudaSuccess;
    });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
    if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto reservation = space().around(address, 1);
        if (reservation == space().reservations.end() || !isOnDevice(*location)) return cudaErrorInvalidValue;
        auto at = reservation->second.mappings.upper_bound(address);
        if (at == reservation->second.mappings.begin()) return cudaErrorInvalidValue;
        --at;
        if (address - at->first >= at->second.bytes) return cudaErrorInvalidValue;
        *flags = at->second.access;
        return cudaSuccess;
    });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* pointer) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const auto reservation = space().around(address, 1);
        if (reservation == space().reservations.end()) return cudaErrorInvalidValue;
        auto at = reservation->second.mappings.upper_bound(address);
        if (at == reservation->second.mappings.begin()) return cudaErrorInvalidValue;
        --at;
        if (address - at->first >= at->second.bytes) return cudaErrorInvalidValue;
        for (auto& [number, known] : space().handles)
            if (known.memory == at->second.memory) {
                ++known.references;
                *handle = number;
                return cudaSuccess;
            }
        *handle = ++space().last;
        space().handles[*handle].memory = at->second.memory;
        return cudaSuccess;
    });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
    if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return withoutContext([&] {
        const auto found = space().handles.find(handle);
        if (found == space().handles.end()) return cudaErrorInvalidValue;
        *properties = found->second.memory->properties;
        return cudaSuccess;
    });
}

} // extern "C"
