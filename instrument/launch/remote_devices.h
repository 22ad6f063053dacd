// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/device_choice.h"

#include <chrono>

namespace dormer::instrument::launch {

/// What there is to run on, as JSON: what `dormer list --devices --format json` prints, and what
/// remoteDevices() reads.
[[nodiscard]] std::string devicesJson(const GpuStatus& status, const Installation& installation);

/// Devices of another machine, from its `dormer list --devices`: its GPUs or, where none works, the
/// emulator's default chip, with `whyEmulated`. ErrorKind::Device where it can't be reached, has no dormer,
/// or nothing to run on.
[[nodiscard]] Result<std::vector<ChosenDevice>>
remoteDevices(const RemoteHost& host, std::chrono::duration<double> timeout = std::chrono::seconds{40});

/// The same from what it printed. ErrorKind::Device for what is no such list.
[[nodiscard]] Result<std::vector<ChosenDevice>> devicesFrom(const RemoteHost& host, std::string_view json);

/// A word of a command line for the shell of another machine; "~/" in front stays what it is there.
[[nodiscard]] std::string quotedPath(const std::string& path);

} // namespace dormer::instrument::launch
