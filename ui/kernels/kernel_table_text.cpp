// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Heads and tooltips of the kernel table: the words beside the numbers.
#include "ui/kernels/kernel_table_model.h"
#include "ui/look/kernel_columns.h"
#include "ui/sessions/session_hub.h"

#include <array>

namespace dormer::ui::kernels {
namespace {

struct Head {
    const char* title;
    const char* unit;
    std::string_view metric; ///< its definition; empty when the words below are all there is
    const char* meaning;
};

constexpr std::array<Head, KernelTableModel::ColumnCount> kHeads{{
    {"", "", "",
     "What bounds the kernel: circle memory, square compute, triangle latency, diamond balanced."},
    {"kernel", "", "", "The workload of the built-in suite, else the kernel's short name."},
    {"calls", "", "", "Launches of the same kernel with the same grid, block and shared memory."},
    {"time", "\u00b5s", "duration_ns",
     "Time on the GPU of all these launches, from an undisturbed pass; where emulated, predicted."},
    {"DRAM", "% of roof", "dram_bytes_per_second",
     "Time the DRAM traffic needs at the memory's peak rate, as a share of the kernel's time."},
    {"L2 hit", "%", "l2_hit_rate", "Share of sectors looked up in L2 that were there."},
    {"sectors/req", "actual / ideal", "global_load_sectors_per_request",
     "32-byte sectors a warp's request touched, and how many would do. The worse of loads and stores."},
    {"conflicts", "ways", "shared_load_ways",
     "Wavefronts a shared-memory access took for each one it needed."},
    {"occ.", "%", "achieved_occupancy", "Resident warps on average, as a share of what an SM holds."},
    {"to gain", "\u00b5s", "",
     "Time to be won from these launches by mending what the largest finding names; an estimate."},
}};

QString words(const char* text) {
    return QString::fromUtf8(text);
}

} // namespace

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    const Head& head = kHeads[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        if (section == Calls && m_grouping == Grouping::AllLaunches) return QStringLiteral("launch\n");
        if (section == Marker) return QString();
        return words(head.title) + QLatin1Char('\n') + words(head.unit);
    }
    if (role == Qt::ToolTipRole) {
        const QString definition = look::definitionOf(head.metric);
        return QStringLiteral("<p>%1</p>%2").arg(words(head.meaning).toHtmlEscaped(), definition);
    }
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (section <= Name ? Qt::AlignLeft : Qt::AlignRight)));
    return {};
}

QString KernelTableModel::toolTip(int row, Column column) const {
    const session::LaunchIndex launch = launchAt(row);
    if (column == Marker) return QString::fromStdString(verdict::headline(m_hub.verdict(launch)));
    if (column == Name) {
        // A template-heavy name can be half a megabyte; a tooltip shows its head.
        constexpr qsizetype kLongest = 1000;
        QString name = QString::fromStdString(m_hub.session().kernelOf(launch).name);
        if (name.size() > kLongest) name = name.left(kLongest) + QStringLiteral("\u2026");
        return QStringLiteral("<p>%1</p>").arg(name.toHtmlEscaped());
    }
    const Head& head = kHeads[column];
    if (number(row, column)) {
        if (column == Sectors) {
            const auto sectors = look::sectorsPerRequest(m_hub.metrics(), launch);
            if (sectors && sectors->ofStores) return look::definitionOf("global_store_sectors_per_request");
        }
        const QString definition = look::definitionOf(head.metric);
        return definition.isEmpty() ? words(head.meaning) : definition;
    }
    if (column == Gain) return QStringLiteral("No finding of this kernel has an honest estimate.");
    if (column == Time) return QStringLiteral("not timed: no undisturbed run of this launch was recorded");
    const QString reason = look::missingReason(m_hub.metrics(), launch, head.metric);
    return column == Dram && m_hub.metrics().value(launch, head.metric)
               ? QStringLiteral("the DRAM roof of this device is not known")
               : reason;
}

} // namespace dormer::ui::kernels
