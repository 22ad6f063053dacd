// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cuda.h>
#include <cupti_target.h>
#include <fmt/format.h>

#include <fstream>
#include <regex>

namespace dormer::instrument::cupti {

namespace {

/// "580.159.04" from the kernel module's banner; empty where there is none (WSL).
std::string driverVersion() {
    std::ifstream banner("/proc/driver/nvidia/version");
    std::string line;
    std::getline(banner, line);
    static const std::regex kVersion(R"(\b(\d+\.\d+(\.\d+)?)\b)");
    std::smatch match;
    return std::regex_search(line, match, kVersion) ? match[1].str() : std::string();
}

std::string uuidText(const CUuuid& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

} // namespace

session::Device describeDevice(int ordinal) {
    const activity::OwnCalls ours;
    CUdevice handle = 0;
    DORMER_CUDA(cuDeviceGet(&handle, ordinal));
    const auto attribute = [handle](CUdevice_attribute which) {
        int value = 0;
        DORMER_CUDA(cuDeviceGetAttribute(&value, which, handle));
        return value;
    };
    session::Device device;
    device.id = ordinal;
    char name[256] = {};
    DORMER_CUDA(cuDeviceGetName(name, sizeof name, handle));
    device.name = name;
    CUuuid uuid = {};
    DORMER_CUDA(cuDeviceGetUuid(&uuid, handle));
    device.uuid = uuidText(uuid);

    CUpti_Device_GetChipName_Params chip = {};
    chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
    chip.deviceIndex = static_cast<std::size_t>(ordinal);
    DORMER_CUPTI(cuptiDeviceGetChipName(&chip));
    device.chip = chip.pChipName;

    device.computeCapabilityMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    device.computeCapabilityMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    device.smCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device.smClockMaxHz = 1e3 * attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);            // kHz
    device.memoryClockMaxHz = 1e3 * attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE); // kHz
    device.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    std::size_t memory = 0;
    DORMER_CUDA(cuDeviceTotalMem(&memory, handle));
    device.memoryBytes = memory;
    device.l2Bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    device.sharedBytesPerSm =
        static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
    device.sharedBytesPerBlockOptin =
        static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    device.reservedSharedBytesPerBlock =
        static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
    device.registersPerSm =
        static_cast<std::uint32_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
    device.maxThreadsPerSm =
        static_cast<std::uint32_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
    device.maxBlocksPerSm =
        static_cast<std::uint32_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
    device.warpSize = static_cast<std::uint32_t>(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
    device.driverVersion = driverVersion();
    int version = 0;
    DORMER_CUDA(cuDriverGetVersion(&version));
    device.cudaDriverVersion = version;
    return device;
}

} // namespace dormer::instrument::cupti
