// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/workload_facts.h"

#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

namespace dormer::metrics {

namespace {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// A sum that is known only when every part is.
void addTo(std::optional<double>& sum, const std::optional<double>& part) {
    if (sum && part)
        *sum += *part;
    else
        sum.reset();
}

struct Transfers {
    double count = 0, bytes = 0;
    std::optional<double> durationNs = 0, callNs = 0;

    void add(const session::Transfer& transfer) {
        count += static_cast<double>(transfer.count);
        bytes += static_cast<double>(transfer.bytes);
        addTo(durationNs, transfer.durationNs);
        addTo(callNs, transfer.callNs);
    }
};

/// Sums over all runs of one workload.
struct Totals {
    std::vector<double> elapsedNs; ///< of each run
    bool emulated = false;         ///< the host's clock then tells of the emulator, not of a GPU
    double kernels = 0;
    std::optional<double> kernelNs = 0;
    Transfers copies;
    double calls = 0, callBytes = 0;
    std::optional<double> callNs = 0;
    double toDevice = 0, toHost = 0, gpuFaults = 0, cpuFaults = 0;
    /// What the session tells of at all, in whatever workload: only then is nothing a zero.
    bool seesTransfers = false, seesCalls = false, seesMigrations = false;

    [[nodiscard]] std::optional<double> each(const std::optional<double>& sum, bool seen = true) const {
        if (!seen || !sum || elapsedNs.empty()) return std::nullopt;
        return *sum / static_cast<double>(elapsedNs.size());
    }
    [[nodiscard]] std::optional<double> elapsed() const {
        if (emulated || elapsedNs.empty()) return std::nullopt;
        return median(elapsedNs);
    }
};

std::optional<double> perSecond(double bytes, const std::optional<double>& ns) {
    if (bytes <= 0 || !ns || *ns <= 0) return std::nullopt;
    return bytes / *ns * 1e9;
}

struct Entry {
    WorkloadMetric metric;
    std::optional<double> (*value)(const Totals&);
};

constexpr auto kEntries = std::to_array<Entry>({
    {{"elapsed_ns", "ns",
      "Time on the host's clock from the begin of the workload's range to its end, in the uninstrumented "
      "pass; the median of its runs. Kernels and copies that the range does not wait for may end later. "
      "Absent where emulated.",
      "elapsed"},
     [](const Totals& t) { return t.elapsed(); }},
    {{"kernel_ns", "ns",
      "Durations of all kernels of a run, added up, from an uninstrumented run. Where emulated it is a "
      "prediction.",
      "kernel time"},
     [](const Totals& t) { return t.each(t.kernelNs); }},
    {{"kernel_count", "count", "Kernels that a run launches.", "kernels"},
     [](const Totals& t) { return t.each(t.kernels); }},
    {{"transfer_count", "count",
      "Copies of a run between host and device or within one of them; fills are none.", "copies"},
     [](const Totals& t) { return t.each(t.copies.count, t.seesTransfers); }},
    {{"transfer_bytes", "B", "Bytes of these copies.", "copied"},
     [](const Totals& t) { return t.each(t.copies.bytes, t.seesTransfers); }},
    {{"transfer_duration_ns", "ns",
      "Time the copies took on the device's copy engines, added up. Absent where emulated: no copy engine is "
      "modelled.",
      "copy time"},
     [](const Totals& t) { return t.each(t.copies.durationNs, t.seesTransfers); }},
    {{"transfer_bytes_per_second", "B/s",
      "transfer_bytes over transfer_duration_ns: how fast the copy engines moved the bytes, without what "
      "each "
      "call costs.",
      "copy rate"},
     [](const Totals& t) { return perSecond(t.copies.bytes, t.copies.durationNs); }},
    {{"transfer_call_ns", "ns",
      "Time the host spent in the calls that copy, added up. A call may return before its copy is done. "
      "Absent "
      "where emulated.",
      "call time"},
     [](const Totals& t) { return t.each(t.copies.callNs, t.seesTransfers); }},
    {{"effective_bytes_per_second", "B/s",
      "transfer_bytes over elapsed_ns: what a program gets, with the cost of every call. Absent where "
      "emulated.",
      "effective rate"},
     [](const Totals& t) { return perSecond(t.each(t.copies.bytes).value_or(0), t.elapsed()); }},
    {{"memory_call_count", "count",
      "Calls of a run that allocate, free or manage memory (also prefetch, advice, pinning).",
      "memory calls"},
     [](const Totals& t) { return t.each(t.calls, t.seesCalls); }},
    {{"memory_call_bytes", "B", "Bytes in the arguments of these calls.", "requested"},
     [](const Totals& t) { return t.each(t.callBytes, t.seesCalls); }},
    {{"memory_call_ns", "ns", "Time the host spent in these calls, added up. Absent where emulated.",
      "memory call time"},
     [](const Totals& t) { return t.each(t.callNs, t.seesCalls); }},
    {{"migration_bytes_to_device", "B", "Bytes of managed memory that moved to the device during a run.",
      "moved to device"},
     [](const Totals& t) { return t.each(t.toDevice, t.seesMigrations); }},
    {{"migration_bytes_to_host", "B", "Bytes of managed memory that moved to the host during a run.",
      "moved to host"},
     [](const Totals& t) { return t.each(t.toHost, t.seesMigrations); }},
    {{"gpu_page_faults", "count", "Groups of faults on managed memory that the device raised during a run.",
      "GPU faults"},
     [](const Totals& t) { return t.each(t.gpuFaults, t.seesMigrations); }},
    {{"cpu_page_faults", "count", "Faults on managed memory that the host raised during a run.",
      "CPU faults"},
     [](const Totals& t) { return t.each(t.cpuFaults, t.seesMigrations); }},
});

constexpr auto kMetrics = [] {
    std::array<WorkloadMetric, kEntries.size()> metrics{};
    for (std::size_t i = 0; i < metrics.size(); ++i)
        metrics[i] = kEntries[i].metric;
    return metrics;
}();

/// The range a workload runs in bears its name; it may stand inside ranges of whoever runs it.
bool isRun(std::string_view path, std::string_view workload) {
    constexpr std::string_view kInside = " > ";
    if (!path.ends_with(workload)) return false;
    path.remove_suffix(workload.size());
    return path.empty() || path.ends_with(kInside);
}

bool holds(const session::Session& session, session::LaunchIndex launch, std::string_view kernel) {
    return kernel.empty() || session.kernelOf(launch).name.find(kernel) != std::string::npos;
}

void addTransfer(Totals& totals, const session::Transfer& transfer) {
    if (transfer.kind == session::TransferKind::Copy)
        totals.copies.add(transfer);
    else if (transfer.kind == session::TransferKind::Migration)
        (transfer.direction == session::TransferDirection::HostToDevice ? totals.toDevice : totals.toHost) +=
            static_cast<double>(transfer.bytes);
    else if (transfer.kind == session::TransferKind::GpuFault)
        totals.gpuFaults += static_cast<double>(transfer.count);
    else if (transfer.kind == session::TransferKind::CpuFault)
        totals.cpuFaults += static_cast<double>(transfer.count);
}

Totals totalsOf(const session::Session& session, std::string_view workload, std::string_view kernel) {
    Totals totals;
    totals.emulated = originOfWorkload(session, workload) == session::Origin::Emulated;
    for (const session::NvtxRange& range : session.ranges())
        if (isRun(range.path, workload))
            totals.elapsedNs.push_back(static_cast<double>(range.endNs - range.startNs));
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        if (launch.workload != workload || !holds(session, session::LaunchIndex{i}, kernel)) continue;
        ++totals.kernels;
        addTo(totals.kernelNs, plausibleDurationNs(launch));
    }
    for (const session::Transfer& transfer : session.transfers()) {
        const bool plain =
            transfer.kind == session::TransferKind::Copy || transfer.kind == session::TransferKind::Fill;
        (plain ? totals.seesTransfers : totals.seesMigrations) = true;
        if (transfer.workload == workload) addTransfer(totals, transfer);
    }
    for (const session::MemoryCall& call : session.memoryCalls()) {
        totals.seesCalls = true;
        if (call.workload != workload) continue;
        totals.calls += static_cast<double>(call.count);
        totals.callBytes += static_cast<double>(call.bytes);
        addTo(totals.callNs, call.durationNs);
    }
    return totals;
}

/// Launches of the workload's kernels that are requested: all of one name, the one with the most time.
std::vector<session::LaunchIndex> launchesToTell(const session::Session& session, std::string_view workload,
                                                 std::string_view kernel) {
    struct OfOneName {
        std::vector<session::LaunchIndex> launches;
        double ns = 0;
    };
    std::unordered_map<std::string_view, std::size_t> places;
    std::vector<OfOneName> kernels; // in order of first launch
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex launch{i};
        if (session.launch(launch).workload != workload || !holds(session, launch, kernel)) continue;
        // Those a name asks for are taken together, as each of them has to keep what is said of it.
        const std::string_view name = kernel.empty() ? session.kernelOf(launch).name : kernel;
        const auto [place, isNew] = places.try_emplace(name, kernels.size());
        if (isNew) kernels.emplace_back();
        kernels[place->second].launches.push_back(launch);
        kernels[place->second].ns += plausibleDurationNs(session.launch(launch)).value_or(0);
    }
    const auto longest = std::ranges::max_element(kernels, {}, &OfOneName::ns);
    return longest == kernels.end() ? std::vector<session::LaunchIndex>{} : std::move(longest->launches);
}

} // namespace

