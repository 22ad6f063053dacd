// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/lines/line_class.h"
#include "analysis/metrics/format.h"
#include "analysis/source/source_hint.h"

#include <fmt/format.h>

#include <cmath>

namespace dormer::findings {

namespace {

/// Broadcast loads are reported from this share of all global requests on.
constexpr double kMuchBroadcast = 0.3;
/// From this share of loads and of stores on, all lanes do the same.
constexpr double kNearlyAll = 0.95;
/// Lanes with their predicate on in an average instruction of a launch whose warps are full.
constexpr double kFullWarp = 28;

struct Requests {
    double all = 0, broadcast = 0;
};

std::string broadcastText(const session::LineCounts& sum, std::size_t instructions) {
    const double executions = static_cast<double>(*sum.executions);
    const double lanes = sum.threads ? static_cast<double>(*sum.threads) / executions : access::kWarpLanes;
    return fmt::format("{}: {:.3g} lanes on one address, 1 sector/request", operationText(sum, instructions),
                       lanes);
}

void report(const FindingContext& c, const Requests& loads, double allRequests,
            const std::vector<WastefulAccess>& accesses) {
    std::vector<FindingPlace> places =
        placesOf(accesses, {broadcastText, [&](const session::LineCounts& sum, std::size_t) {
                                return source::broadcastChange(c.metrics.session(), c.launch, sum);
                            }});
    c.add(FindingKind::BroadcastLoads,
          fmt::format("in {} of the global load requests all lanes read one address: {} of all global "
                      "requests",
                      metrics::forPeople(loads.broadcast / loads.all, metrics::Unit::Ratio),
                      metrics::forPeople(loads.broadcast / allRequests, metrics::Unit::Ratio)),
          c.gain().withSharedBroadcasts(loads.broadcast), std::move(places));
}

void reportRedundant(const FindingContext& c, const Requests& loads, const Requests& stores,
                     const std::vector<WastefulAccess>& accesses) {
    std::vector<FindingPlace> places = placesOf(accesses, {broadcastText, {}});
    c.add(FindingKind::RedundantLanes,
          fmt::format("in {} of the global load requests and {} of the store requests all lanes access one "
                      "address",
                      metrics::forPeople(loads.broadcast / loads.all, metrics::Unit::Ratio),
                      metrics::forPeople(stores.broadcast / stores.all, metrics::Unit::Ratio)),
          std::nullopt, std::move(places));
}

/// From the counts of each instruction: false when there are none of global loads.
bool checkByLines(const FindingContext& c) {
    Requests loads, stores;
    std::vector<WastefulAccess> accesses, loadsOnly;
    for (const session::LineCounts& line : c.lines) {
        const bool load = line.op == session::MemoryOperation::Load;
        if (line.space != session::MemorySpace::Global ||
            (!load && line.op != session::MemoryOperation::Store) || !line.executions)
            continue;
        const auto executions = static_cast<double>(*line.executions);
        Requests& requests = load ? loads : stores;
        requests.all += executions;
        if (lines::classOf(line).access.shape != access::AccessShape::Broadcast) continue;
        requests.broadcast += executions;
        accesses.push_back({&line, executions});
        if (load) loadsOnly.push_back(accesses.back());
    }
    const double all = loads.all + stores.all;
    if (!(loads.all > 0)) return false;
    if (loads.broadcast >= kNearlyAll * loads.all && stores.broadcast > 0 &&
        stores.broadcast >= kNearlyAll * stores.all)
        reportRedundant(c, loads, stores, accesses);
    else if (loads.broadcast > kMuchBroadcast * all)
        report(c, loads, all, loadsOnly);
    return true;
}

} // namespace

std::optional<double> broadcastShareOfLoads(const FindingContext& c) {
    constexpr double kNear = 0.02;
    const auto requests = c.value("global_load_requests");
    const auto sectors = c.value("global_load_sectors_per_request");
    const auto bytes = c.value("global_load_bytes_requested");
    if (!requests || !(*requests > 0) || !sectors || !bytes) return std::nullopt;
    for (const double width : {4.0, 8.0, 16.0}) {
        // A broadcast is 1 sector and `width` bytes, any other load `width` sectors of 32 bytes.
        const double share =
            (access::kSectorBytes * *sectors - *bytes / *requests) / (access::kSectorBytes - width);
        if (share <= kNear || share > 1 + kNear) continue;
        if (std::abs(*sectors - (share + width * (1 - share))) <= kNear * *sectors) return share;
    }
    return std::nullopt;
}

void checkBroadcasts(const FindingContext& c) {
    if (checkByLines(c)) return;
    const auto share = broadcastShareOfLoads(c);
    const auto loads = c.value("global_load_requests");
    const auto stores = c.value("global_store_requests");
    // A lane alone is one sector, too: only where nearly all lanes are on is it a broadcast.
    if (!share || !loads || !stores || c.value("threads_per_warp_predicated").value_or(0) < kFullWarp ||
        !(*share * *loads > kMuchBroadcast * (*loads + *stores)))
        return;
    report(c, {*loads, *share * *loads}, *loads + *stores, {});
}

} // namespace dormer::findings
