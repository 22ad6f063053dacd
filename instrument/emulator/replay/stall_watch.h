// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/counts/warp_stalls.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace dormer::emulator::replay {

/// Looks at the warps of a played SM from time to time, as PC sampling does on a GPU: each look at one of the
/// four schedulers counts the same, however many warps it has. Looks come at times that repeat no pattern of
/// the code and are the same in every run; their distance doubles as the play goes on, and their weight with
/// it.
class StallWatch {
public:
    static constexpr unsigned kParts = 4;
    /// Bits of Look::busy beside those of the pipes.
    static constexpr unsigned kLsuBusy = 14, kIssues = 15;

    /// What the schedulers were like at the time of a look.
    struct Look {
        double at = 0;
        std::array<float, kParts> weight = {};       ///< of each of a scheduler's warps
        std::array<std::uint16_t, kParts> busy = {}; ///< pipe by number, kLsuBusy, kIssues
    };

    /// What one warp does, up to the instruction that it comes to next. Times ascend.
    struct Course {
        struct Phase {
            double until = 0;
            counts::Stall state = counts::Stall::Selected;
            std::uint32_t instruction = 0;
        };
        static constexpr std::uint32_t kNext = 0xFFFFFFFF; ///< the instruction that it comes to next
        std::array<Phase, 6> phases;
        std::uint8_t count = 0;
        std::size_t look = 0; ///< the first that did not see it yet
        double begin = 0;     ///< no warp before

        void restart() { count = 0; }
        void add(double until, counts::Stall state, std::uint32_t instruction) {
            phases[count++] = {until, state, instruction};
        }
    };

    /// `instructions`: of the program; `warps`: that are on the SM at once, more of which make looks rarer.
    StallWatch(std::size_t instructions, std::size_t warps);

    [[nodiscard]] double nextAt() const { return m_next; }
    [[nodiscard]] const std::vector<Look>& looks() const { return m_looks; }
    /// The look that is due. Its weights are those of whole schedulers, for the caller to divide among the
    /// warps; the rest is the caller's to fill in.
    [[nodiscard]] Look& take();

    /// A scheduler's warp was in a state in a look.
    void count(const Look& look, unsigned part, std::uint32_t instruction, counts::Stall state) {
        Sum& sum = m_sums[instruction][static_cast<std::size_t>(state)];
        const double weight = look.weight[part];
        const double notIssued = (look.busy[part] >> kIssues & 1) != 0 ? 0 : weight;
        sum.all += weight;
        sum.notIssued += notIssued;
        if (look.at < m_middleBegin || look.at >= m_middleEnd) return;
        sum.middle += weight;
        sum.middleNotIssued += notIssued;
    }
    /// The middle of the play, which stands for what was not played, begins or ends.
    void middleBegins(double at) { m_middleBegin = at; }
    void middleEnds(double at) { m_middleEnd = at; }

    /// Shares of all that was counted, and of the middle so many times more.
    [[nodiscard]] counts::StallShares shares(double middleAgain) const;

private:
    void plan();

    struct Sum {
        double all = 0, notIssued = 0, middle = 0, middleNotIssued = 0;
    };
    std::vector<std::array<Sum, counts::kStallNames.size()>> m_sums; ///< by instruction
    std::vector<Look> m_looks;
    double m_distance, m_begin = 0, m_next = 0;
    double m_middleBegin = std::numeric_limits<double>::infinity(), m_middleEnd = m_middleBegin;
};

} // namespace dormer::emulator::replay
