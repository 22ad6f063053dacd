// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <fmt/format.h>

/// Notes on records that could not be used: the same in a live session and in its file.
namespace dormer::session {

inline Note launchOfUnknownKernel(std::uint32_t process, const Launch& launch) {
    return {
        process, "launch-of-unknown-kernel",
        fmt::format(
            "launches of kernels that were never announced were dropped, the first: launch {} of kernel {}",
            launch.id, launch.kernel)};
}

inline Note countersOfUnknownLaunch(std::uint32_t process, std::uint64_t launch) {
    return {process, "counters-of-unknown-launch",
            fmt::format("counters of launches that were never announced were dropped, the first: launch {}",
                        launch)};
}

inline Note linesOfUnknownLaunch(std::uint32_t process, std::uint64_t launch) {
    return {process, "lines-of-unknown-launch",
            fmt::format("lines of launches that were never announced were dropped, the first: launch {}",
                        launch)};
}

inline Note codeOfUnknownKernel(std::uint32_t process, std::uint64_t kernel) {
    return {
        process, "code-of-unknown-kernel",
        fmt::format("code of kernels that were never announced was dropped, the first: kernel {}", kernel)};
}

inline Note countersOfUnknownKernel(std::uint32_t process, std::uint64_t kernel) {
    return {process, "counters-of-unknown-kernel",
            fmt::format("counters of kernels that were never announced were dropped, the first: kernel {}",
                        kernel)};
}

inline Note samplesOfUnknownKernel(std::uint32_t process, std::uint64_t kernel) {
    return {
        process, "samples-of-unknown-kernel",
        fmt::format("warp samples of kernels that were never announced were dropped, the first: kernel {}",
                    kernel)};
}

inline Note countersDropped(std::uint32_t process) {
    return {process, "counters-dropped",
            fmt::format("counters with unusable names, or more than {} of them, were dropped", kMaxCounters)};
}

} // namespace dormer::session
