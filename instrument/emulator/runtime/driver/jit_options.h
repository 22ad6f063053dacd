// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <string_view>

namespace dormer::emulator::runtime::driver {

/// What a program wants of the compiler of its PTX: of the options only those count that ask for answers.
struct JitOptions {
    unsigned count = 0;
    CUjit_option* names = nullptr;
    void** values = nullptr;

    /// Fills the program's logs: that of errors with this text, that of information with nothing; their
    /// sizes, and the time it took.
    void write(std::string_view error) const;
};

} // namespace dormer::emulator::runtime::driver