std::span<const WorkloadMetric> workloadMetrics() {
    return kMetrics;
}

const WorkloadMetric* findWorkloadMetric(std::string_view name) {
    const auto found = std::ranges::find(kMetrics, name, &WorkloadMetric::name);
    return found == kMetrics.end() ? nullptr : &*found;
}

std::optional<session::Origin> originOfWorkload(const session::Session& session, std::string_view workload) {
    for (const session::Launch& launch : session.launches())
        if (launch.workload == workload) return session.processes()[launch.process].origin;
    for (const session::NvtxRange& range : session.ranges())
        if (isRun(range.path, workload)) return session.processes()[range.process].origin;
    for (const session::Transfer& transfer : session.transfers())
        if (transfer.workload == workload) return session.processes()[transfer.process].origin;
    return std::nullopt;
}

std::optional<double> workloadValue(const MetricEvaluator& metrics, std::string_view workload,
                                    std::string_view metric, std::string_view kernel) {
    const session::Session& session = metrics.session();
    if (const WorkloadMetric* whole = findWorkloadMetric(metric))
        return kEntries[static_cast<std::size_t>(whole - kMetrics.data())].value(
            totalsOf(session, workload, kernel));

    const Metric* known = findMetric(metric);
    std::vector<double> values;
    for (const session::LaunchIndex launch : launchesToTell(session, workload, kernel)) {
        const auto value = known != nullptr ? metrics.value(launch, *known) : session.counter(launch, metric);
        if (value) values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

std::string_view metricUnitSymbol(std::string_view metric) {
    if (const Metric* known = findMetric(metric)) return unitSymbol(known->unit);
    if (const WorkloadMetric* known = findWorkloadMetric(metric)) return known->unit;
    return {};
}

Unit metricUnit(std::string_view metric) {
    if (const Metric* known = findMetric(metric)) return known->unit;
    const std::string_view symbol = metricUnitSymbol(metric);
    for (const Unit unit : {Unit::Nanoseconds, Unit::Bytes, Unit::BytesPerSecond})
        if (unitSymbol(unit) == symbol) return unit;
    return Unit::Count; // of the whole catalogue what is left, and counters
}

std::string metricTitle(std::string_view metric) {
    if (const Metric* known = findMetric(metric)) return std::string(known->title);
    if (const WorkloadMetric* known = findWorkloadMetric(metric)) return std::string(known->title);
    return std::string(metric);
}

} // namespace dormer::metrics
