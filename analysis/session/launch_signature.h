// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <functional>

namespace dormer::session {

/// What makes two launches the same: as far as can be told before they run, they do the same work. Groups of
/// launches, chart labels and the collector's --launches all go by it.
struct LaunchSignature {
    /// Identity of the kernel: in a session the index of the first one of its name, since the same function
    /// is another Kernel in each process; in a target its address.
    std::uint64_t kernel = 0;
    std::uint64_t device = 0; ///< 1 + index into Session::devices(); 0 where the device does not matter
    std::string workload{};
    Dim3 grid{}, block{};
    std::uint64_t dynamicSharedBytes = 0;
    bool operator==(const LaunchSignature&) const = default;
};

struct LaunchSignatureHash {
    [[nodiscard]] std::size_t operator()(const LaunchSignature& signature) const {
        std::size_t hash = std::hash<std::string>{}(signature.workload);
        for (const std::uint64_t each : {signature.kernel, signature.device, std::uint64_t{signature.grid.x},
                                         std::uint64_t{signature.grid.y}, std::uint64_t{signature.grid.z},
                                         std::uint64_t{signature.block.x}, std::uint64_t{signature.block.y},
                                         std::uint64_t{signature.block.z}, signature.dynamicSharedBytes})
            hash = (hash ^ each) * 0x9E3779B97F4A7C15ULL;
        return hash;
    }
};

} // namespace dormer::session
