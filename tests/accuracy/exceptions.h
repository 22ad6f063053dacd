// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/accuracy/exact.h"

#include <span>

namespace dormer::accuracy {

/// Where an access may differ, and why.
struct LineException {
    std::string_view kernel; ///< part of the kernel's name
    std::string_view file;   ///< without folders
    std::uint32_t line;
    std::string_view space, op;
    Reason reason;
};
/// A counter of a whole launch that may differ.
struct CounterException {
    std::string_view kernel;
    std::string_view counter;
    Reason reason;
};

/// As the instructions in samples/h100-lines.dormer show (CUDA 13.0, sm_90).
[[nodiscard]] std::span<const LineException> lineExceptions();
[[nodiscard]] std::span<const CounterException> counterExceptions();

} // namespace dormer::accuracy
