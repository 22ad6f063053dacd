// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/chip.h"
#include "instrument/launch/installation.h"
#include "instrument/launch/target.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::launch {

/// What --on says.
struct DeviceChoice {
    enum class Kind { Auto, Gpu, Emulator } kind = Kind::Auto;
    std::optional<int> ordinal;         ///< gpu:N
    const device::Chip* chip = nullptr; ///< emulator:CHIP; null = the default one
};
/// ErrorKind::Usage for anything but auto, gpu, gpu:N, emulator and emulator:CHIP with a chip that is known.
[[nodiscard]] Result<DeviceChoice> parseDeviceChoice(std::string_view text);

/// A device to start on, and whether it was asked if it works.
struct ChosenDevice {
    int id = 0;
    std::string name{};
    bool probed = false;
    const device::Chip* chip = nullptr; ///< emulated; null on a GPU
    std::string whyEmulated{};          ///< the emulator was not requested: what is wrong with the GPU
    std::optional<RemoteHost> remote{}; ///< whose device it is; absent: this machine's
    /// What --on calls it where it is: "gpu:1", "emulator:H100".
    [[nodiscard]] std::string onName() const;
};
/// The device to run on; ErrorKind::Device names what is missing and what still works. Where there is no
/// doubt which GPU is meant, it is taken unasked; should the target then find no usable device, probeDevice()
/// says why. Where no GPU works, 'auto' means the emulator.
[[nodiscard]] Result<ChosenDevice> chooseDevice(const DeviceChoice& choice, const Installation& installation);
/// Asks the GPU: ErrorKind::Device with problem and remedy, or the device.
[[nodiscard]] Result<ChosenDevice> probeDevice(const DeviceChoice& choice, const Installation& installation);

/// Everything that can be run on: the GPUs unless something is wrong with them, then the emulator's chips
/// where it is built.
[[nodiscard]] std::vector<ChosenDevice> devicesToChoose(const GpuStatus& status,
                                                        const Installation& installation);

/// Puts the device into the target: collector or emulator, ordinal or chip. ErrorKind::Device when the
/// collector is not built here and the options ask for counters.
[[nodiscard]] Result<void> useDevice(Target& target, const ChosenDevice& device,
                                     const Installation& installation);

} // namespace dormer::instrument::launch
