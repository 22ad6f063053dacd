// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// No text that is seen is cut, whatever the font's size; CTest runs it at three scale factors. Names may be
// elided in the middle, numbers and labels never.
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "tests/ui/sources/source_session.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/options_form.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/explain_part.h"
#include "ui/shell/list_panel.h"
#include "ui/shell/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTextBoundaryFinder>

#include <algorithm>

using namespace dormer;

namespace {

/// Whether any of it can be seen.
bool seen(const QWidget& widget) {
    return widget.isVisible() && !widget.visibleRegion().isEmpty();
}

/// A word that a line can't hold is cut, whatever the label's height.
bool holdsItsWords(const QLabel& label) {
    const QString text = label.text();
    QTextBoundaryFinder lines(QTextBoundaryFinder::Line, text);
    for (qsizetype from = 0, to = 0; (to = lines.toNextBoundary()) >= 0; from = to)
        if (label.fontMetrics().horizontalAdvance(text.mid(from, to - from).trimmed()) >
            label.contentsRect().width())
            return false;
    return true;
}

void clippedLabels(const QWidget& window, QStringList& found) {
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (!seen(*label) || label->text().isEmpty()) continue;
        if (dynamic_cast<const ui::look::WholeLabel*>(label) != nullptr) continue; // whole or not at all
        const bool fits = label->wordWrap() ? label->heightForWidth(label->width()) <= label->height() &&
                                                  holdsItsWords(*label)
                                            : label->sizeHint().width() <= label->width();
        if (!fits) found << QStringLiteral("label '%1'").arg(label->text());
    }
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        if (seen(*button) && !button->text().isEmpty() && button->sizeHint().width() > button->width() &&
            dynamic_cast<const ui::look::ElidedLink*>(button) == nullptr) // a name
            found << QStringLiteral("button '%1'").arg(button->text());
}

void clippedCells(const QTableView& table, QStringList& found) {
    const QAbstractItemModel& model = *table.model();
    const QFontMetrics heads(table.horizontalHeader()->font());
    for (int column = 0; column < model.columnCount(); ++column) {
        if (table.isColumnHidden(column)) continue;
        if (table.horizontalHeader()->isVisible())
            for (const QString& line : model.headerData(column, Qt::Horizontal).toString().split('\n'))
                if (heads.horizontalAdvance(line) > table.columnWidth(column))
                    found << QStringLiteral("head '%1'").arg(line);
        const int last = table.rowAt(table.viewport()->height() - 1);
        for (int row = std::max(0, table.rowAt(0)); row <= (last < 0 ? model.rowCount() - 1 : last); ++row) {
            const QModelIndex index = model.index(row, column);
            const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
            if (!(alignment & Qt::AlignRight)) continue; // a name
            const QVariant font = index.data(Qt::FontRole);
            const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : table.font());
            if (metrics.horizontalAdvance(index.data().toString()) > table.columnWidth(column))
                found << QStringLiteral("cell '%1'").arg(index.data().toString());
        }
    }
}

/// Texts that are cut, and panels that must be scrolled sideways.
QStringList clipped(const QWidget& window) {
    QStringList found;
    clippedLabels(window, found);
    for (const QTableView* table : window.findChildren<QTableView*>())
        if (seen(*table) && table->model() != nullptr) clippedCells(*table, found);
    for (const QScrollArea* area : window.findChildren<QScrollArea*>())
        if (seen(*area) && area->horizontalScrollBar()->maximum() > 0)
            found << QStringLiteral("panel of %1 is wider than its place")
                         .arg(area->parentWidget()->metaObject()->className());
    return found;
}

/// As many as the real suite has, so that counts have all their digits.
std::vector<instrument::launch::WorkloadInfo> manyWorkloads() {
    std::vector<instrument::launch::WorkloadInfo> suite;
    for (int i = 0; i < 448; ++i) {
        suite.emplace_back();
        suite.back().family = "access";
        suite.back().variant = "offset/" + std::to_string(i);
        suite.back().shows = "one point";
    }
    return suite;
}

session::LaunchIndex launchOf(const session::Session& session, std::string_view workload) {
    const auto at = std::ranges::find(session.launches(), workload, &session::Launch::workload);
    REQUIRE(at != session.launches().end());
    return session::LaunchIndex{static_cast<std::uint32_t>(at - session.launches().begin())};
}

} // namespace

TEST_CASE("no visible text is clipped at any font size", "[clipping]") {
    auto& app = *static_cast<QApplication*>(QApplication::instance());
    const QFont before = QApplication::font();
    const QTemporaryDir folder;
    for (const int points : {9, 10, 13}) {
        QFont font = before;
        font.setPointSize(points);
        QApplication::setFont(font);
        ui::look::applyTheme(app, ui::look::Scheme::Light);
        ui::sessions::Environment environment = tests::withFakeSuite(folder);
        environment.listWorkloads = []() -> Result<std::vector<instrument::launch::WorkloadInfo>> {
            return manyWorkloads();
        };
        ui::shell::MainWindow window(environment);
        window.resize(1440, 900);
        window.show();
        const auto check = [&](const char* what) {
            // A loaded machine takes its time to lay the window out.
            QStringList found;
            for (int tries = 0; tries == 0 || (!found.isEmpty() && tries < 25); ++tries) {
                QTest::qWait(200);
                found = clipped(window);
            }
            INFO(points << " pt, " << what << ": " << found.join(", ").toStdString());
            CHECK(found.isEmpty());
        };
        check("empty");
        for (const auto subject : {ui::setup::Subject::Program, ui::setup::Subject::Workloads}) {
            window.setup().setSubject(subject);
            window.setup().options().setUnfolded(true);
            check("collect options");
            window.setup().options().setUnfolded(false);
        }
        window.explain().search();
        check("the search");
        window.explain().follow("doc:verdicts.md");
        check("a page of the documentation");
        window.explain().close();
        auto recorded = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
        REQUIRE(recorded.has_value());
        window.control().show(std::move(*recorded), {"h100-lines.dormer"});
        check("recommendations beside the list");
        window.hub().select(session::LaunchIndex{0});
        check("a launch");
        window.explain().follow("metric:dram_bytes_per_second");
        check("a metric explained");
        window.explain().close();
        window.lists().setTab(ui::shell::ListPanel::Tab::ToDo);
        check("recommendations");
        using Tab = ui::shell::ChartPanel::Tab;
        for (const Tab tab : {Tab::Source, Tab::Pattern, Tab::Transfers}) {
            window.chartPanel().setTab(tab);
            check("a tab beside the chart");
        }
        window.control().show(tests::suiteSession(), {"suite.dormer"});
        window.chartPanel().setTab(Tab::Sweeps);
        check("sweeps");
        window.control().show(tests::transposeSession(), {"transpose.dormer"});
        window.hub().select(session::LaunchIndex{0});
        check("a launch without counters: their names");
        window.control().show(tests::suiteSession(), {"suite.dormer"});
        window.chartPanel().setTab(Tab::Transfers);
        check("transfers");
        window.chartPanel().setTab(Tab::Roofline);
        window.lists().setTab(ui::shell::ListPanel::Tab::Kernels);
        window.hub().select(launchOf(window.hub().session(), "vector_sum/uncoalesced"));
        window.findChild<QLineEdit*>("workloadFilter")->setText("offset/1");
        check("a filter, and a launch that has a better version");
    }
    QApplication::setFont(before);
}
