// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/lines/line_class.h"
#include "analysis/metrics/format.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::findings {

namespace {

constexpr double kWidest = 16, kWord = 4; // bytes per lane
/// Threads that load fewer words have nothing to put together; stores are then half of the requests.
constexpr double kLoadsPerStore = 4;
/// What DRAM delivers is loaded again as often at least, or the kernel streams: then bytes bind it.
constexpr double kReuse = 2;
/// Requests at one per clock and SM that take this share of the time bind it: their latency is not in it.
constexpr double kBinding = 0.2;
constexpr double kMuch = 0.3;
/// Multiply-adds per shared load from which on a kernel computes with what it loads.
constexpr double kLeastArithmetic = 0.25;
/// From this share of its peak on, the traffic itself binds.
constexpr double kBusy = 0.6;

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}

bool isGlobal(const session::LineCounts& line, session::MemoryOperation op) {
    return line.space == session::MemorySpace::Global && line.op == op && line.executions;
}

std::string widthText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {:.0f} bytes per lane, coalesced", operationText(sum, instructions),
                       static_cast<double>(sum.widthBytes.value_or(0)));
}

std::string requestsText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {} requests", operationText(sum, instructions),
                       metrics::forPeople(number(sum.executions), metrics::Unit::Count));
}

/// Loads or stores of global memory: how many, and the coalesced ones of single words among the loads.
struct Requests {
    double loads = 0, stores = 0, narrow = 0, words = 0;
    std::vector<WastefulAccess> accesses;
};

Requests requestsOf(std::span<const session::LineCounts> lines) {
    Requests sum;
    for (const session::LineCounts& line : lines) {
        if (isGlobal(line, session::MemoryOperation::Store)) sum.stores += number(line.executions);
        if (!isGlobal(line, session::MemoryOperation::Load)) continue;
        sum.loads += number(line.executions);
        if (line.widthBytes != kWord || lines::classOf(line).access.shape != access::AccessShape::Coalesced)
            continue;
        sum.narrow += number(line.executions);
        sum.words += number(line.threads);
        sum.accesses.push_back({&line, number(line.executions)});
    }
    return sum;
}

} // namespace

void checkAccessWidth(const FindingContext& c) {
    const Requests sum = requestsOf(c.lines);
    const auto needs = gains::timeNeeds(c.metrics, c.launch, c.verdict);
    const auto duration = c.value("duration_ns"), read = c.value("dram_bytes_read");
    if (!needs || !duration || !read || !(*duration >= verdict::kTooShortNs)) return;
    if (sum.narrow < kMuch * (sum.loads + sum.stores) || sum.loads < kLoadsPerStore * sum.stores ||
        sum.words * kWord < kReuse * *read)
        return;
    if (needs->l1RequestsNs < kBinding * *duration || needs->l1RequestsNs < needs->sharedNs ||
        c.verdict.highest().value_or(0) >= kBusy)
        return;
    std::vector<FindingPlace> places = placesOf(sum.accesses, {widthText, {}});
    c.add(FindingKind::NarrowLoads,
          fmt::format(
              "{} load requests take 4 bytes per lane, {} of all global requests; with 16 bytes per lane "
              "the same {} would take {}",
              metrics::forPeople(sum.narrow, metrics::Unit::Count),
              metrics::forPeople(sum.narrow / (sum.loads + sum.stores), metrics::Unit::Ratio),
              metrics::forPeople(sum.words * kWord, metrics::Unit::Bytes),
              metrics::forPeople(sum.narrow * kWord / kWidest, metrics::Unit::Count)),
          std::nullopt, std::move(places));
}

void checkWarpReuse(const FindingContext& c) {
    std::vector<WastefulAccess> accesses;
    double all = 0, same = 0;
    for (const session::LineCounts& line : c.lines) {
        const bool load = isGlobal(line, session::MemoryOperation::Load);
        if (!load && !isGlobal(line, session::MemoryOperation::Store)) continue;
        all += number(line.executions);
        if (!load || lines::classOf(line).access.shape == access::AccessShape::Broadcast ||
            source::sameForAllWarps(c.metrics.session(), c.launch, line).empty())
            continue;
        same += number(line.executions);
        accesses.push_back({&line, number(line.executions)});
    }
    if (accesses.empty() || same < kMuch * all) return;
    const double warps = (c.value("block_threads").value_or(0) + access::kWarpLanes - 1) / access::kWarpLanes;
    std::vector<FindingPlace> places =
        placesOf(accesses, {requestsText, [&](const session::LineCounts& sum, std::size_t) {
                                return source::sameForAllWarps(c.metrics.session(), c.launch, sum);
                            }});
    c.add(FindingKind::SameForAllWarps,
          fmt::format("in {} of the global requests all {:.0f} warps of a block load the same addresses",
                      metrics::forPeople(same / all, metrics::Unit::Ratio), std::floor(warps)),
          std::nullopt, std::move(places));
}

void checkSharedBound(const FindingContext& c) {
    const auto used = c.utilization(device::Resource::Shared);
    const auto loads = c.value("shared_load_instructions");
    const auto actual = c.value("shared_load_wavefronts"), ideal = c.value("shared_load_wavefronts_ideal");
    const bool bound = c.boundAt(device::Resource::Shared) || used.value_or(0) >= kBusy;
    if (!bound || !loads || !(*loads > 0) || !actual || !ideal || access::isExcess(*actual, *ideal)) return;
    const double operations =
        (c.value("flops_fp32").value_or(0) + c.value("flops_fp64").value_or(0)) / 2 / access::kWarpLanes;
    // What only moves values has no outputs to share them among.
    if (operations < kLeastArithmetic * *loads) return;
    c.add(FindingKind::SharedLoads,
          fmt::format(
              "shared memory is at {} of peak without bank conflicts: {:.3g} multiply-adds per shared load",
              metrics::forPeople(used, metrics::Unit::Ratio), operations / *loads),
          std::nullopt);
}

} // namespace dormer::findings
