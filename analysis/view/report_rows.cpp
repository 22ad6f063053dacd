// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/report_rows.h"

#include "analysis/lines/conflict_ways.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace dormer::view {

namespace {

/// Excess from which the findings name sectors and wavefronts (docs/metrics.md).
constexpr double kExcessShare = 0.1;

bool exceeds(const std::optional<double>& actual, const std::optional<double>& ideal) {
    return actual && ideal && *actual - *ideal > kExcessShare * *actual;
}

/// Loads or stores, whichever moves more sectors a request over its ideal.
void fillSectors(const metrics::MetricEvaluator& metrics, ReportRow& row) {
    const auto load = metrics.value(row.launch, "global_load_sectors_per_request");
    const auto loadIdeal = metrics.value(row.launch, "global_load_sectors_ideal_per_request");
    const auto store = metrics.value(row.launch, "global_store_sectors_per_request");
    const auto storeIdeal = metrics.value(row.launch, "global_store_sectors_ideal_per_request");
    const auto ratio = [](const auto& actual, const auto& ideal) {
        return actual ? *actual / (ideal && *ideal > 0 ? *ideal : *actual) : 0.0;
    };
    const bool storeIsWorse = ratio(store, storeIdeal) > ratio(load, loadIdeal);
    row.sectorsPerRequest = storeIsWorse ? store : load;
    row.idealSectorsPerRequest = storeIsWorse ? storeIdeal : loadIdeal;
}

ReportRow makeRow(const diagnosis::Diagnosis& diagnosis, std::size_t index, double allNs) {
    const metrics::MetricEvaluator& metrics = diagnosis.metrics();
    const metrics::LaunchGroup& group = diagnosis.groups()[index];
    ReportRow row;
    row.label = group.label;
    row.launch = group.representative;
    row.launches = group.launches;
    row.totalNs = group.totalNs;
    row.share = allNs > 0 ? group.totalNs / allNs : 0;
    row.verdict = diagnosis.verdict(row.launch);
    row.findings = diagnosis.findingsOfGroup(index);
    row.dramUtilization = row.verdict.utilization[static_cast<std::size_t>(device::Resource::Dram)];
    row.l2HitRate = metrics.value(row.launch, "l2_hit_rate");
    row.conflictWays = lines::conflictWays(metrics, row.launch);
    row.occupancy = metrics.value(row.launch, "achieved_occupancy");
    fillSectors(metrics, row);
    if (const auto gain = diagnosis.gainOfGroup(index)) {
        row.gainNs = gain->ns;
        row.speedup = gain->speedup;
    }
    return row;
}

/// Groups of one workload at several sizes share a label; their launch configuration tells them apart.
void qualify(const session::Session& session, std::vector<ReportRow>& rows) {
    std::unordered_map<std::string, std::size_t> uses;
    for (const ReportRow& row : rows)
        ++uses[row.label];
    for (ReportRow& row : rows) {
        if (uses[row.label] < 2) continue;
        const session::Launch& launch = session.launch(row.launch);
        row.qualifier = fmt::format("grid {}, block {}", metrics::forPeople(launch.grid),
                                    metrics::forPeople(launch.block));
    }
}

} // namespace

ReportRows reportRows(const diagnosis::Diagnosis& diagnosis, std::size_t limit) {
    ReportRows result;
    result.groups = diagnosis.groups().size();
    for (const metrics::LaunchGroup& group : diagnosis.groups()) {
        result.totalNs += group.totalNs;
        result.launches += group.launches.size();
    }
    for (const std::size_t group : metrics::longestFirst(diagnosis.groups(), limit))
        result.rows.push_back(makeRow(diagnosis, group, result.totalNs));
    qualify(diagnosis.session(), result.rows);
    return result;
}

std::string fullLabel(const ReportRow& row) {
    return row.qualifier.empty() ? row.label : fmt::format("{} ({})", row.label, row.qualifier);
}

bool wastesSectors(const ReportRow& row) {
    return exceeds(row.sectorsPerRequest, row.idealSectorsPerRequest);
}

bool hasConflicts(const ReportRow& row) {
    return exceeds(row.conflictWays, 1.0);
}

std::string sectorsText(const ReportRow& row) {
    if (!row.sectorsPerRequest) return metrics::forPeople(std::nullopt, metrics::Unit::Count);
    const std::string actual = metrics::forPeople(*row.sectorsPerRequest, metrics::Unit::Count);
    return row.idealSectorsPerRequest
               ? fmt::format("{} / {}", actual,
                             metrics::forPeople(*row.idealSectorsPerRequest, metrics::Unit::Count))
               : actual;
}

std::string conflictsText(const ReportRow& row) {
    if (!row.conflictWays) return metrics::forPeople(std::nullopt, metrics::Unit::Count);
    if (!hasConflicts(row)) return "none";
    const bool large = *row.conflictWays >= 9.95;
    return fmt::format("{:.{}f}-way", *row.conflictWays, large ? 0 : 1);
}

std::string gainText(const ReportRow& row) {
    return row.gainNs ? "−" + metrics::forPeople(*row.gainNs, metrics::Unit::Nanoseconds) : std::string();
}

} // namespace dormer::view
