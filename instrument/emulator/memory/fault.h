// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <cstdint>
#include <string>

namespace dormer::emulator::memory {

/// Why a kernel was stopped, and where.
struct Fault {
    enum class Kind : std::uint8_t {
        IllegalAddress,    ///< outside every allocation: cudaErrorIllegalAddress
        MisalignedAddress, ///< cudaErrorMisalignedAddress
        InvalidAddressSpace,
        DivergentBarrier, ///< cudaErrorLaunchFailure; hardware hangs or goes wrong silently
        Deadlock,         ///< every warp waits: cudaErrorLaunchFailure
        Trap,             ///< cudaErrorIllegalInstruction / launch failure, as __trap() gives
        Assert,           ///< cudaErrorAssert
        TimeLimit,        ///< cudaErrorLaunchTimeout
        OutOfMemory,      ///< stack or local memory
        Unsupported,      ///< met at run time only
    };
    Kind kind = Kind::IllegalAddress;
    std::string kernel; ///< demangled
    std::string
        place; ///< "vector_add.cu:12", with the inlining chain; "PTX line 40" without line information
    session::Dim3 block, thread;
    std::uint64_t address = 0;
    std::string
        detail; ///< "store of 4 bytes at 0x… is 4 bytes past the end of the 1024-byte allocation at 0x…"
};

/// The fault in one line for a person.
[[nodiscard]] std::string describe(const Fault& fault);

} // namespace dormer::emulator::memory
