// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/run_changes.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::compare {

namespace {

constexpr std::size_t kMostLabels = 4;

std::string people(double ns) {
    return metrics::forPeople(ns, metrics::Unit::Nanoseconds);
}

bool hasFinding(const std::vector<diagnosis::GroupFinding>& found, const std::string& code) {
    return std::ranges::find(found, code, &diagnosis::GroupFinding::code) != found.end();
}

/// Without the counters or the counts per line that a recommendation came from, its absence says nothing.
std::string whyNotCompared(const diagnosis::Diagnosis& base, session::LaunchIndex ours,
                           const diagnosis::Diagnosis& fresh, session::LaunchIndex theirs) {
    const auto counted = [](const diagnosis::Diagnosis& of, session::LaunchIndex launch) {
        const auto& counters = of.session().counters();
        for (std::size_t column = 0; column < counters.names().size(); ++column)
            if (counters.get(launch, column)) return true;
        return false;
    };
    if (counted(base, ours) && !counted(fresh, theirs)) return "collected without counters now";
    if (!counted(base, ours) && counted(fresh, theirs)) return "the baseline was collected without counters";
    if (!base.lines(ours).empty() && fresh.lines(theirs).empty())
        return "collected without counts per line now";
    if (base.lines(ours).empty() && !fresh.lines(theirs).empty())
        return "the baseline was collected without counts per line";
    return {};
}

void compareFindings(const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh,
                     KernelChange& change) {
    const metrics::LaunchGroup& theirs = fresh.groups()[change.freshGroup];
    change.notCompared = whyNotCompared(base, change.base, fresh, theirs.representative);
    if (!change.notCompared.empty()) return;
    const auto &before = base.findingsOfGroup(change.baseGroup),
               &after = fresh.findingsOfGroup(change.freshGroup);
    for (const diagnosis::GroupFinding& finding : before)
        if (!hasFinding(after, finding.code))
            change.fixed.push_back(
                finding.totalGainNs
                    ? fmt::format("{} (est. savings were {})", finding.title, people(*finding.totalGainNs))
                    : finding.title);
    for (const diagnosis::GroupFinding& finding : after)
        if (!hasFinding(before, finding.code)) change.appeared.push_back(finding.title);
}

KernelChange changeOf(const Comparison& comparison, const KernelComparison& kernel,
                      const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh) {
    KernelChange change;
    change.baseGroup = base.groupOf(comparison.base[kernel.match.base].launches.front());
    change.freshGroup = fresh.groupOf(comparison.fresh[kernel.match.fresh].launches.front());
    change.base = base.groups()[change.baseGroup].representative;
    change.change = kernel.change;
    change.why = kernel.why;
    change.ratio = kernel.ratio();
    if (change.ratio)
        change.times = fmt::format("{} → {} per launch, {}", people(*kernel.baseNs), people(*kernel.freshNs),
                                   changeText(*change.ratio));
    change.was = verdict::headline(base.verdict(change.base));
    change.is = verdict::headline(fresh.verdict(fresh.groups()[change.freshGroup].representative));
    compareFindings(base, fresh, change);
    return change;
}

std::string headlineOf(const Comparison& comparison) {
    std::size_t faster = 0, slower = 0;
    double before = 0, after = 0;
    for (const KernelComparison& kernel : comparison.kernels) {
        faster += kernel.change == Change::Faster ? 1 : 0;
        slower += kernel.change == Change::Slower ? 1 : 0;
        if (!kernel.ratio()) continue;
        before += *kernel.baseNs * static_cast<double>(kernel.baseLaunches);
        after += *kernel.freshNs * static_cast<double>(kernel.freshLaunches);
    }
    std::string text =
        fmt::format("{} {} faster, {} slower", faster, faster == 1 ? "kernel" : "kernels", slower);
    if (before > 0)
        text += fmt::format(" · {} → {} ({})", people(before), people(after), changeText(after / before));
    return text;
}

} // namespace

std::string changeText(double ratio) {
    const double percent = (ratio - 1) * 100;
    if (std::abs(percent) < 0.05) return "0.0 %";
    return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::abs(percent));
}

const KernelChange* RunChanges::ofGroup(std::size_t freshGroup) const {
    return freshGroup < byGroup.size() && byGroup[freshGroup] ? &kernels[*byGroup[freshGroup]] : nullptr;
}

