// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace dormer {

/// What kind of thing went wrong. The numbers are the exit codes of the command line.
enum class ErrorKind {
    GateFailed = 1, ///< a gate or a known answer did not hold
    Usage = 2,      ///< wrong usage: an option, a name, an output path
    Device = 3,     ///< no usable device, or no permission for its counters
    Target = 4,     ///< the profiled program failed
    Input = 5,      ///< unreadable input
};

/// One line for a person: what, which object, what to do.
struct Error {
    ErrorKind kind = ErrorKind::Input;
    std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;

/// Shorthand for returning an error from a function that returns Result.
[[nodiscard]] inline std::unexpected<Error> failure(ErrorKind kind, std::string message) {
    return std::unexpected(Error{kind, std::move(message)});
}

} // namespace dormer
