// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/access_rows.h"

#include "analysis/lines/line_class.h"
#include "analysis/metrics/format.h"
#include "ui/look/kernel_columns.h"
#include "ui/look/words.h"

#include <algorithm>
#include <tuple>

namespace dormer::ui::sources {
namespace {

using session::LineCounts;

/// "shared load, 4 B"
QString kindOf(const session::LineCounts& access) {
    QString kind = look::words(lines::accessText(access));
    if (access.widthBytes) kind += QStringLiteral(", %1 B").arg(*access.widthBytes);
    return kind;
}

/// What it moves per execution: sectors, or wavefronts of shared memory.
struct Moved {
    std::optional<double> actual, ideal;
    QString unit;
};

Moved movedBy(const session::LineCounts& access) {
    const bool shared = access.wavefronts.has_value() && !access.sectors;
    const auto& actual = shared ? access.wavefronts : access.sectors;
    const auto& ideal = shared ? access.wavefrontsIdeal : access.sectorsIdeal;
    const auto each = [&](const std::optional<std::uint64_t>& sum) -> std::optional<double> {
        if (!sum || !access.executions || *access.executions == 0) return std::nullopt;
        return static_cast<double>(*sum) / static_cast<double>(*access.executions);
    };
    return {each(actual), each(ideal), shared ? QStringLiteral("wavefronts") : QStringLiteral("sectors")};
}

QString figure(double value) {
    return look::fixed(value, value == static_cast<int>(value) ? 0 : 1);
}

/// "32 / 1 wavefronts"
tables::FactCell movedCell(const session::LineCounts& access) {
    if (access.op == session::MemoryOperation::Branch)
        return {.text = QString(), .hint = QStringLiteral("A branch moves nothing.")};
    const Moved moved = movedBy(access);
    if (!moved.actual) return {.text = look::dash(), .hint = QStringLiteral("Not collected.")};
    return {.text = QStringLiteral("%1 / %2 %3")
                        .arg(figure(*moved.actual), moved.ideal ? figure(*moved.ideal) : look::dash(),
                             moved.unit),
            .number = moved.actual,
            .hint = QStringLiteral(
                        "%1 of one warp's execution, on average, against what would do for the bytes asked "
                        "for")
                        .arg(moved.unit)};
}

tables::FactRow rowOf(const session::LineCounts& access, std::size_t index) {
    const QString pattern = look::words(lines::classText(access));
    const bool branch = access.op == session::MemoryOperation::Branch;
    QString split;
    if (branch && access.divergent && *access.divergent > 0)
        split = QStringLiteral("%1 split the warp").arg(*access.divergent);
    const QString what =
        branch ? (split.isEmpty() ? QStringLiteral("never splits the warp") : split) : pattern;
    QStringList hint{look::words(lines::placeText(access))};
    if (!access.instruction.empty()) hint << look::words(access.instruction);
    if (const std::string chain = lines::chainText(access); !chain.empty()) hint << look::words(chain);
    if (!access.function.empty()) hint << look::words(access.function);
    if (access.executions) hint << QStringLiteral("%1 executions by warps").arg(*access.executions);
    return {.cells = {{.text = kindOf(access), .hint = hint.join(QLatin1Char('\n'))},
                      {.text = what.isEmpty() ? look::dash() : what,
                       .hint = what.isEmpty() ? QStringLiteral("The counts don't say.") : what},
                      movedCell(access)},
            .key = QString::number(index)};
}

} // namespace

std::vector<tables::FactColumn> accessColumns() {
    return {{QStringLiteral("access"), QStringLiteral("In which memory, what, and bytes of one lane.")},
            {QStringLiteral("pattern"), QStringLiteral("How the lanes of a warp lie to each other.")},
            {QStringLiteral("moved / ideal"), QStringLiteral("Of one warp's execution, on average."), true}};
}

std::vector<tables::FactRow> accessRows(const lines::KernelSource& source,
                                        std::span<const std::size_t> accesses) {
    std::vector<tables::FactRow> rows;
    for (const std::size_t index : accesses)
        rows.push_back(rowOf(source.accesses[index], index));
    return rows;
}

std::optional<std::size_t> worstAccess(const lines::KernelSource& source,
                                       std::span<const std::size_t> accesses) {
    const auto weight = [&](std::size_t index) {
        const session::LineCounts& access = source.accesses[index];
        return std::tuple(lines::excessOf(access),
                          access.sectors.value_or(0) + access.wavefronts.value_or(0));
    };
    const auto worst = std::ranges::max_element(accesses, {}, weight);
    if (worst == accesses.end()) return std::nullopt;
    return *worst;
}

} // namespace dormer::ui::sources
