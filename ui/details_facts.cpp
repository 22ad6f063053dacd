// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details_facts.h"

#include "analysis/format.h"
#include "ui/kernel_columns.h"

#include <algorithm>

namespace dormer::ui {
namespace {

using analysis::forPeople;
using analysis::Unit;

/// Below this share of its roof a resource has no bar.
constexpr double kIdle = 0.001;
const QString kDot = QStringLiteral(" \u00b7 ");

QString people(const std::optional<double>& value, Unit unit) {
    return QString::fromStdString(forPeople(value, unit));
}

const analysis::Process* processOf(const analysis::Session& session, analysis::LaunchIndex launch) {
    const std::uint32_t index = session.launch(launch).process;
    return index < session.processes().size() ? &session.processes()[index] : nullptr;
}

analysis::Bound sideOf(analysis::Resource resource) {
    if (resource == analysis::Resource::IssueSlots) return analysis::Bound::Latency;
    return analysis::isMemory(resource) ? analysis::Bound::Memory : analysis::Bound::Compute;
}

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString configurationLine(const analysis::Session& session, analysis::LaunchIndex index) {
    const analysis::Launch& launch = session.launch(index);
    const analysis::Kernel& kernel = session.kernelOf(index);
    QStringList parts{QStringLiteral("grid %1").arg(QString::fromStdString(forPeople(launch.grid))),
                      QStringLiteral("block %1").arg(QString::fromStdString(forPeople(launch.block)))};
    if (kernel.registersPerThread > 0) parts << QStringLiteral("%1 registers").arg(kernel.registersPerThread);
    const std::uint64_t shared = kernel.staticSharedBytes + launch.dynamicSharedBytes;
    if (shared > 0)
        parts << QStringLiteral("%1 shared").arg(people(static_cast<double>(shared), Unit::Bytes));
    parts << QStringLiteral("stream %1").arg(launch.stream);
    if (launch.graphNode) parts << QStringLiteral("node %1 of a CUDA graph").arg(*launch.graphNode);
    if (const analysis::Process* process = processOf(session, index)) {
        const QString origin = view(analysis::toString(process->origin));
        parts << (process->passes > 1    ? QStringLiteral("%1 in %2 passes").arg(origin).arg(process->passes)
                  : process->passes == 1 ? QStringLiteral("%1 in one pass").arg(origin)
                                         : origin + QStringLiteral(", timing only"));
    }
    return parts.join(kDot);
}

std::vector<HeadroomBar> headroom(const analysis::Session& session, analysis::LaunchIndex launch,
                                  const analysis::Verdict& verdict) {
    std::vector<HeadroomBar> bars;
    for (int i = 0; i < analysis::kResourceCount; ++i) {
        const auto& share = verdict.utilization[static_cast<std::size_t>(i)];
        if (!share || *share < kIdle) continue;
        const auto resource = static_cast<analysis::Resource>(i);
        QString hint =
            QStringLiteral("<p><b>%1</b>: time this kernel's work needs at the roof, divided by its "
                           "time.</p>")
                .arg(view(analysis::title(resource)));
        if (const auto roof = ceilingDuring(session, launch, resource))
            hint +=
                QStringLiteral("<p>Roof: %1</p>").arg(QString::fromStdString(roof->source).toHtmlEscaped());
        bars.push_back({.name = view(analysis::title(resource)),
                        .share = *share,
                        .side = sideOf(resource),
                        .hint = hint});
    }
    std::ranges::stable_sort(bars, std::greater{}, &HeadroomBar::share);
    return bars;
}

QStringList idleResources(const analysis::Verdict& verdict) {
    QStringList names;
    for (int i = 0; i < analysis::kResourceCount; ++i)
        if (const auto& share = verdict.utilization[static_cast<std::size_t>(i)]; share && *share < kIdle)
            names << view(analysis::title(static_cast<analysis::Resource>(i)));
    return names;
}

QStringList howMeasured(const analysis::MetricEvaluator& metrics, analysis::LaunchIndex launch) {
    const analysis::Session& session = metrics.session();
    QStringList lines;
    const bool emulated = session.originOf(launch) == analysis::Origin::Emulated;
    lines << (!session.launch(launch).durationNs ? QStringLiteral("This launch was not timed.")
              : emulated                         ? QStringLiteral(
                                                       "No GPU ran this: accesses and operations were counted one by one, traffic "
                                                                               "of the caches comes from a model, and the time is a prediction.")
                         : QStringLiteral("Time comes from an undisturbed run, not from a counter pass."));
    const analysis::Process* process = processOf(session, launch);
    if (process != nullptr && process->passes > 0 && !emulated) {
        lines << QStringLiteral("Counter set \u201c%1\u201d, %2 passes over the launch%3.")
                     .arg(QString::fromStdString(process->counterSet))
                     .arg(process->passes)
                     .arg(process->cacheControl == "flush"  ? QStringLiteral(", caches emptied before each")
                          : process->cacheControl == "keep" ? QStringLiteral(", caches left as they were")
                                                            : QString());
    }
    if (const std::string& why = session.launch(launch).notCounted; !why.empty())
        lines << QStringLiteral("Not counted: %1").arg(QString::fromStdString(why));
    if (const auto clock = metrics.value(launch, "sm_clock_hz"))
        lines << QStringLiteral(
                     "SM clock during the launch: %1. Roofs of compute and caches are scaled to it.")
                     .arg(people(clock, Unit::Hertz));
    if (const analysis::Device* device = session.deviceOf(launch))
        lines << QStringLiteral("%1 on %2%3.")
                     .arg(view(analysis::toString(session.originOf(launch))),
                          QString::fromStdString(device->name),
                          device->driverVersion.empty()
                              ? QString()
                              : QStringLiteral(", driver %1")
                                    .arg(QString::fromStdString(device->driverVersion)));
    if (!lines.isEmpty()) lines.last()[0] = lines.last()[0].toUpper();
    return lines;
}

std::vector<std::pair<QString, QString>> rawCounters(const analysis::Session& session,
                                                     analysis::LaunchIndex launch) {
    std::vector<std::pair<QString, QString>> rows;
    const std::vector<std::string>& names = session.counters().names();
    for (std::size_t column = 0; column < names.size(); ++column)
        if (const auto value = session.counters().get(launch, column))
            rows.emplace_back(QString::fromStdString(names[column]), QString::number(*value, 'g', 17));
    std::ranges::sort(rows);
    return rows;
}

} // namespace dormer::ui
