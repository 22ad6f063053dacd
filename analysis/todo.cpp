// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/todo.h"

#include "analysis/finding_transfer.h"
#include "analysis/launch_facts.h"

#include <algorithm>
#include <functional>

namespace dormer::analysis {

namespace {

/// A to-do with what orders it where no gain is known.
struct Ranked {
    ToDo item;
    double ns = 0; ///< time of all that it is about
};

double transferNs(const Session& session) {
    // Of a suite, what stands outside of its workloads is their set-up and checks: nobody's to improve.
    const bool suite = !session.workloads().empty();
    double sum = 0;
    for (const Transfer& transfer : session.transfers()) {
        // Page faults hold kernels up, whose time has them.
        const bool fault = transfer.kind == "gpu_fault" || transfer.kind == "cpu_fault";
        if (!fault && (!suite || !transfer.workload.empty())) sum += transferCostNs(transfer).value_or(0);
    }
    return sum;
}

/// The gain of the `most`-th best item: a group that took no longer can't get into the list.
double leastWorthwhile(std::vector<double>& gains, std::size_t most) {
    if (most == 0 || gains.size() < most) return 0;
    const auto last = gains.begin() + static_cast<std::ptrdiff_t>(most - 1);
    std::ranges::nth_element(gains, last, std::greater{});
    return *last;
}

std::vector<Ranked> launchItems(const MetricEvaluator& metrics, std::vector<LaunchGroup> groups,
                                std::size_t most) {
    std::ranges::stable_sort(groups, std::greater{}, &LaunchGroup::totalNs);
    std::vector<Ranked> items;
    std::vector<double> gains;
    for (LaunchGroup& group : groups) {
        const double least = leastWorthwhile(gains, most);
        if (least > 0 && group.totalNs <= least) break;
        const LaunchIndex launch = group.representative;
        const auto duration = plausibleDurationNs(metrics.session().launch(launch));
        for (Finding& finding : findings(metrics, launch, judge(metrics, launch))) {
            ToDo item{launch, group.label, group.launches.size(), std::move(finding), std::nullopt, 0};
            if (item.finding.gainNs && duration) {
                item.gainNs = *item.finding.gainNs / *duration * group.totalNs;
                gains.push_back(*item.gainNs);
            }
            items.push_back({std::move(item), group.totalNs});
        }
    }
    return items;
}

} // namespace

std::vector<ToDo> toDoList(const MetricEvaluator& metrics, std::size_t most) {
    const Session& session = metrics.session();
    std::vector<LaunchGroup> groups = groupLaunches(session);
    double sessionNs = transferNs(session);
    for (const LaunchGroup& group : groups)
        sessionNs += group.totalNs;

    std::vector<Ranked> ranked = launchItems(metrics, std::move(groups), most);
    for (TransferFinding& each : transferFindings(session)) {
        ToDo item{std::nullopt, std::move(each.subject), 0, std::move(each.finding), std::nullopt, 0};
        item.gainNs = item.finding.gainNs;
        ranked.push_back({std::move(item), each.ns});
    }
    std::ranges::stable_sort(ranked, [](const Ranked& a, const Ranked& b) {
        if (a.item.gainNs && b.item.gainNs) return *a.item.gainNs > *b.item.gainNs;
        if (a.item.gainNs.has_value() != b.item.gainNs.has_value()) return a.item.gainNs.has_value();
        return a.ns > b.ns;
    });
    if (ranked.size() > most) ranked.resize(most);
    std::vector<ToDo> list;
    list.reserve(ranked.size());
    for (Ranked& each : ranked) {
        if (each.item.gainNs && sessionNs > 0) each.item.share = *each.item.gainNs / sessionNs;
        list.push_back(std::move(each.item));
    }
    return list;
}

} // namespace dormer::analysis
