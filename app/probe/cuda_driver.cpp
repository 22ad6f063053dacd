// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/probe/cuda_driver.h"

#include "app/probe/cuda_attributes.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <filesystem>

namespace dormer::probe {

namespace {

// CUresult values of cuda.h that have a remedy of their own.
constexpr int kStubLibrary = 34;
constexpr int kNoDevice = 100;
constexpr int kSystemNotReady = 802;
constexpr int kDriverMismatch = 803;
constexpr int kCompatNotSupported = 804;

/// Signatures as in cuda.h (CUresult is an enum of int size, CUdevice an int).
struct Driver {
    int (*init)(unsigned) = nullptr;
    int (*driverVersion)(int*) = nullptr;
    int (*deviceCount)(int*) = nullptr;
    int (*deviceGet)(int*, int) = nullptr;
    int (*deviceName)(char*, int, int) = nullptr;
    int (*deviceUuid)(std::byte*, int) = nullptr;
    int (*deviceMemory)(std::size_t*, int) = nullptr;
    int (*deviceAttribute)(int*, int, int) = nullptr;
    int (*errorString)(int, const char**) = nullptr;
};

template <typename Function>
bool load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

std::string errorText(const Driver& driver, int code) {
    const char* text = nullptr;
    if (driver.errorString(code, &text) != 0 || text == nullptr) text = "unknown error";
    return fmt::format("{} (error {})", text, code);
}

Problem initProblem(const Driver& driver, int code) {
    const std::string text = errorText(driver, code);
    switch (code) {
    case kNoDevice:
        return {"the NVIDIA driver sees no GPU",
                "check that there is a GPU (lspci), that CUDA_VISIBLE_DEVICES does not hide it, and that a "
                "container was started with --gpus all"};
    case kStubLibrary:
        return {"libcuda.so.1 is the toolkit's stub, not a driver",
                "remove the toolkit's lib64/stubs from LD_LIBRARY_PATH and install the NVIDIA driver"};
    case kDriverMismatch:
        return {"the versions of the NVIDIA driver's library and kernel module differ: " + text,
                "reboot, or reload the module, after a driver update"};
    case kCompatNotSupported:
        return {"the CUDA forward-compatibility library does not support this GPU: " + text,
                "remove the cuda-compat folder from LD_LIBRARY_PATH, or update the driver"};
    case kSystemNotReady:
        return {"the GPUs are not ready: " + text,
                "start nvidia-fabricmanager (systemctl start nvidia-fabricmanager)"};
    default:
        return {"the NVIDIA driver did not start: " + text,
                "check whether nvidia-smi works, and dmesg for NVRM messages"};
    }
}

std::string formatUuid(const std::array<std::byte, 16>& bytes) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
    }
    return text;
}

session::Device describeDevice(const Driver& driver, int ordinal, int handle) {
    // An attribute an old driver does not know stays 0.
    const auto attribute = [&](Attribute which) {
        int value = 0;
        return driver.deviceAttribute(&value, which, handle) == 0 ? value : 0;
    };
    const auto size = [&](Attribute which) { return static_cast<std::uint64_t>(attribute(which)); };
    const auto count = [&](Attribute which) { return static_cast<std::uint32_t>(attribute(which)); };

    session::Device device;
    device.id = ordinal;
    std::array<char, 256> name{};
    if (driver.deviceName(name.data(), static_cast<int>(name.size()) - 1, handle) == 0)
        device.name = name.data();
    std::array<std::byte, 16> uuid{};
    if (driver.deviceUuid != nullptr && driver.deviceUuid(uuid.data(), handle) == 0)
        device.uuid = formatUuid(uuid);
    std::size_t memory = 0;
    if (driver.deviceMemory(&memory, handle) == 0) device.memoryBytes = memory;
    device.computeCapabilityMajor = attribute(kComputeCapabilityMajor);
    device.computeCapabilityMinor = attribute(kComputeCapabilityMinor);
    device.smCount = attribute(kMultiprocessorCount);
    device.smClockMaxHz = attribute(kClockRateKhz) * 1e3;
    device.memoryClockMaxHz = attribute(kMemoryClockRateKhz) * 1e3;
    device.memoryBusBits = attribute(kMemoryBusWidth);
    device.l2Bytes = size(kL2CacheSize);
    device.sharedBytesPerSm = size(kMaxSharedPerSm);
    device.sharedBytesPerBlockOptin = size(kMaxSharedPerBlockOptin);
    device.reservedSharedBytesPerBlock = size(kReservedSharedPerBlock);
    device.registersPerSm = count(kMaxRegistersPerSm);
    device.maxThreadsPerSm = count(kMaxThreadsPerSm);
    device.maxBlocksPerSm = count(kMaxBlocksPerSm);
    device.warpSize = count(kWarpSize);
    return device;
}

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

} // namespace