RunChanges runChanges(const diagnosis::Diagnosis& base, const diagnosis::Diagnosis& fresh) {
    const Comparison comparison = compareSessions(base, fresh);
    RunChanges changes;
    changes.warnings = comparison.warnings;
    changes.headline = headlineOf(comparison);
    changes.byGroup.resize(fresh.groups().size());
    for (const KernelComparison& kernel : comparison.kernels) {
        for (const session::LaunchIndex launch : comparison.fresh[kernel.match.fresh].launches)
            changes.byGroup[fresh.groupOf(launch)] = changes.kernels.size();
        changes.kernels.push_back(changeOf(comparison, kernel, base, fresh));
    }
    for (const std::size_t i : comparison.onlyBase)
        changes.gone.push_back(comparison.base[i].label);
    for (const std::size_t i : comparison.onlyFresh)
        changes.added.push_back(comparison.fresh[i].label);
    return changes;
}

std::vector<ChangeLine> changeLines(const KernelChange& change) {
    using enum ChangeLine::Kind;
    std::vector<ChangeLine> lines;
    if (!change.times.empty()) {
        std::string text = change.times;
        if (change.change == Change::Unsure)
            text += fmt::format("; unsure: {}", change.why);
        else if (change.change != Change::Same)
            text += fmt::format(", {}", toString(change.change));
        lines.push_back({Plain, std::move(text)});
    }
    if (change.verdictChanged()) lines.push_back({Plain, fmt::format("{} → {}", change.was, change.is)});
    for (const std::string& title : change.fixed)
        lines.push_back({Fixed, fmt::format("Fixed: {}", title)});
    for (const std::string& title : change.appeared)
        lines.push_back({New, fmt::format("New: {}", title)});
    if (!change.notCompared.empty())
        lines.push_back({Plain, fmt::format("Recommendations are not compared: {}", change.notCompared)});
    return lines;
}

std::vector<ChangeLine> changeLines(const RunChanges& changes, const diagnosis::Diagnosis& fresh) {
    using enum ChangeLine::Kind;
    std::vector<ChangeLine> lines{{Plain, changes.headline}};
    for (const KernelChange& kernel : changes.kernels) {
        const std::string& label = fresh.groups()[kernel.freshGroup].label;
        for (const std::string& title : kernel.fixed)
            lines.push_back({Fixed, fmt::format("Fixed in {}: {}", label, title)});
        for (const std::string& title : kernel.appeared)
            lines.push_back({New, fmt::format("New in {}: {}", label, title)});
    }
    const auto list = [&](std::string_view words, const std::vector<std::string>& labels) {
        std::string text;
        for (std::size_t i = 0; i < std::min(kMostLabels, labels.size()); ++i)
            text += (i == 0 ? "" : ", ") + labels[i];
        if (labels.size() > kMostLabels) text += fmt::format(" and {} more", labels.size() - kMostLabels);
        if (!text.empty()) lines.push_back({Plain, fmt::format("{}: {}", words, text)});
    };
    list("Only in the baseline", changes.gone);
    list("Only in this run", changes.added);
    for (const std::string& warning : changes.warnings)
        lines.push_back({Plain, warning});
    return lines;
}

const view::Column& changeColumn() {
    static const view::Column kColumn{
        .title = "change",
        .unit = "%",
        .tooltip = "Time of a launch against the baseline, the run before: below 0 is faster.",
        .numeric = true,
        .widest = "−100.0"};
    return kColumn;
}

view::Cell changeCell(const RunChanges& changes, std::size_t freshGroup) {
    const KernelChange* change = changes.ofGroup(freshGroup);
    if (change == nullptr)
        return {
            .text = "new", .tooltip = "The baseline has no such kernel", .emphasis = view::Emphasis::Missing};
    if (!change->ratio)
        return {
            .text = std::string(view::kDash), .tooltip = change->why, .emphasis = view::Emphasis::Missing};
    std::string text = changeText(*change->ratio);
    text.resize(text.size() - 2); // the head has the unit
    return {.text = std::move(text),
            .value = *change->ratio - 1,
            .tooltip = change->times + (change->why.empty() ? "" : "; unsure: " + change->why),
            .emphasis = change->change == Change::Slower ? view::Emphasis::Bad : view::Emphasis::None};
}

} // namespace dormer::compare
