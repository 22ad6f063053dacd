// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_hint.h"
#include "analysis/source/source_steps.h"

#include <fmt/format.h>

#include <cstdlib>

#include <algorithm>

namespace dormer::source {

namespace {

/// CUDA C++ Programming Guide: constant memory is 64 KB.
constexpr double kConstantBytes = 65536;

/// True when another thread, or another block, is at another element.
struct Dependence {
    bool thread = false, block = false;
};

std::optional<Dependence> dependenceOf(const SourceSite& site, const access::IndexExpression& index) {
    const auto steps = stepsOf(site, index);
    if (!steps) return std::nullopt;
    Dependence found{steps->threadX != 0 || steps->threadY != 0, steps->blockX != 0 || steps->blockY != 0};
    // threadIdx.x / 32 does not move within a warp.
    const auto first = elementsOf(index, site.block, site.grid, 0);
    const auto warps =
        static_cast<unsigned>((site.block.count() + access::kWarpLanes - 1) / access::kWarpLanes);
    const auto last = elementsOf(index, site.block, site.grid, std::max(1U, warps) - 1);
    if (!first || !last) return std::nullopt;
    found.thread = found.thread || first->element[0] != last->element[0];
    return found;
}

bool isWritten(const std::vector<Subscript>& subscripts, const std::string& name) {
    return std::ranges::any_of(subscripts,
                               [&](const Subscript& each) { return each.name == name && each.written; });
}

/// `warps`: of the launch; `width`: bytes of a value.
std::string atSite(const SourceSite& site, const session::LineCounts& access, double warps) {
    const std::vector<Subscript> subscripts = site.source->subscriptsIn(*site.function);
    for (const Subscript& each : subscripts) {
        if (each.line != site.scope.line || !each.read || each.call ||
            site.source->isArrayElsewhere(*site.function, each.name))
            continue;
        const auto index = resolveIndex(site.scope, flatIndex(site, each));
        if (!index) continue;
        const auto dependence = dependenceOf(site, index->expression);
        if (!dependence) continue;
        const auto lanes = elementsOf(index->expression, site.block, site.grid, 0);
        if (!lanes || std::ranges::any_of(lanes->element,
                                          [&](std::int64_t element) { return element != lanes->element[0]; }))
            continue; // not the load of one address
        if (dependence->thread)
            return fmt::format("`{}`{} is one value per warp: let each lane load another one and pass them "
                               "around with `__shfl_sync`, or keep it in a register",
                               each.text, site.away);
        const double bytes = static_cast<double>(*access.executions) / warps * access.widthBytes.value_or(4);
        if (!dependence->block && bytes <= kConstantBytes && !isWritten(subscripts, each.name))
            return fmt::format("`{}`{} is the same for all threads, {:.0f} bytes in all: keep `{}` in "
                               "__constant__ memory",
                               each.text, site.away, bytes, each.name);
        return fmt::format(
            "`{}`{} is the same for all warps of a block: load a tile of `{}` into shared memory "
            "once per block, and read it there",
            each.text, site.away, each.name);
    }
    return {};
}

std::string sameAtSite(const SourceSite& site) {
    const auto warps =
        static_cast<unsigned>((site.block.count() + access::kWarpLanes - 1) / access::kWarpLanes);
    if (warps < 2) return {};
    for (const Subscript& each : site.source->subscriptsIn(*site.function)) {
        if (each.line != site.scope.line || !each.read || each.call ||
            site.source->isArrayElsewhere(*site.function, each.name))
            continue;
        const auto index = resolveIndex(site.scope, flatIndex(site, each));
        if (!index) continue;
        const auto first = elementsOf(index->expression, site.block, site.grid, 0);
        if (!first || first->mask != ~0U || first->element[0] == first->element[access::kWarpLanes - 1])
            continue;
        bool same = true;
        for (unsigned warp = 1; warp < warps && same; ++warp) {
            const auto other = elementsOf(index->expression, site.block, site.grid, warp);
            same = other && other->mask == ~0U && other->element == first->element;
        }
        if (same)
            return fmt::format(
                "`{}`{} is the same in all {} warps of a block: load a tile of `{}` into shared memory "
                "once per block, and read it there",
                each.text, site.away, warps, each.name);
    }
    return {};
}

} // namespace

std::string sameForAllWarps(const session::Session& session, session::LaunchIndex launch,
                            const session::LineCounts& access) {
    return firstAnswer(session, launch, access, sameAtSite);
}

std::string moduloChange(const session::Session& session, session::LaunchIndex launch,
                         const session::LineCounts& branch) {
    return firstAnswer(session, launch, branch, [](const SourceSite& site) -> std::string {
        const std::string picked = site.source->pickedByRemainder(site.scope.line);
        const auto index = picked.empty() ? std::nullopt : resolveIndex(site.scope, picked);
        const auto steps = index ? stepsOf(site, index->expression) : std::nullopt;
        if (!steps || std::abs(steps->threadX) != 1) return {}; // what data decide is not the threads' order
        return fmt::format(
            "`{}`{} picks threads that are spread over all warps: let the first threads do the work, on "
            "neighbouring elements, so that whole warps are idle or busy (a reduction adds element "
            "`threadIdx.x + n` where `threadIdx.x < n`, and halves n from blockDim.x / 2 on)",
            site.source->lineText(site.scope.line), site.away);
    });
}

std::string broadcastChange(const session::Session& session, session::LaunchIndex launch,
                            const session::LineCounts& access) {
    const session::Launch& of = session.launch(launch);
    const double warps =
        static_cast<double>(of.grid.count()) *
        static_cast<double>((of.block.count() + access::kWarpLanes - 1) / access::kWarpLanes);
    if (!access.executions || *access.executions == 0 || !(warps > 0)) return {};
    return firstAnswer(session, launch, access,
                       [&](const SourceSite& site) { return atSite(site, access, warps); });
}

} // namespace dormer::source
