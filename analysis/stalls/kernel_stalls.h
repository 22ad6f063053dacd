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
/// "a.cu:12", without folders; "(no line information)".
[[nodiscard]] std::string placeText(const Place& place);

/// What warps did at one instruction.
struct InstructionStalls {
    std::uint64_t pc = 0;
    std::string text; ///< "LDG.E R2, [R4.64]"; empty where it is not listed
    Place place;
    session::WarpStates states;
    std::string mainStall; ///< mainStallOf(states)
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

/// Fewer samples say little: shares of 200 have a standard error of up to 3.5 points.
inline constexpr std::uint64_t kFewestSamples = 200;

/// Samples of warps that wait for something of their own: neither selected nor eligible.
[[nodiscard]] std::uint64_t stalledSamples(const session::WarpStates& states);
/// Samples of warps that issue an instruction.
[[nodiscard]] std::uint64_t issuedSamples(const session::WarpStates& states);
/// Of one state.
[[nodiscard]] std::uint64_t samplesOf(const session::WarpStates& states, std::string_view state);
/// Of these, those in which the scheduler issued nothing.
[[nodiscard]] std::uint64_t notIssuedOf(const session::WarpStates& states, std::string_view state);

/// State that most samples which issue nothing are in; empty when there are none.
[[nodiscard]] std::string mainStallOf(const session::WarpStates& states);

/// Whether the kernel's samples are the emulator's, whose warps are modelled.
[[nodiscard]] bool isModelled(const session::Session& session, std::size_t kernel);

/// The kernel whose samples tell of this one: itself, or the first of its name that was sampled, as a session
/// may hold a run that counted and one that sampled; samples of a GPU for a run on a GPU, modelled ones for
/// an emulated run. Indices into Session::kernels().
[[nodiscard]] std::size_t sampledAs(const session::Session& session, std::size_t kernel);
/// Of all instructions together; empty where neither the kernel nor one of its name was sampled.
[[nodiscard]] session::WarpStates kernelStates(const session::Session& session, std::size_t kernel);

/// The same by instruction and line; empty lists where the kernel was not sampled.
[[nodiscard]] KernelStalls kernelStalls(const session::Session& session, std::size_t kernel);
/// The line with most samples in a state; null when there is none.
[[nodiscard]] const LineStalls* worstLine(const KernelStalls& kernel, std::string_view state);

} // namespace dormer::stalls
