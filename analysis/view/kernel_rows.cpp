// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/kernel_rows.h"

#include "analysis/findings/finding_catalogue.h"

#include <algorithm>

namespace dormer::view {

namespace {

KernelRow makeRow(const diagnosis::Diagnosis& diagnosis, const KernelTable& table, std::size_t at) {
    const metrics::LaunchGroup& group = diagnosis.groups()[at];
    KernelRow row{.label = group.label,
                  .qualifier = table.qualifierOf(at),
                  .launch = group.representative,
                  .launches = group.launches,
                  .totalNs = group.totalNs,
                  .share = table.totalNs() > 0 ? group.totalNs / table.totalNs() : 0,
                  .verdict = diagnosis.verdict(group.representative),
                  .findings = diagnosis.findingsOfGroup(at)};
    for (const diagnosis::GroupFinding& finding : row.findings)
        if (finding.code == findings::kLaunchesDiffer) row.differ = finding.evidence;
    if (const auto gain = diagnosis.gainOfGroup(at)) {
        row.gainNs = gain->ns;
        row.speedup = gain->speedup;
    }
    for (std::size_t column = 0; column < kKernelColumns; ++column)
        row.cells.push_back(table.cell(at, static_cast<KernelColumn>(column)));
    return row;
}

} // namespace

KernelRows kernelRows(const diagnosis::Diagnosis& diagnosis, std::size_t limit) {
    const KernelTable table(diagnosis);
    KernelRows result{.groups = table.rows(),
                      .totalNs = table.totalNs(),
                      .launches = diagnosis.session().launches().size()};
    for (std::size_t column = 0; column < kKernelColumns; ++column)
        result.columns.push_back(table.column(static_cast<KernelColumn>(column)));
    for (const std::size_t row : metrics::longestFirst(diagnosis.groups(), limit))
        result.rows.push_back(makeRow(diagnosis, table, row));
    // By representative, as the rows are.
    for (const metrics::LaunchGroup& group : diagnosis.groups()) {
        const verdict::Bound bound = diagnosis.verdict(group.representative).bound;
        auto tally = std::ranges::find(result.bounds, bound, &BoundTally::bound);
        if (tally == result.bounds.end()) tally = result.bounds.insert(tally, BoundTally{bound});
        ++tally->groups;
        tally->totalNs += group.totalNs;
    }
    return result;
}

std::string fullLabel(const KernelRow& row) {
    return row.cell(KernelColumn::Name).text;
}

} // namespace dormer::view
