// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <string>

namespace dormer::emulator {

/// A position in the user's terms: the line in the innermost file, and the calls it was inlined at.
struct Place {
    std::string file; ///< as the compiler wrote it; empty without line information
    std::uint32_t line = 0;
    std::string inlinedAt; ///< "a.cuh:12 < b.cu:40"
    std::string function;  ///< of inlined code, demangled
};
[[nodiscard]] Place placeOf(const ptx::Module& module, std::uint32_t position);
/// "kernel.cu:12", with " < main.cu:40" for each call it was inlined at; "PTX line 7" without line
/// information. Folders are left out.
[[nodiscard]] std::string describePlace(const ptx::Module& module, std::uint32_t position,
                                        std::uint32_t ptxLine);
[[nodiscard]] std::string demangle(const std::string& mangled);

} // namespace dormer::emulator
