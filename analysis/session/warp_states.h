// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// How often warps were seen in a state when they were sampled.
struct WarpState {
    std::string state;           ///< as Nsight Compute names it: "long_scoreboard", "selected"
    std::uint64_t samples = 0;   ///< warps that were in it
    std::uint64_t notIssued = 0; ///< of these: while the scheduler issued no other warp either
    bool operator==(const WarpState&) const = default;
};

/// The states of what was sampled, each once, by name.
struct WarpStates {
    std::vector<WarpState> states;

    void add(std::string_view state, std::uint64_t samples, std::uint64_t notIssued);
    void add(const WarpStates& more);
    [[nodiscard]] std::uint64_t samples() const;   ///< of all states
    [[nodiscard]] std::uint64_t notIssued() const; ///< likewise
    bool operator==(const WarpStates&) const = default;
};

/// "long_scoreboard=120/80 wait=12/3": state, samples, of these not issued.
[[nodiscard]] std::string toString(const WarpStates& states);
bool fromString(std::string_view text, WarpStates& states);

/// Warps that were sampled at one instruction of a kernel, over all its launches. Records add up.
struct WarpSamples {
    std::uint64_t kernel = 0; ///< in a record Kernel::id; in a Session index into kernels()
    std::uint64_t pc = 0;     ///< as in LineCounts and KernelCode
    WarpStates states;
};

} // namespace dormer::session
