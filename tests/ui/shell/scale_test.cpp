// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/sessions/session_hub.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTableView>

#include <iostream>

using namespace dormer;

TEST_CASE("the table of 100000 launches comes up and scrolls at once", "[scale]") {
    ui::sessions::SessionHub hub;
    ui::kernels::KernelTableView view(hub);
    view.resize(1000, 500);
    view.show();
    view.model().setGrouping(ui::kernels::KernelTableModel::Grouping::AllLaunches);
    session::Session session = tests::generatedSession(100'000);
    QElapsedTimer clock;
    clock.start();
    hub.setSession(std::move(session));
    QApplication::processEvents();
    const qint64 shownMs = clock.restart();
    CHECK(view.visibleRows() == 100'000);
    constexpr int kSteps = 50;
    QScrollBar& bar = *view.table().verticalScrollBar();
    for (int i = 0; i < kSteps; ++i) {
        bar.setValue(bar.maximum() / kSteps * i);
        view.table().viewport()->repaint();
    }
    const double frameMs = static_cast<double>(clock.restart()) / kSteps;
    view.table().sortByColumn(ui::kernels::KernelTableModel::Time, Qt::DescendingOrder);
    const qint64 sortMs = clock.elapsed();
    std::cout << "100000 launches: shown after " << shownMs << " ms, " << frameMs << " ms a scrolled frame, "
              << sortMs << " ms to sort by time\n";
    // Bounds leave room for a busy machine; what they guard against is work for rows nobody looks at.
    CHECK(shownMs < 2000);
    CHECK(frameMs < 50);
}
