// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/emulated_kernel.h"

#include <fmt/format.h>

namespace dormer::tests {

/// A module whose kernel `path` has one parameter, an address. The instructions find it in %rd1, that of the
/// thread's place behind it, 4 bytes each, in %rd2, the thread's number in %r1 and 1 in %f1; %r2 is 0.
inline std::string pathKernel(const std::string& instructions, unsigned sharedBytes) {
    return EmulatedKernel::module(fmt::format(R"(
.visible .entry path(.param .u64 data)
{{
    .shared .align 4 .b8 words[{}];
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [data];
    mov.f32 %f1, 0f3F800000;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd2, %rd1, %rd3;
    mov.u32 %r2, 0;
{}
    ret;
}})",
                                              sharedBytes, instructions));
}

} // namespace dormer::tests
