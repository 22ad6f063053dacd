// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/kernels/table_text.h"

#include "analysis/view/number_column.h"
#include "ui/look/words.h"
#include "ui/sessions/session_hub.h"

#include <QTableView>

namespace dormer::ui::kernels {

ExtraColumn metricColumn(const sessions::SessionHub& hub, const metrics::Metric& metric) {
    std::vector<std::optional<double>> values;
    for (const metrics::LaunchGroup& group : hub.diagnosis().groups())
        values.push_back(hub.metrics().value(group.representative, metric));
    const view::NumberColumn numbers(metric.unit, std::move(values));
    view::Column head = numbers.head(std::string(metric.name), std::string(metric.meaning));
    head.metric = metric.name;
    return {std::move(head), [&hub, &metric, scale = numbers.scale()](session::LaunchIndex launch) {
                const auto value = hub.metrics().value(launch, metric);
                return value ? view::Cell{.text = scale.text(*value), .value = value}
                             : view::missing("Not collected: " +
                                             hub.metrics().missingInput(launch, metric.name));
            }};
}

view::Table shownTable(const QTableView& kernels) {
    view::Table table;
    const QAbstractItemModel& model = *kernels.model();
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column)
        if (!kernels.isColumnHidden(column)) columns.push_back(column);
    for (const int column : columns) {
        const auto align =
            model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
        QString title = column == KernelTableModel::Marker
                            ? QStringLiteral("verdict")
                            : model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        title = title.replace(QLatin1Char('\n'), QLatin1Char(' ')).trimmed();
        table.columns.push_back({.title = title.toStdString(), .numeric = align.testFlag(Qt::AlignRight)});
    }
    for (int row = 0; row < model.rowCount(); ++row) {
        view::Row& shown = table.rows.emplace_back();
        for (const int column : columns) {
            const int role = column == KernelTableModel::Marker ? Qt::AccessibleTextRole : Qt::DisplayRole;
            shown.cells.push_back({.text = model.index(row, column).data(role).toString().toStdString()});
        }
    }
    return table;
}

QString csvText(const view::Table& table) {
    const auto field = [](const std::string& text) {
        QString out = look::words(text);
        if (!out.contains(QLatin1Char(',')) && !out.contains(QLatin1Char('"')) &&
            !out.contains(QLatin1Char('\n')))
            return out;
        return QLatin1Char('"') + out.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    };
    QStringList head;
    for (const view::Column& column : table.columns)
        head << field(column.title);
    QString text = head.join(QLatin1Char(',')) + QLatin1Char('\n');
    for (const view::Row& row : table.rows) {
        QStringList cells;
        for (const view::Cell& cell : row.cells)
            cells << field(cell.text);
        text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace dormer::ui::kernels
