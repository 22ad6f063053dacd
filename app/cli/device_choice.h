// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"

#include <optional>
#include <string_view>

namespace dormer::cli {

/// What --on says.
struct DeviceChoice {
    enum class Kind { Auto, Gpu, Emulator } kind = Kind::Auto;
    std::optional<int> ordinal; ///< gpu:N
};
/// ErrorKind::Usage for anything but auto, gpu, gpu:N, emulator and emulator:CHIP.
[[nodiscard]] Result<DeviceChoice> parseDeviceChoice(std::string_view text);

/// The device to run on. ErrorKind::Device names what is missing and what still works.
[[nodiscard]] Result<analysis::Device> chooseDevice(const DeviceChoice& choice,
                                                    const instrument::Installation& installation);

} // namespace dormer::cli
