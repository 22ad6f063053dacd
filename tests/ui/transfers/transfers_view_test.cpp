// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/transfers/transfers_view.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/suite_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_hub.h"
#include "ui/sessions/workload_launches.h"
#include "ui/shell/chart_panel.h"

#include <QHeaderView>

using namespace dormer;

namespace {

struct Shown {
    ui::sessions::SessionHub hub;
    ui::shell::ChartPanel panel{hub};
    ui::transfers::TransfersView& view = panel.transfers();

    explicit Shown(session::Session session) {
        panel.resize(820, 520);
        panel.show();
        hub.setSession(std::move(session));
        panel.setTab(ui::shell::ChartPanel::Tab::Transfers);
        QApplication::processEvents();
    }
};

QStringList rowOf(const ui::tables::FactTable& table, int row) {
    QStringList cells;
    for (int column = 0; column < table.model()->columnCount(); ++column)
        cells << table.model()->index(row, column).data().toString();
    return cells;
}

QString hint(const ui::tables::FactTable& table, int row, int column) {
    return table.model()->index(row, column).data(Qt::ToolTipRole).toString();
}

const QString kDash = QString::fromUtf8("\u2013");

} // namespace

TEST_CASE("the tables give sizes, times and rates, and bars to compare them", "[transfers]") {
    Shown shown(tests::suiteSession());
    const ui::tables::FactTable& table = shown.view.transfers();
    REQUIRE(table.model()->rowCount() == 6);
    QStringList heads;
    for (int column = 0; column < table.model()->columnCount(); ++column)
        heads << table.model()->headerData(column, Qt::Horizontal).toString();
    CHECK(heads == QStringList{"workload", "transfer", "count", "size, MB", "time, ms", "copy-engine\nGB/s",
                               "effective GB/s"});
    CHECK(rowOf(table, 0) == QStringList{"transfer/pageable",
                                         QString::fromUtf8("copy pageable \u2192 device"), "2", "128", "16.0",
                                         "8", "7.1"});
    // Pinned to the device is the fastest: its bar is full, that of pageable memory a third.
    CHECK(table.model()->index(1, 5).data(ui::tables::FactModel::BarRole).toDouble() == Approx(1));
    CHECK(table.model()->index(0, 5).data(ui::tables::FactModel::BarRole).toDouble() == Approx(8.0 / 24));
    CHECK(rowOf(table, 5).mid(1) == QStringList{"GPU page faults", "300", kDash, kDash, kDash, kDash});
    CHECK(hint(table, 5, 3).contains("moves nothing"));
    CHECK(hint(table, 4, 6).contains("no call"));

    // All columns are in sight in a window of usual width.
    shown.panel.resize(700, 520);
    QApplication::processEvents();
    CHECK(table.horizontalHeader()->length() <= table.viewport()->width());

    const ui::tables::FactTable& calls = shown.view.memoryCalls();
    REQUIRE(calls.model()->rowCount() == 3);
    CHECK(rowOf(calls, 1) ==
          QStringList{"transfer/pinned", "cuMemHostAlloc", "pinned", "1", "64", "21.00", "21.00"});
    CHECK(rowOf(calls, 2).at(4) == kDash);
    CHECK(hint(calls, 2, 4) == "The call does not say");
}

TEST_CASE("emulated transfers have dashes for times, with the reason", "[transfers]") {
    Shown shown(tests::emulatedTransfers());
    // No kernel ran, so the transfers are what there is to see.
    CHECK(shown.panel.tab() == ui::shell::ChartPanel::Tab::Transfers);
    const ui::tables::FactTable& table = shown.view.transfers();
    CHECK(rowOf(table, 0) == QStringList{"transfer/pageable",
                                         QString::fromUtf8("copy pageable \u2192 device"), "2", "128", kDash,
                                         kDash, kDash});
    CHECK(hint(table, 0, 4).startsWith("Emulated"));
    CHECK(hint(shown.view.memoryCalls(), 0, 6).startsWith("Emulated"));
}

TEST_CASE("a click on a head sorts transfers by number, absent ones last", "[transfers]") {
    Shown shown(tests::suiteSession());
    ui::tables::FactTable& table = shown.view.transfers();
    QHeaderView& header = *table.horizontalHeader();
    const auto click = [&] {
        QTest::mouseClick(
            header.viewport(), Qt::LeftButton, {},
            {header.sectionViewportPosition(5) + header.sectionSize(5) / 2, header.height() / 2});
    };
    click();
    CHECK(rowOf(table, 0).at(5) == "4");
    CHECK(rowOf(table, 5).at(1) == "GPU page faults"); // has none
    click();
    CHECK(rowOf(table, 0).at(5) == "24");
    CHECK(rowOf(table, 5).at(1) == "GPU page faults");
}

TEST_CASE("transfers of the selected launch's workload are marked", "[transfers]") {
    Shown shown(tests::suiteSession());
    // In the sample no kernel runs in these workloads, so one is added.
    session::Launch launch;
    launch.id = shown.hub.session().launches().size();
    launch.kernel = 1000;
    launch.workload = "managed/on_demand";
    launch.durationNs = 1000;
    shown.hub.apply(launch);
    const session::LaunchIndex index{static_cast<std::uint32_t>(launch.id)};
    ui::tables::FactTable& table = shown.view.transfers();
    const auto marked = [&](int row) {
        return table.model()->index(row, 0).data(ui::tables::FactModel::MarkedRole).toBool();
    };
    shown.hub.select(index);
    CHECK(marked(4));
    CHECK(marked(5));
    CHECK_FALSE(marked(0));
    shown.hub.select(session::LaunchIndex{0});
    CHECK_FALSE(marked(4));

    // And the other way round: a row selects the launch, or nothing where there is none.
    const auto click = [&](int row) {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    };
    click(4);
    CHECK(shown.hub.selected() == index);
    click(0);
    CHECK_FALSE(shown.hub.selected());
    CHECK(table.currentIndex().row() == 0);
}

TEST_CASE("transfers appear while they arrive", "[transfers]") {
    Shown shown{session::Session()};
    CHECK_FALSE(shown.panel.hasTab(ui::shell::ChartPanel::Tab::Transfers));
    for (const auto& [process, record] : store::recordsOf(tests::suiteSession()))
        shown.hub.apply(record, process);
    CHECK(tests::eventually([&] { return shown.view.transfers().model()->rowCount() == 6; }));
    CHECK(shown.panel.hasTab(ui::shell::ChartPanel::Tab::Transfers));
}
