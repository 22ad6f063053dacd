// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/device_choice.h"

#include "instrument/launch/near_name.h"

#include <fmt/format.h>

#include <charconv>

namespace dormer::instrument::launch {

namespace {

using Kind = DeviceChoice::Kind;

Result<DeviceChoice> emulatorChoice(std::string_view chip) {
    if (const device::Chip* found = device::findChip(chip)) return DeviceChoice{Kind::Emulator, {}, found};
    std::vector<std::string> keys;
    for (const device::Chip& known : device::chips())
        keys.emplace_back(known.key);
    return failure(ErrorKind::Usage, fmt::format("--on emulator:{}: unknown chip{} (available: {})", chip,
                                                 didYouMean(chip, keys), fmt::join(keys, ", ")));
}

Result<ChosenDevice> emulated(const device::Chip* chip, const Installation& installation) {
    if (installation.emulator.empty())
        return failure(ErrorKind::Device, "the emulator was not built (emulator/libcudart.so.13 is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    if (chip == nullptr) chip = device::findChip(device::kDefaultChip);
    return ChosenDevice{0, chip->device.name, true, chip, {}};
}

Result<ChosenDevice> named(const DeviceChoice& choice, const GpuStatus& status,
                           const Installation& installation) {
    if (!status.problem.empty())
        return failure(ErrorKind::Device,
                       fmt::format("no usable GPU: {}; {}. {}", status.problem, status.remedy,
                                   installation.emulator.empty()
                                       ? "Recorded sessions can still be opened with 'dormer show FILE'"
                                       : "Without a GPU, --on emulator runs the same kernels on the CPU"));
    const auto ordinal = static_cast<std::size_t>(choice.ordinal.value_or(0));
    if (ordinal >= status.devices.size())
        return failure(ErrorKind::Device,
                       fmt::format("there is no gpu:{}; this machine has gpu:0{}", ordinal,
                                   status.devices.size() > 1
                                       ? fmt::format(" to gpu:{}", status.devices.size() - 1)
                                       : ""));
    return ChosenDevice{status.devices[ordinal].id, status.devices[ordinal].name, true, nullptr, {}};
}

} // namespace

std::string ChosenDevice::onName() const {
    return chip != nullptr ? fmt::format("emulator:{}", chip->key) : fmt::format("gpu:{}", id);
}

Result<DeviceChoice> parseDeviceChoice(std::string_view text) {
    if (text == "auto") return DeviceChoice{};
    if (text == "gpu") return DeviceChoice{Kind::Gpu, {}, nullptr};
    if (text == "emulator") return DeviceChoice{Kind::Emulator, {}, nullptr};
    if (text.starts_with("emulator:")) return emulatorChoice(text.substr(9));
    if (text.starts_with("gpu:")) {
        const std::string_view number = text.substr(4);
        int ordinal = -1;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), ordinal);
        if (error == std::errc{} && end == number.data() + number.size() && ordinal >= 0)
            return DeviceChoice{Kind::Gpu, ordinal, nullptr};
    }
    return failure(
        ErrorKind::Usage,
        fmt::format("--on {}: expected auto, gpu, gpu:N, emulator, emulator:CHIP or ssh:HOST", text));
}

Result<ChosenDevice> chooseDevice(const DeviceChoice& choice, const Installation& installation) {
    if (choice.kind == Kind::Emulator) return emulated(choice.chip, installation);
    if (choice.ordinal.value_or(0) == 0) {
        if (const auto name = onlyGpu()) return ChosenDevice{0, *name, false, nullptr, {}};
    }
    const GpuStatus status = probeGpus(installation);
    if (status.problem.empty() || choice.kind != Kind::Auto || installation.emulator.empty())
        return named(choice, status, installation);
    Result<ChosenDevice> instead = emulated(nullptr, installation);
    if (instead) instead->whyEmulated = status.problem;
    return instead;
}

Result<ChosenDevice> probeDevice(const DeviceChoice& choice, const Installation& installation) {
    return named(choice, probeGpus(installation), installation);
}

std::vector<ChosenDevice> devicesToChoose(const GpuStatus& status, const Installation& installation) {
    std::vector<ChosenDevice> devices;
    if (status.problem.empty())
        for (const session::Device& gpu : status.devices)
            devices.push_back({gpu.id, gpu.name, true, nullptr, {}});
    if (installation.emulator.empty()) return devices;
    for (const device::Chip& chip : device::chips())
        devices.push_back({0, chip.device.name, true, &chip, {}});
    return devices;
}

Result<void> useDevice(Target& target, const ChosenDevice& device, const Installation& installation) {
    target.options.device = device.id;
    if (device.chip != nullptr) {
        target.emulator = installation.emulator;
        target.options.chip = device.chip->key;
        return {};
    }
    if (installation.collector.empty() && target.options.counterSet != "none")
        return failure(ErrorKind::Device, "the collector was not built (libdormer-inject.so is missing): "
                                          "build on a machine with the CUDA Toolkit 12.6 or newer");
    target.collector = installation.collector;
    return {};
}

} // namespace dormer::instrument::launch
