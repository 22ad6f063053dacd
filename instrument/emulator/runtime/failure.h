// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

#include <expected>
#include <string>

namespace dormer::emulator::runtime {

/// What a call returns to the program, and what its user is told; no text when CUDA's own word says enough.
struct Failure {
    cudaError_t code = cudaErrorUnknown;
    std::string note; ///< code of the session's note: "emulator-launch"
    std::string text; ///< one line: what, which object, what to do
};

template <typename T>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fails(cudaError_t code) {
    return std::unexpected(Failure{code, {}, {}});
}
[[nodiscard]] inline std::unexpected<Failure> fails(cudaError_t code, std::string note, std::string text) {
    return std::unexpected(Failure{code, std::move(note), std::move(text)});
}

} // namespace dormer::emulator::runtime
