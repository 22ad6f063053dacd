// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

namespace dormer::emulator::runtime::api {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
[[nodiscard]] const char* errorName(cudaError_t error);
/// CUDA's own wording: "invalid argument".
[[nodiscard]] const char* errorString(cudaError_t error);

} // namespace dormer::emulator::runtime::api
