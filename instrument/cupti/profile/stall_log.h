// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/cupti/passes/backends.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::cupti::profile {

/// What warps were seen doing, by kernel and instruction, until it is told. Plain logic, fed by a PC sampler.
class StallLog {
public:
    struct StateName {
        std::string state;      ///< "long_scoreboard"
        bool notIssued = false; ///< samples while the scheduler issued nothing
    };
    /// "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued" as a state.
    [[nodiscard]] static StateName stateName(std::string_view cupti);

    struct Function {
        std::uint32_t cubin = 0; ///< checksum of its module
        std::string name;        ///< mangled
        auto operator<=>(const Function&) const = default;
    };
    void add(const Function& function, std::uint64_t pc, const session::WarpStates& states);
    void add(StallLog more);
    void countDropped(std::uint64_t samples) { m_dropped += samples; }
    /// Samples the GPU could not keep.
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }
    [[nodiscard]] std::uint64_t samples() const { return m_samples; }
    /// Samples that CUPTI told no instruction of.
    void countUnattributed(std::uint64_t samples) { m_unattributed += samples; }
    /// Says so where they are enough to shift the shares; empty where they are not.
    [[nodiscard]] std::string limitation() const;

    /// A kernel that has samples which were not told.
    struct Untold {
        Function function;
        std::uint64_t samples = 0;
    };
    /// Most samples first.
    [[nodiscard]] std::vector<Untold> untold() const;
    /// Its samples as records of the kernel of that number; they are told then.
    [[nodiscard]] std::vector<session::WarpSamples> take(const Function& function, std::uint64_t kernel);

private:
    std::map<Function, std::map<std::uint64_t, session::WarpStates>> m_untold;
    std::uint64_t m_dropped = 0, m_samples = 0, m_unattributed = 0;
};

} // namespace dormer::instrument::cupti::profile
