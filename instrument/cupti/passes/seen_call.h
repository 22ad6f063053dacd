// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/collect/launch_filter.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dormer::instrument::cupti::passes {

/// A kernel of the running sequence, as the undisturbed pass saw it.
struct SeenKernel {
    session::Launch launch;
    std::size_t range = 0; ///< its number in the sequence, which names its range in counter passes
    std::size_t step = ~std::size_t{0}; ///< of a graph's kernel: the step that runs it
    bool counted = false;               ///< gets a range in each counter pass
    bool lined = false;                 ///< gets counts per instruction
};

/// A call of the program that launched: one kernel, or those of a graph.
struct SeenCall {
    collect::LaunchCall call;
    std::optional<std::uint32_t> blocksPerSm{}; ///< of a plain launch, by the function's attributes of then
    bool graph = false;
    std::vector<std::uint64_t> steps{}; ///< of a graph: nodes, in the order they can be run one at a time
    std::string cannotCount{};          ///< of a graph: why they can't; else empty
    std::vector<SeenKernel> kernels{};  ///< known once the GPU has told what ran

    [[nodiscard]] bool counted() const {
        for (const SeenKernel& kernel : kernels)
            if (kernel.counted) return true;
        return false;
    }
    [[nodiscard]] bool lined() const {
        for (const SeenKernel& kernel : kernels)
            if (kernel.lined) return true;
        return false;
    }
};

} // namespace dormer::instrument::cupti::passes
