// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device_choice.h"

#include <fmt/format.h>

#include <charconv>

namespace dormer::cli {

Result<DeviceChoice> parseDeviceChoice(std::string_view text) {
    using Kind = DeviceChoice::Kind;
    if (text == "auto") return DeviceChoice{};
    if (text == "gpu") return DeviceChoice{Kind::Gpu, {}};
    if (text == "emulator" || text.starts_with("emulator:")) return DeviceChoice{Kind::Emulator, {}};
    if (text.starts_with("gpu:")) {
        const std::string_view number = text.substr(4);
        int ordinal = -1;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), ordinal);
        if (error == std::errc{} && end == number.data() + number.size() && ordinal >= 0)
            return DeviceChoice{Kind::Gpu, ordinal};
    }
    return failure(ErrorKind::Usage, fmt::format("--on {}: say auto, gpu, gpu:N or emulator", text));
}

Result<ChosenDevice> chooseDevice(const DeviceChoice& choice, const instrument::Installation& installation) {
    if (choice.kind == DeviceChoice::Kind::Emulator)
        return failure(ErrorKind::Device, "the emulator is not in this build; use --on gpu, or open a "
                                          "recorded session with 'dormer show FILE'");
    if (choice.ordinal.value_or(0) == 0) {
        if (const auto name = instrument::onlyGpu()) return ChosenDevice{0, *name, false};
    }
    return probeDevice(choice, installation);
}

Result<ChosenDevice> probeDevice(const DeviceChoice& choice, const instrument::Installation& installation) {
    const instrument::GpuStatus status = instrument::probeGpus(installation);
    if (!status.problem.empty())
        return failure(
            ErrorKind::Device,
            fmt::format("no usable GPU: {}; {}. Recorded sessions can still be opened with 'dormer "
                        "show FILE'",
                        status.problem, status.remedy));
    const auto ordinal = static_cast<std::size_t>(choice.ordinal.value_or(0));
    if (ordinal >= status.devices.size())
        return failure(ErrorKind::Device,
                       fmt::format("there is no gpu:{}; this machine has gpu:0{}", ordinal,
                                   status.devices.size() > 1
                                       ? fmt::format(" to gpu:{}", status.devices.size() - 1)
                                       : ""));
    return ChosenDevice{status.devices[ordinal].id, status.devices[ordinal].name, true};
}

} // namespace dormer::cli
