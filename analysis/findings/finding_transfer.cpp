// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_transfer.h"

#include "analysis/findings/finding_catalogue.h"
#include "analysis/findings/finding_program.h"
#include "analysis/gains/transfer_rates.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/launch_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace dormer::findings {

namespace {

/// A finding saves at least this share of the time of its transfers.
constexpr double kWorthwhile = 0.1;
/// A longer time is an error: 2^63 ns.
constexpr double kImpossibleNs = 9223372036854775808.0;
/// Fewer copies are not called many.
constexpr double kMany = 8;

/// Transfers of one kind of a subject. The time is unknown where any part's is.
struct Sum {
    double count = 0, bytes = 0;
    std::optional<double> ns = 0;

    void add(const session::Transfer& transfer) {
        count += static_cast<double>(transfer.count);
        bytes += static_cast<double>(transfer.bytes);
        const auto cost = transferCostNs(transfer);
        ns = ns && cost ? std::optional(*ns + *cost) : std::nullopt;
    }
    [[nodiscard]] double each() const { return count > 0 ? bytes / count : 0; }
};

struct Subject {
    explicit Subject(const gains::CopyTimes& of) : times(of) {}

    gains::CopyTimes times;             ///< of the device of its first transfer
    Sum toDevice, toHost;               ///< copies
    Sum pageable;                       ///< those of them from or to pageable memory
    bool pageableUp = false;            ///< the last of those went to the device
    std::optional<double> pinnedNs = 0; ///< what these would take with pinned memory
    std::map<std::pair<session::TransferDirection, bool>, Sum>
        alike;            ///< copies by direction, and whether pageable
    Sum faults, onDemand; ///< page faults of the GPU, and what was moved towards it
    Sum backAgain;        ///< pages that the host took back
    std::set<std::uint64_t> streams;
    bool waits = false; ///< a call waited for its copy
    double kernelNs = 0;

    void add(const session::Transfer& transfer);
};

std::optional<double> plausible(std::optional<double> ns) {
    return ns && *ns >= 0 && *ns < kImpossibleNs ? ns : std::nullopt;
}

bool isPageable(const session::Transfer& transfer) {
    return transfer.source == session::MemoryKind::Pageable ||
           transfer.destination == session::MemoryKind::Pageable;
}

void Subject::add(const session::Transfer& transfer) {
    if (transfer.kind == session::TransferKind::GpuFault) faults.add(transfer);
    if (transfer.kind == session::TransferKind::Migration &&
        transfer.direction == session::TransferDirection::HostToDevice)
        onDemand.add(transfer);
    if (transfer.kind == session::TransferKind::Migration &&
        transfer.direction == session::TransferDirection::DeviceToHost)
        backAgain.add(transfer);
    const bool up = transfer.direction == session::TransferDirection::HostToDevice;
    if (transfer.kind != session::TransferKind::Copy ||
        (!up && transfer.direction != session::TransferDirection::DeviceToHost) || transfer.count == 0)
        return;
    (up ? toDevice : toHost).add(transfer);
    alike[{transfer.direction, isPageable(transfer)}].add(transfer);
    streams.insert(transfer.stream);
    waits = waits || !transfer.asynchronous || isPageable(transfer);
    if (!isPageable(transfer)) return;
    pageable.add(transfer);
    const double count = static_cast<double>(transfer.count);
    pageableUp = up;
    *pinnedNs += count * times.ns(static_cast<double>(transfer.bytes) / count, up, false);
}

/// Whose times an estimate is made with.
std::string estimatedBy(const gains::CopyTimes& times, bool toDevice, bool pageable) {
    return fmt::format(" (estimated {})", times.source(toDevice, pageable));
}

std::string rateText(const Sum& sum) {
    const bool known = sum.ns && *sum.ns > 0;
    return known ? fmt::format(" at {}",
                               metrics::forPeople(sum.bytes / *sum.ns * 1e9, metrics::Unit::BytesPerSecond))
                 : "";
}

std::string countText(double count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", metrics::forPeople(count, metrics::Unit::Count), count == 1 ? one : many);
}

using Findings = std::vector<TransferFinding>;

void checkPageable(const std::string& name, const Subject& subject, Findings& out) {
    const Sum& sum = subject.pageable;
    // Without times, as where copies are emulated, nobody knows whether pinning would pay.
    if (!(sum.bytes > 0) || !sum.ns) return;
    const double gain = *sum.ns - *subject.pinnedNs;
    if (!(gain > kWorthwhile * *sum.ns)) return;
    out.push_back(
        {name, *sum.ns,
         makeFinding(FindingKind::PageableCopies,
                     fmt::format("{}, {} in total, from or to pageable memory{}; pinned memory is copied "
                                 "directly, not staged by the driver{}",
                                 countText(sum.count, "copy", "copies"),
                                 metrics::forPeople(sum.bytes, metrics::Unit::Bytes), rateText(sum),
                                 estimatedBy(subject.times, subject.pageableUp, false)),
                     gain)});
}

void checkSmall(const std::string& name, const Subject& subject, Findings& out) {
    double count = 0, bytes = 0, ns = 0, gain = 0;
    std::string estimated;
    for (const auto& [key, sum] : subject.alike) {
        if (!sum.ns || sum.count < kMany) continue;
        const bool up = key.first == session::TransferDirection::HostToDevice;
        const double saved = *sum.ns - subject.times.ns(sum.bytes, up, key.second);
        if (!(saved > kWorthwhile * *sum.ns)) continue;
        estimated = estimatedBy(subject.times, up, key.second);
        count += sum.count;
        bytes += sum.bytes;
        ns += *sum.ns;
        gain += saved;
    }
    if (!(gain > 0)) return;
    out.push_back(
        {name, ns,
         makeFinding(FindingKind::SmallCopies,
                     fmt::format("{} copies of {} take {} each, mostly call overhead; a single copy would "
                                 "take {}{}",
                                 metrics::forPeople(count, metrics::Unit::Count),
                                 metrics::forPeople(bytes / count, metrics::Unit::Bytes),
                                 metrics::forPeople(ns / count, metrics::Unit::Nanoseconds),
                                 metrics::forPeople(ns - gain, metrics::Unit::Nanoseconds), estimated),
                     gain)});
}

/// `managedBytes`: that the program allocated.
void checkMigrations(const std::string& name, const Subject& subject, double managedBytes, Findings& out) {
    const Sum& faults = subject.faults;
    if (!(faults.count > 0)) return;
    std::optional<double> gain;
    if (faults.ns && *faults.ns > 0) {
        gain = *faults.ns - subject.times.ns(subject.onDemand.bytes, true, false);
        if (!(*gain > kWorthwhile * *faults.ns)) return;
    }
    const std::string moved =
        subject.onDemand.count > 0
            ? fmt::format(": {} in {} of {}",
                          metrics::forPeople(subject.onDemand.bytes, metrics::Unit::Bytes),
                          countText(subject.onDemand.count, "migration", "migrations"),
                          metrics::forPeople(subject.onDemand.each(), metrics::Unit::Bytes))
            : "";
    // What moved to the GPU more than twice its size came back in between.
    const bool thrashes = managedBytes > 0 && subject.onDemand.bytes > 2 * managedBytes &&
                          subject.backAgain.bytes > managedBytes;
    out.push_back(
        {name, faults.ns.value_or(0),
         makeFinding(
             thrashes ? FindingKind::ThrashingPages : FindingKind::Migrations,
             fmt::format(
                 "{}{}{}{}{}", countText(faults.count, "GPU page fault", "GPU page faults"),
                 gain ? " stalled it for " + metrics::forPeople(faults.ns, metrics::Unit::Nanoseconds) : "",
                 moved,
                 thrashes ? fmt::format(", and {} back to the host",
                                        metrics::forPeople(subject.backAgain.bytes, metrics::Unit::Bytes))
                          : "",
                 gain ? estimatedBy(subject.times, true, false) : ""),
             gain)});
}

void checkDominating(const std::string& name, const Subject& subject, Findings& out) {
    const Sum &up = subject.toDevice, &down = subject.toHost;
    if (!up.ns || !down.ns || !(subject.kernelNs > 0)) return;
    const double copies = *up.ns + *down.ns;
    if (!(copies > subject.kernelNs)) return;
    // One stream serializes everything; on several, both copy engines and the SMs work at once.
    std::optional<double> gain;
    if (!subject.waits && subject.streams.size() == 1)
        gain = copies + subject.kernelNs - std::max({*up.ns, *down.ns, subject.kernelNs});
    out.push_back({name, copies,
                   makeFinding(FindingKind::CopiesDominate,
                               fmt::format("{} copied in {}, kernels took {}{}",
                                           metrics::forPeople(up.bytes + down.bytes, metrics::Unit::Bytes),
                                           metrics::forPeople(copies, metrics::Unit::Nanoseconds),
                                           metrics::forPeople(subject.kernelNs, metrics::Unit::Nanoseconds),
                                           gain ? "; all serialized on one stream" : ""),
                               gain && *gain > 0 ? gain : std::nullopt)});
}

} // namespace

