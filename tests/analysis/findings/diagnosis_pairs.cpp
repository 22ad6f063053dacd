// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/diagnosis_pairs.h"

#include "analysis/findings/finding_transfer.h"
#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

using namespace dormer::diagnosis;

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

namespace dormer::tests {

namespace {

constexpr double kSameShare = 0.9;

/// What a recording has of one workload, all runs of it.
struct Measured {
    double runs = 0;
    double elapsedNs = 0, kernelNs = 0, copyNs = 0;
    bool migrates = false;
    std::map<std::string, double> gains; ///< by code

    [[nodiscard]] double ns() const {
        if (kernelNs > 0 && (copyNs > 0 || migrates)) return elapsedNs;
        return kernelNs > 0 ? kernelNs : copyNs;
    }
    [[nodiscard]] double share(const std::string& code) const {
        const auto found = gains.find(code);
        return found == gains.end() ? 0 : found->second / ns();
    }
};

std::map<std::string, Measured> measure(const Session& session) {
    std::map<std::string, Measured> all;
    for (const NvtxRange& range : session.ranges()) {
        Measured& of = all[range.path];
        ++of.runs;
        of.elapsedNs += static_cast<double>(range.endNs - range.startNs);
    }
    for (const Launch& launch : session.launches())
        all[launch.workload].kernelNs += plausibleDurationNs(launch).value_or(0);
    for (const Transfer& transfer : session.transfers()) {
        Measured& of = all[transfer.workload];
        if (transfer.kind == TransferKind::Copy) of.copyNs += transferCostNs(transfer).value_or(0);
        of.migrates = of.migrates || transfer.kind == TransferKind::Migration;
    }
    const Diagnosis diagnosis(session);
    for (const ToDo& item : toDoList(diagnosis, static_cast<std::size_t>(-1)))
        if (item.gainNs)
            all[item.launch ? session.launch(*item.launch).workload : item.subject]
                .gains[item.finding.code] += *item.gainNs;
    return all;
}

/// Where the links to better workloads end.
const Workload* endOf(const std::map<std::string, const Workload*>& workloads, const Workload* from) {
    std::set<std::string> seen;
    while (!from->better.empty()) {
        if (!seen.insert(from->workload).second) throw std::runtime_error("a circle at " + from->workload);
        const auto next = workloads.find(from->better);
        if (next == workloads.end()) return nullptr;
        from = next->second;
    }
    return from;
}

double median(std::vector<double> values) {
    if (values.empty()) throw std::runtime_error("no pairs");
    std::ranges::sort(values);
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

FaultPair pairOf(const Workload& workload, const Workload& better, const Measured& slow,
                 const Measured& fast) {
    FaultPair pair;
    pair.workload = workload.workload;
    pair.better = better.workload;
    pair.sweep = workload.sweep.empty() ? workload.workload : workload.sweep;
    pair.real = (slow.ns() / slow.runs) / (fast.ns() / fast.runs);
    double most = 0;
    for (const auto& [code, gain] : slow.gains) {
        if (gain <= most || fast.share(code) >= kSameShare * slow.share(code)) continue;
        most = gain;
        pair.code = code;
    }
    pair.predicted = slow.ns() / (slow.ns() - most);
    return pair;
}

} // namespace

double FaultPair::error() const {
    return std::abs(predicted / real - 1);
}

Diagnosed diagnose(const Session& session, double mostAlarm) {
    Diagnosed result;
    const std::map<std::string, Measured> measured = measure(session);
    std::map<std::string, const Workload*> workloads;
    for (const Workload& each : session.workloads())
        workloads[each.workload] = &each;
    const auto measuredOf = [&](const Workload* workload) -> const Measured* {
        const auto found = workload == nullptr ? measured.end() : measured.find(workload->workload);
        return found == measured.end() || !(found->second.ns() > 0) ? nullptr : &found->second;
    };
    for (const Workload& each : session.workloads()) {
        const Measured* own = measuredOf(&each);
        if (own == nullptr) continue;
        if (each.good)
            for (const auto& [code, gain] : own->gains)
                if (gain > mostAlarm * own->ns())
                    result.alarms.push_back({each.workload, code, gain / own->ns()});
        if (each.better.empty()) continue;
        const Workload* better = endOf(workloads, &each);
        const Measured* other = measuredOf(better);
        if (other == nullptr) continue;
        if (each.wrongByDesign)
            result.wrong.push_back(each.workload);
        else
            result.pairs.push_back(pairOf(each, *better, *own, *other));
    }
    return result;
}

std::vector<FaultPair> againstBest(const Session& session, std::string_view sweep, std::string_view code) {
    const std::map<std::string, Measured> measured = measure(session);
    const auto runNs = [&](const Workload* each) {
        const Measured& of = measured.at(each->workload);
        return of.ns() / of.runs;
    };
    std::vector<const Workload*> points;
    for (const Workload& each : session.workloads())
        if (each.sweep == sweep) points.push_back(&each);
    if (points.empty()) throw std::runtime_error("no such sweep");
    const Workload* best = *std::ranges::min_element(points, {}, runNs);
    std::vector<FaultPair> pairs;
    for (const Workload* each : points) {
        FaultPair pair = pairOf(*each, *best, measured.at(each->workload), measured.at(best->workload));
        if (pair.code == code) pairs.push_back(std::move(pair));
    }
    return pairs;
}

double medianError(const std::vector<FaultPair>& pairs) {
    std::vector<double> errors;
    for (const FaultPair& pair : pairs)
        errors.push_back(pair.error());
    return median(std::move(errors));
}

double medianErrorBySweep(const std::vector<FaultPair>& pairs) {
    std::map<std::string, std::vector<FaultPair>> sweeps;
    for (const FaultPair& pair : pairs)
        sweeps[pair.sweep].push_back(pair);
    std::vector<double> errors;
    for (const auto& [sweep, of] : sweeps)
        errors.push_back(medianError(of));
    return median(std::move(errors));
}

} // namespace dormer::tests
