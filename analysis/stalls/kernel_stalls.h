// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <optional>
#include <string>
#include <vector>

namespace dormer::stalls {

/// Where something stands in the source; file empty and line 0 without line information.
struct Place {
    std::string file;
    std::uint32_t line = 0;
    auto operator<=>(const Place&) const = default;
};

/// What warps did at one instruction.
struct InstructionStalls {
    std::uint64_t pc = 0;
    std::string text; ///< "LDG.E R2, [R4.64]"; empty where it is not listed
    Place place;
    session::WarpStates states;
    std::string mainStall; ///< state that most samples which issue nothing are in; empty: there are none
    /// The instruction whose result that stall waits for.
    struct Producer {
        std::uint64_t pc = 0;
        std::string text;
        Place place;
    };
    std::optional<Producer> producer;
};

/// The instructions of one source line.
struct LineStalls {
    Place place;
    session::WarpStates states;
    std::string mainStall;
    std::vector<std::size_t> instructions; ///< indices into KernelStalls::instructions, most stalled first
};

/// What the warps of a kernel did over all its launches.
struct KernelStalls {
    std::size_t kernel = 0; ///< index into Session::kernels()
    session::WarpStates states;
    std::string mainStall;
    std::vector<InstructionStalls> instructions; ///< by pc
    std::vector<LineStalls> lines;               ///< most samples of stalled warps first
};

/// Samples of warps that wait for something of their own: neither selected nor eligible.
[[nodiscard]] std::uint64_t stalledSamples(const session::WarpStates& states);
/// Of one state.
[[nodiscard]] std::uint64_t samplesOf(const session::WarpStates& states, std::string_view state);

/// Empty lists where the kernel was not sampled.
[[nodiscard]] KernelStalls kernelStalls(const session::Session& session, std::size_t kernel);

} // namespace dormer::stalls