std::optional<double> transferCostNs(const session::Transfer& transfer) {
    const auto engine = plausible(transfer.durationNs), call = plausible(transfer.callNs);
    if ((transfer.asynchronous && !isPageable(transfer)) || !call) return engine;
    return std::max(*call, engine.value_or(0));
}

std::vector<TransferFinding> transferFindings(const session::Session& session) {
    const bool suite = !session.workloads().empty();
    std::vector<TransferFinding> found;
    if (!suite) programFindings(session, found);
    std::vector<std::string> order;
    std::map<std::string, Subject> places;
    const std::int32_t first = session.transfers().empty() ? 0 : session.transfers().front().device;
    Subject all(gains::CopyTimes(session, first));
    for (const session::Transfer& transfer : session.transfers()) {
        std::string name = transfer.workload.empty() ? transfer.nvtx : transfer.workload;
        if (suite && name.empty()) continue;
        if (name.empty()) name = "copies";
        const auto [place, isNew] = places.try_emplace(name, gains::CopyTimes(session, transfer.device));
        if (isNew) order.push_back(name);
        place->second.add(transfer);
        all.add(transfer);
    }
    if (places.empty()) return found;
    for (const session::Launch& launch : session.launches()) {
        const double ns = metrics::plausibleDurationNs(launch).value_or(0);
        all.kernelNs += ns;
        if (const auto place = places.find(launch.workload); place != places.end())
            place->second.kernelNs += ns;
    }
    double managedBytes = 0;
    for (const session::MemoryCall& call : session.memoryCalls())
        if (call.memory == session::MemoryKind::Managed && call.call.find("Alloc") != std::string::npos)
            managedBytes += static_cast<double>(call.bytes);
    for (const std::string& name : order) {
        const Subject& subject = places.at(name);
        checkPageable(name, subject, found);
        checkSmall(name, subject, found);
        checkMigrations(name, subject, managedBytes, found);
        if (suite) checkDominating(name, subject, found);
    }
    // Ranges that copy need not be those that compute: a program is judged as a whole.
    if (!suite) checkDominating("copies", all, found);
    return found;
}

} // namespace dormer::findings
