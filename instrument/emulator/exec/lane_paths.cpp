// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/lane_paths.h"

#include "instrument/emulator/program/program.h"

#include <algorithm>

namespace dormer::emulator::exec {

namespace {

std::size_t frameBase(const WarpState& w) {
    return w.calls.empty() ? 0 : w.calls.back().pathBase;
}

using Waits = Path::Waits;

} // namespace

std::uint32_t lanesAt(const WarpState& w, std::size_t index) {
    std::uint32_t above = 0;
    for (std::size_t i = index + 1; i < w.paths.size(); ++i)
        above |= w.paths[i].mask;
    return w.paths[index].mask & w.alive & ~above;
}

std::uint32_t lanesAtBarriers(const WarpState& w) {
    std::uint32_t lanes = 0;
    for (const Path& path : w.paths)
        if (path.waits == Waits::AtBarrier) lanes |= path.mask;
    return lanes & w.alive;
}

bool othersCanGoOn(const WarpState& w) {
    std::uint32_t above = w.paths.back().mask;
    for (std::size_t i = w.paths.size() - 1; i-- > 0;) {
        const Path& path = w.paths[i];
        const program::CodeBlock& at = w.program->blocks[path.pc];
        const bool atBarrier = at.ending == program::Ending::Barrier && at.count == 0;
        if ((path.mask & w.alive & ~above) != 0 && !atBarrier) return true;
        above |= path.mask;
    }
    return false;
}

bool bringAnother(WarpState& w, Bring which, std::uint32_t lanes) {
    const std::size_t base = frameBase(w);
    if (w.paths.size() < base + 2) return false;
    constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t arm = kNone, meeting = kNone, arms = 1; // the top is an arm, too
    std::uint32_t above = w.paths.back().mask;
    for (std::size_t i = w.paths.size() - 1; i-- > base;) {
        const Path& path = w.paths[i];
        const std::uint32_t all = path.mask & w.alive, own = all & ~above;
        above |= path.mask;
        if (own == 0 || path.waits != Waits::No) continue;
        if (own != all) {
            if (meeting == kNone && (own & lanes) != 0) meeting = i; // the one that the fewest lanes left
            continue;
        }
        ++arms;
        if ((own & lanes) != 0) arm = i; // the one that had to wait longest
    }
    if (which == Bring::Branches) meeting = kNone;
    if (arm == kNone && meeting == kNone) return false;
    ++w.changes;
    if (meeting != kNone && (arm == kNone || (which == Bring::InTurn && w.changes % arms == 0))) {
        Path& below = w.paths[meeting];
        Path ahead = below;
        ahead.mask = lanesAt(w, meeting);
        below.mask &= ~ahead.mask;
        w.paths.push_back(ahead);
    } else {
        const auto chosen = w.paths.begin() + static_cast<std::ptrdiff_t>(arm);
        std::rotate(chosen, chosen + 1, w.paths.end());
    }
    return true;
}

bool bringWaiting(WarpState& w) {
    const auto first = w.paths.begin() + static_cast<std::ptrdiff_t>(frameBase(w));
    const auto found =
        std::find_if(first, w.paths.end(), [](const Path& path) { return path.waits == Waits::ForMembers; });
    if (found == w.paths.end()) return false;
    std::rotate(found, found + 1, w.paths.end());
    w.paths.back().waits = Waits::No;
    w.withoutMembers = true;
    return true;
}

bool onlyExit(const WarpState& w, std::uint32_t lanes) {
    const std::size_t ofKernel = w.calls.empty() ? w.paths.size() : w.calls.front().pathBase;
    for (std::size_t i = 0; i < w.paths.size(); ++i) {
        if ((lanesAt(w, i) & lanes) == 0) continue;
        const program::CodeBlock& at = w.program->blocks[w.paths[i].pc];
        const bool exits =
            at.ending == program::Ending::Exit || (at.ending == program::Ending::Return && i < ofKernel);
        if (!exits || at.count != 0 || at.guard != instructions::Ref::kNowhere) return false;
    }
    return true;
}

bool joinTop(WarpState& w) {
    const Path top = w.paths.back();
    const std::size_t base = frameBase(w);
    for (std::size_t i = w.paths.size() - 1; i-- > base;) {
        const Path& other = w.paths[i];
        if (other.pc != top.pc || other.done != top.done || other.waits != top.waits) continue;
        // They go where the other path is to arrive: so those below that wait for it wait for them, too.
        const std::uint32_t old = other.mask;
        w.paths.pop_back();
        for (std::size_t k = base; k < w.paths.size(); ++k) {
            if (k <= i && (w.paths[k].mask & old & w.alive) != 0)
                w.paths[k].mask |= top.mask;
            else
                w.paths[k].mask &= ~top.mask;
        }
        const auto chosen = w.paths.begin() + static_cast<std::ptrdiff_t>(i);
        std::rotate(chosen, chosen + 1, w.paths.end());
        std::erase_if(w.paths,
                      [&](const Path& path) { return path.mask == 0 && &path >= w.paths.data() + base; });
        return true;
    }
    return false;
}

} // namespace dormer::emulator::exec
