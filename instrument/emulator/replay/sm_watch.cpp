// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/replay/latencies.h"
#include "instrument/emulator/replay/sm_warps.h"

#include <algorithm>
#include <limits>

namespace dormer::emulator::replay {

using counts::Stall;

static_assert(kPipes <= StallWatch::kLsuBusy);

Stall SmClock::waitOf(const Warp& warp, std::int32_t source) const {
    if (source >= 0) return warp.code->ops[static_cast<std::size_t>(source)].wait;
    const auto value = static_cast<std::size_t>(-1 - source);
    return value < warp.waits.size() ? warp.waits[value] : Stall::Wait;
}

void SmClock::look(double until) {
    while (m_watch->nextAt() < until) {
        StallWatch::Look& look = m_watch->take();
        for (unsigned part = 0; part < kParts; ++part) {
            // Of what was taken in this very cycle, the others are not selected.
            const bool issues = m_issueFree[part] > look.at;
            for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
                const bool isNow = issues && pipe == static_cast<std::size_t>(m_lastPipe[part]);
                const double free = isNow ? m_lastPipeFree[part] : m_pipeFree[part][pipe];
                look.busy[part] |= (free > look.at ? 1U : 0U) << pipe;
            }
            look.busy[part] |= (m_lsuFree - kQueue > look.at ? 1U : 0U) << StallWatch::kLsuBusy;
            look.busy[part] |= (issues ? 1U : 0U) << StallWatch::kIssues;
            std::vector<Leaving>& leaving = m_leaving[part];
            std::erase_if(leaving, [&](const Leaving& each) { return each.drainUntil <= look.at; });
            const auto here = std::ranges::count_if(m_warps[part], [&](const Warp* warp) {
                return !warp->ended && warp->course.begin <= look.at;
            });
            const auto all = here + static_cast<std::ptrdiff_t>(leaving.size());
            if (all > 0) look.weight[part] /= static_cast<float>(all);
            for (const Leaving& each : leaving)
                m_watch->count(look, part, each.instruction,
                               look.at < each.exitUntil ? Stall::Selected : Stall::Drain);
        }
    }
}

Stall SmClock::stateOf(const Warp& warp, const StallWatch::Look& look) const {
    const bool atEnd = warp.op == warp.code->ops.size();
    if (look.at < warp.ready) {
        const TimedBlock& code = *warp.code;
        const std::int32_t* sources =
            atEnd ? code.endingSources.data() : code.sources.data() + code.ops[warp.op].firstSource;
        const std::size_t count = atEnd ? code.endingSources.size() : code.ops[warp.op].sources;
        Stall wait = Stall::Wait;
        double last = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (const double ready = readyOf(warp, sources[i]); ready > last) {
                last = ready;
                wait = waitOf(warp, sources[i]);
            }
        return wait;
    }
    if (atEnd) return Stall::NotSelected;
    const unsigned needs = (warp.pipe != Pipe::None ? 1U << static_cast<unsigned>(warp.pipe) : 0U) |
                           (warp.usesLsu ? 1U << StallWatch::kLsuBusy : 0U);
    return (look.busy[warp.part] & needs) != 0 ? warp.code->ops[warp.op].throttle : Stall::NotSelected;
}

void SmClock::explain(Warp& warp, double until) {
    StallWatch::Course& course = warp.course;
    const std::vector<StallWatch::Look>& looks = m_watch->looks();
    std::uint32_t next = 0;
    if (warp.op < warp.code->ops.size()) {
        next = warp.code->ops[warp.op].instruction;
    } else {
        const std::size_t visit = warp.atBarrier ? warp.visit - 1 : warp.visit; // which it has left behind
        const program::CodeBlock& block = m_code.program().blocks[warp.trace->visits[visit].block];
        next = block.endingIndex != ptx::kNone ? block.endingIndex : block.placeIndex;
    }
    if (next >= m_code.program().instructions.size()) next = 0;
    for (std::size_t phase = 0; course.look < looks.size() && looks[course.look].at < until; ++course.look) {
        const StallWatch::Look& look = looks[course.look];
        if (look.at < course.begin) continue;
        while (phase < course.count && course.phases[phase].until <= look.at)
            ++phase;
        if (phase == course.count) {
            m_watch->count(look, warp.part, next, stateOf(warp, look));
            continue;
        }
        const StallWatch::Course::Phase& at = course.phases[phase];
        const bool isNext = at.instruction >= m_code.program().instructions.size();
        m_watch->count(look, warp.part, isNext ? next : at.instruction, at.state);
    }
}

void SmClock::explainRest(double now) {
    for (const std::vector<Warp*>& warps : m_warps)
        for (Warp* warp : warps) {
            if (warp->ended) continue;
            if (warp->atBarrier)
                warp->course.add(std::numeric_limits<double>::infinity(), Stall::Barrier,
                                 StallWatch::Course::kNext);
            explain(*warp, now);
        }
}

void SmClock::leave(const Warp& warp) {
    if (warp.course.count == 0 || !warp.trace->isWhole) return;
    const StallWatch::Course::Phase& exit = warp.course.phases.front();
    if (exit.state != Stall::Selected || exit.instruction >= m_code.program().instructions.size()) return;
    m_leaving[warp.part].push_back({exit.until, std::max(exit.until, warp.storesGone), exit.instruction});
}

} // namespace dormer::emulator::replay
