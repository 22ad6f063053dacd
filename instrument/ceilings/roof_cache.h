// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/ceilings/measured_roofs.h"

#include <filesystem>

namespace dormer::instrument::ceilings {

/// Where a device's measured roofs are kept: dormer/ceilings/UUID-DRIVER.json below $XDG_CACHE_HOME or
/// ~/.cache. Empty when there is no such folder, or the device tells no id: nothing is cached then. Another
/// driver is another file.
[[nodiscard]] std::filesystem::path cacheFile(const session::Device& device);

/// The roofs cached for the device; nothing when there are none. A file that can't be read counts as none:
/// measuring again replaces it.
[[nodiscard]] std::optional<MeasuredRoofs> cachedRoofs(const session::Device& device);

/// Keeps them; the file appears whole or not at all. Nothing happens without cacheFile(). ErrorKind::Input
/// when it can't be written.
[[nodiscard]] Result<void> cacheRoofs(const session::Device& device, const MeasuredRoofs& roofs);

} // namespace dormer::instrument::ceilings
