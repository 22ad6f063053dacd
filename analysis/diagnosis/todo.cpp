// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding_transfer.h"
#include "analysis/metrics/launch_facts.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace dormer::diagnosis {

namespace {

/// A to-do with what orders it where no gain is known.
struct Ranked {
    ToDo item;
    double ns = 0; ///< time of all that it is about
};

double transferNs(const session::Session& session) {
    // Of a suite, what stands outside of its workloads is their set-up and checks: nobody's to improve.
    const bool suite = !session.workloads().empty();
    double sum = 0;
    for (const session::Transfer& transfer : session.transfers()) {
        // Page faults hold kernels up, whose time has them.
        const bool fault = session::isFault(transfer.kind);
        if (!fault && (!suite || !transfer.workload.empty()))
            sum += findings::transferCostNs(transfer).value_or(0);
    }
    return sum;
}

/// The `most` largest gains so far: a group that took no longer than the least of them can't get into the
/// list.
class LargestGains {
public:
    explicit LargestGains(std::size_t most) : m_most(most) {}
    void add(double gain) {
        m_gains.push(gain);
        if (m_gains.size() > m_most) m_gains.pop();
    }
    [[nodiscard]] bool full() const { return m_most > 0 && m_gains.size() == m_most; }
    [[nodiscard]] double least() const { return m_gains.top(); }

private:
    std::size_t m_most;
    std::priority_queue<double, std::vector<double>, std::greater<>> m_gains;
};

std::vector<Ranked> launchItems(const Diagnosis& diagnosis, std::size_t most) {
    const std::vector<metrics::LaunchGroup>& groups = diagnosis.groups();
    std::vector<Ranked> items;
    LargestGains gains(most);
    for (const std::size_t i : metrics::longestFirst(groups)) {
        const metrics::LaunchGroup& group = groups[i];
        if (gains.full() && group.totalNs <= gains.least()) break;
        const session::LaunchIndex launch = group.representative;
        for (const GroupFinding& finding : diagnosis.findingsOfGroup(i)) {
            ToDo item{launch, group.label, group.calls(), finding, finding.totalGainNs, 0, finding.scope};
            if (item.gainNs) gains.add(*item.gainNs);
            items.push_back({std::move(item), group.totalNs});
        }
    }
    return items;
}

} // namespace

std::vector<ToDo> toDoList(const Diagnosis& diagnosis, std::size_t most) {
    const session::Session& session = diagnosis.session();
    double sessionNs = transferNs(session);
    for (const metrics::LaunchGroup& group : diagnosis.groups())
        sessionNs += group.totalNs;

    std::vector<Ranked> ranked = launchItems(diagnosis, most);
    for (findings::TransferFinding& each : findings::transferFindings(session)) {
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

} // namespace dormer::diagnosis
