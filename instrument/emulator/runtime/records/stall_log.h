// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/warp_states.h"
#include "instrument/emulator/engine/engine.h"

#include <map>

namespace dormer::emulator::runtime {

/// What the warps of kernels did, over their launches, as the samples that a GPU would give: each launch has
/// as many as its predicted time says, whatever part of it was played.
class StallLog {
public:
    /// Predicted time for which one warp is looked at.
    static constexpr double kNsPerSample = 10;

    void add(std::uint64_t kernel, const std::vector<engine::InstructionStall>& stalls, double durationNs);

    /// Records of what was not told yet: of a kernel when that is as much as was told before, so that one
    /// launched often gets few records.
    [[nodiscard]] std::vector<session::WarpSamples> due(std::uint64_t kernel);
    /// Of all kernels, and however little.
    [[nodiscard]] std::vector<session::WarpSamples> rest();

private:
    struct State {
        double samples = 0, notIssued = 0; ///< so far
        std::uint64_t toldSamples = 0, toldNotIssued = 0;
    };
    struct Kernel {
        std::map<std::uint32_t, std::map<counts::Stall, State>> states; ///< by line of the PTX
        double samples = 0, told = 0;
    };
    static std::vector<session::WarpSamples> take(std::uint64_t id, Kernel& kernel);

    std::map<std::uint64_t, Kernel> m_kernels;
};

} // namespace dormer::emulator::runtime
