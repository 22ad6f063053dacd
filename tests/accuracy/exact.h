// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/accuracy/pairs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace dormer::accuracy {

/// Why a count differs although both are right: what runs on a GPU is not the PTX but what ptxas made of it.
enum class Reason {
    Predicated, ///< a branch became a predicate: warps without a lane that takes it issue the access, too
    Spilled,    ///< registers that did not fit went to local memory; PTX knows no such limit
    Polled,     ///< the kernel waits for other blocks in a loop: how often it looks hangs on timing
    MovedByFma, ///< ptxas loads a constant with an HFMA2 on zeros, which counts as FP16 work
};
[[nodiscard]] std::string_view describe(Reason reason);

struct Difference {
    std::string kernel; ///< KernelPair::label
    std::string what;   ///< "scan.cuh:188, shared load", or a counter's name
    std::string count;  ///< "executions"; empty for a counter
    double recorded = 0, emulated = 0;
    std::optional<Reason> reason; ///< none: a mistake
};

struct Tally {
    std::size_t compared = 0, equal = 0;
};

struct ExactResult {
    std::map<std::string, Tally> byCount;
    std::vector<std::pair<std::string, Tally>> byKernel;
    std::vector<Difference> differences;
    std::vector<std::string> unusedExceptions; ///< listed, but nothing differed: the list is out of date
    [[nodiscard]] std::size_t mistakes() const;
};

/// Counts per instruction, summed by source line, outermost call, space and operation: SASS and PTX have
/// different instructions, but the same lines.
[[nodiscard]] ExactResult compareLines(const session::Session& recorded, const session::Session& emulated,
                                       const Pairs& pairs);
/// Counters of whole launches that follow from the instructions alone: requests, sectors, shared wavefronts
/// and floating-point operations. Those that differ from launch to launch on the GPU are compared with one.
[[nodiscard]] ExactResult compareCounters(const session::Session& recorded, const session::Session& emulated,
                                          const Pairs& pairs);

} // namespace dormer::accuracy
