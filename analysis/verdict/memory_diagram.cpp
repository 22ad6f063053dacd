// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/memory_diagram.h"

#include "analysis/access/excess.h"
#include "analysis/metrics/format.h"
#include "analysis/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::verdict {

namespace {

/// Bytes of one sector, and of one wavefront: 32 banks of 4 bytes.
constexpr double kSector = 32, kWavefront = 128;

/// Where the numbers of one flow come from. Names are those of metrics, else of counters.
struct FlowSource {
    MemoryStation from, to;
    std::string_view what;
    std::string_view amount;
    double bytesEach;          ///< of `amount`; 1 when that is in bytes
    std::string_view requests; ///< empty: `amount` counts them
    std::string_view ideal;    ///< in units of `amount`; empty: none is known
    std::string_view noun;     ///< of requests
    bool always;               ///< told even when a launch had none of it
    std::string_view meaning;
};

using enum MemoryStation;
constexpr auto kFlows = std::to_array<FlowSource>({
    {L1, Sm, "loads", "global_load_sectors", kSector, "global_load_requests", "global_load_sectors_ideal",
     "requests", true, "32-byte sectors that the warps' global loads touched."},
    {Sm, L1, "stores", "global_store_sectors", kSector, "global_store_requests", "global_store_sectors_ideal",
     "requests", true, "32-byte sectors that the warps' global stores touched; L1 passes them on to L2."},
    {L1, Sm, "local", "local_load_sectors", kSector, "", "", "sectors", false,
     "Sectors read from local memory: register spills, or arrays indexed by a variable."},
    {Sm, L1, "local", "local_store_sectors", kSector, "", "", "sectors", false,
     "Sectors written to local memory: register spills, or arrays indexed by a variable."},
    {Shared, Sm, "loads", "shared_load_wavefronts", kWavefront, "shared_load_instructions",
     "shared_load_wavefronts_ideal", "requests", false,
     "128 bytes per wavefront of the loads: bank conflicts are in it."},
    {Sm, Shared, "stores", "shared_store_wavefronts", kWavefront, "shared_store_instructions",
     "shared_store_wavefronts_ideal", "requests", false,
     "128 bytes per wavefront of the stores: bank conflicts are in it."},
    {Sm, L2, "atomics", "atomic_sectors", kSector, "atomic_instructions", "", "requests", false,
     "Sectors that atomics and reductions on global memory touched; L2 carries them out."},
    {L2, L1, "reads", "lts__t_sectors_op_read.sum", kSector, "", "", "sectors", true,
     "Sectors read from L2. On chips with two halves of L2 what goes between them is in it."},
    {L1, L2, "writes", "lts__t_sectors_op_write.sum", kSector, "", "", "sectors", true,
     "Sectors written to L2. On chips with two halves of L2 what goes between them is in it."},
    {Dram, L2, "reads", "dram_bytes_read", 1, "", "", "", true, "Bytes read from device memory."},
    {L2, Dram, "writes", "dram_bytes_write", 1, "", "", "", true,
     "Bytes written to device memory. What L2 still holds when the kernel ends is not counted."},
});

std::optional<double> valueOf(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                              std::string_view name) {
    if (name.empty()) return std::nullopt;
    return metrics::findMetric(name) != nullptr ? metrics.value(launch, name)
                                                : metrics.session().counter(launch, name);
}

std::string whyMissing(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                       std::string_view name) {
    const std::string& reason = metrics.session().launch(launch).notCounted;
    if (!reason.empty()) return reason;
    const std::string input =
        metrics::findMetric(name) != nullptr ? metrics.missingInput(launch, name) : std::string(name);
    return input + " was not collected";
}

std::optional<double> times(const std::optional<double>& value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

MemoryFlow flowOf(const FlowSource& source, const metrics::MetricEvaluator& metrics,
                  session::LaunchIndex launch) {
    MemoryFlow flow;
    flow.from = source.from;
    flow.to = source.to;
    flow.what = source.what;
    const auto amount = valueOf(metrics, launch, source.amount);
    flow.bytes = times(amount, source.bytesEach);
    flow.requests =
        source.requests.empty() && source.bytesEach > 1 ? amount : valueOf(metrics, launch, source.requests);
    flow.ideal = times(valueOf(metrics, launch, source.ideal), source.bytesEach);
    flow.noun = source.noun;
    flow.hint = source.meaning;
    if (!flow.bytes)
        flow.hint += " Not known: " + whyMissing(metrics, launch, source.amount) + ".";
    else if (access::isExcess(flow.bytes, flow.ideal))
        flow.hint += fmt::format(" Ideal for the bytes requested: {}.",
                                 metrics::forPeople(*flow.ideal, metrics::Unit::Bytes));
    return flow;
}

/// Shared memory that was requested nowhere holds nothing; of other kinds only the counters can tell.
bool canHave(const FlowSource& source, const MemoryFlow& flow, const session::Session& session,
             session::LaunchIndex launch) {
    if (source.always) return true;
    if (flow.bytes) return *flow.bytes > 0;
    const bool isShared = source.from == Shared || source.to == Shared;
    return !isShared ||
           session.kernelOf(launch).staticSharedBytes + session.launch(launch).dynamicSharedBytes > 0;
}

StationFacts stationOf(MemoryStation station, const metrics::MetricEvaluator& metrics,
                       session::LaunchIndex launch, const Verdict& verdict) {
    StationFacts facts{station, {}, {}, {}, {}};
    device::Resource resource{};
    std::string_view rate;
    switch (station) {
    case Sm:
        facts.name = "SM";
        resource = device::Resource::IssueSlots;
        facts.hint = "Registers and arithmetic of the streaming multiprocessors.";
        break;
    case Shared:
        facts.name = "shared";
        resource = device::Resource::Shared;
        facts.hint = "Shared memory: 32 banks of 4 bytes on each SM, filled by the kernel itself.";
        break;
    case L1:
        facts.name = "L1";
        resource = device::Resource::L1;
        rate = "l1_hit_rate";
        break;
    case L2:
        facts.name = "L2";
        resource = device::Resource::L2;
        rate = "l2_hit_rate";
        break;
    case Dram:
        facts.name = "DRAM";
        resource = device::Resource::Dram;
        facts.hint = "Device memory.";
        break;
    }
    if (!rate.empty()) {
        facts.hint = metrics::findMetric(rate)->meaning;
        facts.hitRate = metrics.value(launch, rate);
        if (!facts.hitRate) facts.hint += " Not known: " + whyMissing(metrics, launch, rate) + ".";
    }
    facts.utilization = verdict.utilization[static_cast<std::size_t>(resource)];
    return facts;
}

} // namespace

MemoryDiagram memoryDiagram(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                            const Verdict& verdict) {
    MemoryDiagram diagram;
    for (const MemoryStation station : {Sm, Shared, L1, L2, Dram})
        diagram.stations.push_back(stationOf(station, metrics, launch, verdict));
    for (const FlowSource& source : kFlows) {
        MemoryFlow flow = flowOf(source, metrics, launch);
        if (!canHave(source, flow, metrics.session(), launch)) continue;
        diagram.mostBytes = std::max(diagram.mostBytes, flow.bytes.value_or(0));
        diagram.flows.push_back(std::move(flow));
    }
    return diagram;
}

} // namespace dormer::verdict
