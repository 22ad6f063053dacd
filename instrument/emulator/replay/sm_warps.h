// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/replay/sm_clock.h"

/// What SmClock knows of the warps and blocks on its SM; for its own sources.
namespace dormer::emulator::replay {

struct SmClock::Warp {
    const counts::WarpTrace* trace = nullptr;
    Block* block = nullptr;
    unsigned part = 0;
    std::size_t visit = 0;
    const TimedBlock* code = nullptr;
    std::size_t op = 0;     ///< next of the block of code; ops.size(): its ending
    double ready = 0;       ///< when it can issue, but for what it shares with others
    Pipe pipe = Pipe::None; ///< of the next op
    bool usesLsu = false;
    double earliest = 0; ///< by the order of its instructions
    bool atBarrier = false, ended = false;
    std::vector<double> results;         ///< by op of the block of code
    std::vector<double> values;          ///< by TimedCode::valueOf
    std::vector<counts::Stall> waits;    ///< who waits for these
    std::vector<std::uint32_t> accesses; ///< of the visit, by the block's memory instruction
    double asyncReady = 0;               ///< asynchronous copies under way
    double storesGone = 0;               ///< L1 has taken what it stored
    StallWatch::Course course;
};

struct SmClock::Block {
    std::vector<std::unique_ptr<Warp>> warps;
    std::size_t left = 0, waiting = 0;
    double lastArrival = 0;
};

} // namespace dormer::emulator::replay
