// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Heads and cells of the kernel table: numbers into words.
#include "analysis/access/excess.h"
#include "analysis/metrics/format.h"
#include "analysis/metrics/predicted_range.h"
#include "analysis/view/kernel_table.h"

#include "analysis/view/verdict_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view {

using session::LaunchIndex;

namespace {

/// A template-heavy name can be half a megabyte.
constexpr std::size_t kLongestName = 1000;

/// Whole percents from 10 on; the unit stands in the head.
std::string percentText(double ratio) {
    const double percent = 100 * ratio;
    if (percent > 0 && percent < 0.1) return "< 0.1";
    if (std::abs(percent) >= 99'999.5) return fmt::format("{:.0e}", percent); // counters that can't be right
    const std::string text = metrics::forPeople(ratio, metrics::Unit::Ratio);
    return text.substr(0, text.find(' '));
}

std::string waysText(double ways) {
    return access::isExcess(ways, 1.0) ? fmt::format("{:.{}f}-way", ways, ways >= 9.95 ? 0 : 1) : "none";
}

std::string sectorsText(const SectorsPerRequest& sectors) {
    const auto people = [](double value) { return metrics::forPeople(value, metrics::Unit::Count); };
    const std::string_view of = sectors.ofStores ? " st" : " ld";
    return sectors.ideal ? fmt::format("{} / {}{}", people(sectors.actual), people(*sectors.ideal), of)
                         : people(sectors.actual) + std::string(of);
}

std::string whyMissing(const metrics::MetricEvaluator& metrics, LaunchIndex launch, KernelColumn column) {
    const std::string& notCounted = metrics.session().launch(launch).notCounted;
    if (column == KernelColumn::Savings) return "No finding of this kernel has a reliable estimate.";
    if (column == KernelColumn::Time || column == KernelColumn::Share)
        return "not timed: no uninstrumented run of this launch was recorded";
    if (!notCounted.empty()) return "not counted: " + notCounted;
    if (column == KernelColumn::Conflicts) return "no shared-memory traffic was counted";
    const std::string input = metrics.missingInput(launch, kernelColumn(column).metric);
    if (!input.empty()) return "not collected: " + input;
    return column == KernelColumn::Dram ? "the DRAM roof of this device is not known"
                                        : "undefined: the formula has no finite value";
}

} // namespace

std::optional<SectorsPerRequest> sectorsPerRequest(const metrics::MetricEvaluator& metrics,
                                                   session::LaunchIndex launch) {
    const auto of = [&](std::string_view actual, std::string_view ideal, bool stores) {
        const auto sectors = metrics.value(launch, actual);
        return sectors ? std::optional(SectorsPerRequest{*sectors, metrics.value(launch, ideal), stores})
                       : std::nullopt;
    };
    const auto loads = of("global_load_sectors_per_request", "global_load_sectors_ideal_per_request", false);
    const auto stores =
        of("global_store_sectors_per_request", "global_store_sectors_ideal_per_request", true);
    const auto waste = [](const SectorsPerRequest& each) {
        return each.ideal && *each.ideal > 0 ? each.actual / *each.ideal : 1.0;
    };
    if (!loads || !stores) return loads ? loads : stores;
    return waste(*stores) > waste(*loads) ? stores : loads;
}

std::string KernelTable::timeText(double ns) const {
    // What would be rounded to nothing is not written as nothing.
    const double least = std::pow(10.0, -m_time.decimals) * m_time.factor;
    return ns > 0 && ns < least / 2 ? "< " + m_time.text(least) : m_time.text(ns);
}

Column KernelTable::column(KernelColumn which) const {
    Column column = kernelColumn(which);
    if (which == KernelColumn::Calls && m_grouping == Grouping::AllLaunches) {
        column.title = "launch";
        column.tooltip = "Number of the launch, in launch order.";
    }
    if (which == KernelColumn::Calls) column.widest = fmt::format("{}", m_mostCalls);
    if (which == KernelColumn::Time || which == KernelColumn::Savings) {
        column.unit = m_time.unit;
        const std::string longest = m_time.text(m_longestNs), least = timeText(1e-3);
        column.widest = "−" + (longest.size() > least.size() ? longest : least);
    }
    return column;
}

Cell KernelTable::cell(std::size_t row, KernelColumn column) const {
    const LaunchIndex launch = launchAt(row);
    const metrics::MetricEvaluator& metrics = m_diagnosis.metrics();
    Cell cell{.text = {}, .value = value(row, column)};
    if (column == KernelColumn::Name) {
        cell.text = nameOf(row);
        cell.tooltip = metrics.session().kernelOf(launch).name.substr(0, kLongestName);
        return cell;
    }
    if (!cell.value) {
        cell.tooltip = whyMissing(metrics, launch, column);
        if (column == KernelColumn::Savings) return cell;
        cell.text = kDash;
        cell.emphasis = Emphasis::Missing;
        return cell;
    }
    const auto emphasize = [&cell](bool bad) { cell.emphasis = bad ? Emphasis::Bad : Emphasis::None; };
    switch (column) {
    case KernelColumn::Name:
        break;
    case KernelColumn::Verdict:
        cell.text = markOf(m_diagnosis.verdict(launch).bound).word;
        cell.tooltip = headline(m_diagnosis.verdict(launch));
        break;
    case KernelColumn::Calls:
        cell.text = fmt::format("{:.0f}", *cell.value);
        break;
    case KernelColumn::Time:
        cell.text = timeText(*cell.value);
        break;
    case KernelColumn::Share:
    case KernelColumn::Dram:
    case KernelColumn::L2Hit:
    case KernelColumn::Occupancy:
        cell.text = percentText(*cell.value);
        break;
    case KernelColumn::Sectors:
        if (const auto sectors = sectorsPerRequest(metrics, launch)) {
            cell.text = sectorsText(*sectors);
            cell.tooltip = sectors->ofStores ? "global stores" : "global loads";
            emphasize(access::isExcess(sectors->actual, sectors->ideal));
        }
        break;
    case KernelColumn::Conflicts:
        cell.text = waysText(*cell.value);
        emphasize(access::isExcess(*cell.value, 1.0));
        break;
    case KernelColumn::Savings: {
        const std::string time = timeText(*cell.value);
        cell.text = time.starts_with('<') ? time : "−" + time;
        emphasize(true);
        break;
    }
    }
    return cell;
}

std::string KernelTable::qualifierOf(std::size_t row) const {
    if (isParted()) return m_qualifiers[m_parts[row].group];
    return m_grouping == Grouping::AllLaunches ? std::string() : m_qualifiers[row];
}

std::string KernelTable::nameOf(std::size_t row) const {
    if (m_grouping == Grouping::AllLaunches) return m_diagnosis.label(launchAt(row));
    const std::string qualifier = qualifierOf(row);
    const std::string name =
        qualifier.empty() ? group(row).label : fmt::format("{} ({})", group(row).label, qualifier);
    return isParted() ? fmt::format("{}: {}", m_parts[row].scope, name) : name;
}

std::string launchTotals(const diagnosis::Diagnosis& diagnosis, double totalNs) {
    const session::Session& session = diagnosis.session();
    const std::size_t launches = diagnosis.launches(), processes = session.processes().size();
    std::string range;
    if (session.launches().size() == 1) {
        range = metrics::predictedRangeText(session.launches().front());
    } else {
        double factor = 0;
        for (const session::Launch& launch : session.launches())
            if (metrics::predictedRange(launch)) factor = std::max(factor, launch.durationFactor);
        if (factor > 0) range = fmt::format(", each within a factor of {:.1f} in nine of ten", factor);
    }
    return fmt::format("{} {}{}, {} {}{}", launches, launches == 1 ? "launch" : "launches",
                       processes > 1 ? fmt::format(" of {} processes", processes) : "",
                       metrics::forPeople(totalNs, metrics::Unit::Nanoseconds), whereTimed(session), range);
}

} // namespace dormer::view