std::expected<std::vector<session::Device>, Problem> cudaDevices(const std::string& library,
                                                                 int requiredCuda) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = dlerror();
        const std::string detail = reason != nullptr ? reason : library + " can't be loaded";
        const bool absent = detail.find("No such file") != std::string::npos;
        const std::string name = std::filesystem::path{library}.filename();
        return std::unexpected(Problem{
            absent ? fmt::format("no NVIDIA driver ({} was not found)", name)
                   : "the NVIDIA driver can't be loaded: " + detail,
            "install the NVIDIA driver; in a container, start it with the NVIDIA Container Toolkit and "
            "--gpus all; in WSL, install the driver in Windows"});
    }
    Driver driver;
    const bool complete =
        load(handle, "cuInit", driver.init) && load(handle, "cuDriverGetVersion", driver.driverVersion) &&
        load(handle, "cuDeviceGetCount", driver.deviceCount) &&
        load(handle, "cuDeviceGet", driver.deviceGet) && load(handle, "cuDeviceGetName", driver.deviceName) &&
        load(handle, "cuDeviceTotalMem_v2", driver.deviceMemory) &&
        load(handle, "cuDeviceGetAttribute", driver.deviceAttribute) &&
        load(handle, "cuGetErrorString", driver.errorString);
    if (!complete)
        return std::unexpected(Problem{library + " is not a CUDA driver: it lacks basic entry points",
                                       "reinstall the NVIDIA driver"});
    // The first version of this call gives a MIG slice its GPU's id; absent before CUDA 11.4.
    if (!load(handle, "cuDeviceGetUuid_v2", driver.deviceUuid))
        load(handle, "cuDeviceGetUuid", driver.deviceUuid);

    int version = 0;
    if (const int code = driver.init(0); code != 0) return std::unexpected(initProblem(driver, code));
    if (const int code = driver.driverVersion(&version); code != 0)
        return std::unexpected(initProblem(driver, code));
    // Within one major version drivers and runtimes mix (CUDA minor version compatibility).
    if (version / 1000 < requiredCuda / 1000)
        return std::unexpected(
            Problem{fmt::format("the NVIDIA driver is too old: it supports CUDA {}, Dormer was built with "
                                "CUDA {}",
                                versionText(version), versionText(requiredCuda)),
                    fmt::format("update the driver to one for CUDA {} or newer, or build Dormer with a CUDA "
                                "Toolkit {}.x",
                                requiredCuda / 1000, version / 1000)});
    int count = 0;
    if (const int code = driver.deviceCount(&count); code != 0)
        return std::unexpected(initProblem(driver, code));
    if (count == 0) return std::unexpected(initProblem(driver, kNoDevice));
    std::vector<session::Device> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        int device = 0;
        if (const int code = driver.deviceGet(&device, ordinal); code != 0)
            return std::unexpected(initProblem(driver, code));
        devices.push_back(describeDevice(driver, ordinal, device));
        devices.back().cudaDriverVersion = version;
    }
    return devices;
}

} // namespace dormer::probe
