// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Only names are defined here, whatever parameters CUDA's headers give them, so those headers stay out of
// this file.

namespace dormer::emulator::runtime::driver {
/// CUDA_ERROR_NOT_SUPPORTED, or the error that stays after a kernel's fault.
int unsupportedResult(const char* function) noexcept;
} // namespace dormer::emulator::runtime::driver

#define DORMER_UNSUPPORTED(name)                                                                             \
    extern "C" int name() {                                                                                  \
        return dormer::emulator::runtime::driver::unsupportedResult(#name);                                  \
    }
#include "instrument/emulator/runtime/driver/unsupported.def"
