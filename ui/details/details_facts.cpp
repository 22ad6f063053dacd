// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/details_facts.h"

#include "analysis/metrics/format.h"
#include "ui/look/kernel_columns.h"

#include <algorithm>

namespace dormer::ui::details {
namespace {

using metrics::forPeople;
using metrics::Unit;

/// Below this share of its roof a resource has no bar.
constexpr double kIdle = 0.001;
const QString kDot = QStringLiteral(" \u00b7 ");

QString people(const std::optional<double>& value, metrics::Unit unit) {
    return QString::fromStdString(metrics::forPeople(value, unit));
}

const session::Process* processOf(const session::Session& session, session::LaunchIndex launch) {
    const std::uint32_t index = session.launch(launch).process;
    return index < session.processes().size() ? &session.processes()[index] : nullptr;
}

verdict::Bound sideOf(device::Resource resource) {
    if (resource == device::Resource::IssueSlots) return verdict::Bound::Latency;
    return device::isMemory(resource) ? verdict::Bound::Memory : verdict::Bound::Compute;
}

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString configurationLine(const session::Session& session, session::LaunchIndex index) {
    const session::Launch& launch = session.launch(index);
    const session::Kernel& kernel = session.kernelOf(index);
    QStringList parts{
        QStringLiteral("grid %1").arg(QString::fromStdString(metrics::forPeople(launch.grid))),
        QStringLiteral("block %1").arg(QString::fromStdString(metrics::forPeople(launch.block)))};
    if (kernel.registersPerThread > 0) parts << QStringLiteral("%1 registers").arg(kernel.registersPerThread);
    const std::uint64_t shared = kernel.staticSharedBytes + launch.dynamicSharedBytes;
    if (shared > 0)
        parts << QStringLiteral("%1 shared").arg(people(static_cast<double>(shared), metrics::Unit::Bytes));
    parts << QStringLiteral("stream %1").arg(launch.stream);
    if (launch.graphNode) parts << QStringLiteral("node %1 of a CUDA graph").arg(*launch.graphNode);
    if (const session::Process* process = processOf(session, index)) {
        const QString origin = view(session::toString(process->origin));
        parts << (process->passes > 1    ? QStringLiteral("%1 in %2 passes").arg(origin).arg(process->passes)
                  : process->passes == 1 ? QStringLiteral("%1 in one pass").arg(origin)
                                         : origin + QStringLiteral(", timing only"));
    }
    return parts.join(kDot);
}

std::vector<HeadroomBar> headroom(const session::Session& session, session::LaunchIndex launch,
                                  const verdict::Verdict& verdict) {
    std::vector<HeadroomBar> bars;
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto& share = verdict.utilization[static_cast<std::size_t>(i)];
        if (!share || *share < kIdle) continue;
        const auto resource = static_cast<device::Resource>(i);
        QString hint =
            QStringLiteral("<p><b>%1</b>: time this kernel's work needs at the roof, divided by its "
                           "time.</p>")
                .arg(view(device::title(resource)));
        if (const auto roof = device::ceilingDuring(session, launch, resource))
            hint +=
                QStringLiteral("<p>Roof: %1</p>").arg(QString::fromStdString(roof->source).toHtmlEscaped());
        bars.push_back(
            {.name = view(device::title(resource)), .share = *share, .side = sideOf(resource), .hint = hint});
    }
    std::ranges::stable_sort(bars, std::greater{}, &HeadroomBar::share);
    return bars;
}

QStringList idleResources(const verdict::Verdict& verdict) {
    QStringList names;
    for (int i = 0; i < device::kResourceCount; ++i)
        if (const auto& share = verdict.utilization[static_cast<std::size_t>(i)]; share && *share < kIdle)
            names << view(device::title(static_cast<device::Resource>(i)));
    return names;
}

QStringList howMeasured(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const session::Session& session = metrics.session();
    QStringList lines;
    const bool emulated = session.originOf(launch) == session::Origin::Emulated;
    lines << (!session.launch(launch).durationNs ? QStringLiteral("This launch was not timed.")
              : emulated                         ? QStringLiteral(
                                                       "No GPU ran this: accesses and operations were counted one by one, traffic "
                                                                               "of the caches comes from a model, and the time is a prediction.")
                         : QStringLiteral("Time comes from an undisturbed run, not from a counter pass."));
    const session::Process* process = processOf(session, launch);
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
                     .arg(people(clock, metrics::Unit::Hertz));
    if (const session::Device* device = session.deviceOf(launch))
        lines << QStringLiteral("%1 on %2%3.")
                     .arg(view(session::toString(session.originOf(launch))),
                          QString::fromStdString(device->name),
                          device->driverVersion.empty()
                              ? QString()
                              : QStringLiteral(", driver %1")
                                    .arg(QString::fromStdString(device->driverVersion)));
    if (!lines.isEmpty()) lines.last()[0] = lines.last()[0].toUpper();
    return lines;
}

std::vector<std::pair<QString, QString>> rawCounters(const session::Session& session,
                                                     session::LaunchIndex launch) {
    std::vector<std::pair<QString, QString>> rows;
    const std::vector<std::string>& names = session.counters().names();
    for (std::size_t column = 0; column < names.size(); ++column)
        if (const auto value = session.counters().get(launch, column))
            rows.emplace_back(QString::fromStdString(names[column]), QString::number(*value, 'g', 17));
    std::ranges::sort(rows);
    return rows;
}

} // namespace dormer::ui::details
