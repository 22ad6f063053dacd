// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <optional>
#include <vector>

namespace dormer::emulator::runtime::driver {

/// Addresses of a kernel's parameters in the buffer that `extra` names (CU_LAUNCH_PARAM_BUFFER_POINTER and
/// its size), whose layout is the kernel's. Nothing for a list without a buffer that holds them all.
[[nodiscard]] std::optional<std::vector<void*>> argumentsOf(CUfunction function, void** extra);

} // namespace dormer::emulator::runtime::driver
