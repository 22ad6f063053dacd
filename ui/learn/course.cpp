// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/learn/course.h"

#include "ui/look/words.h"

#include <algorithm>
#include <map>

namespace dormer::ui::learn {

using instrument::launch::WorkloadInfo;

namespace {

Choice choiceOf(const WorkloadInfo& workload) {
    return {look::words(workload.path()), look::words(workload.variant), look::words(workload.shows)};
}

/// Of many, so many that lie evenly apart, first and last among them.
std::vector<const WorkloadInfo*> spread(const std::vector<const WorkloadInfo*>& points, std::size_t most) {
    if (points.size() <= most) return points;
    std::vector<const WorkloadInfo*> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(points[i * (points.size() - 1) / (most - 1)]);
    return some;
}

} // namespace

QStringList Lesson::workloads() const {
    QStringList paths;
    for (const Choice& choice : choices)
        paths << choice.workload;
    return paths;
}

std::vector<Lesson> lessonsOf(const std::vector<WorkloadInfo>& suite) {
    struct Family {
        std::vector<const WorkloadInfo*> single, points;
    };
    std::vector<std::string> order;
    std::map<std::string, Family> families;
    for (const WorkloadInfo& workload : suite) {
        if (!families.contains(workload.family)) order.push_back(workload.family);
        Family& family = families[workload.family];
        if (!workload.wrongByDesign)
            (workload.sweep.empty() ? family.single : family.points).push_back(&workload);
    }
    std::vector<Lesson> lessons;
    for (const std::string& name : order) {
        const Family& family = families[name];
        constexpr std::size_t kMostPoints = 3;
        std::vector<const WorkloadInfo*> compared = family.single;
        if (compared.size() < 2) {
            const auto points = spread(family.points, kMostPoints);
            compared.insert(compared.end(), points.begin(), points.end());
        }
        if (compared.size() < 2) continue;
        compared.resize(std::min(compared.size(), kMostChoices));
        Lesson lesson{look::words(name),
                      look::words(compared.front()->title.empty() ? name : compared.front()->title),
                      look::words(compared.front()->familyShows),
                      {}};
        for (const WorkloadInfo* each : compared)
            lesson.choices.push_back(choiceOf(*each));
        lessons.push_back(std::move(lesson));
    }
    return lessons;
}

std::vector<Outcome> outcomesOf(const Lesson& lesson, const diagnosis::Diagnosis& diagnosis) {
    std::vector<Outcome> outcomes;
    const session::Session& session = diagnosis.metrics().session();
    for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
        Outcome outcome{.choice = i};
        double most = 0;
        for (const metrics::LaunchGroup& group : diagnosis.groups()) {
            if (look::words(session.launch(group.representative).workload) != lesson.choices[i].workload ||
                group.calls() == 0 || group.totalNs <= 0)
                continue;
            outcome.ns += group.totalNs / static_cast<double>(group.calls());
            if (group.totalNs <= most) continue;
            most = group.totalNs;
            outcome.launch = group.representative;
            outcome.bound = diagnosis.verdict(group.representative).bound;
        }
        if (outcome.ns > 0) outcomes.push_back(outcome);
    }
    std::ranges::stable_sort(outcomes, {}, &Outcome::ns);
    return outcomes;
}

} // namespace dormer::ui::learn
