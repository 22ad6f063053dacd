// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Start, understand, change the program, run again, see what became of it: with a program of someone else's
// on the emulator, by real clicks and keys.
#include "tests/support/catch.h"
#include "tests/ui/app_support.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/look/theme.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/list_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"
#include "ui/sources/source_view.h"
#include "ui/tables/fact_table.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <iostream>

using namespace dormer;
using Activity = ui::sessions::SessionControl::Activity;

namespace {

const QString kPrograms = QStringLiteral(DORMER_BIN_DIR "/cases/dormer_advice_");
const QString kEmulator = QStringLiteral(DORMER_BIN_DIR "/emulator/libcudart.so.13");

/// A window without a GPU but with the emulator, and a program beside it.
class Desk {
public:
    Desk() {
        ui::sessions::Environment environment = tests::withoutGpu(m_folder);
        environment.installation.emulator = kEmulator.toStdString();
        ui::look::applyTheme(*static_cast<QApplication*>(QApplication::instance()), ui::look::Scheme::Light);
        m_window = std::make_unique<ui::shell::MainWindow>(std::move(environment));
        m_window->resize(1440, 900);
        m_window->show();
        m_window->activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(m_window.get()));
        m_window->setup().setSubject(ui::setup::Subject::Program);
        install("before");
    }
    ui::shell::MainWindow& operator*() { return *m_window; }
    ui::shell::MainWindow* operator->() { return m_window.get(); }
    [[nodiscard]] QString program() const { return m_folder.filePath("app"); }

    /// Replaces the program as a linker does.
    void install(const QString& version) {
        REQUIRE(QFile::copy(kPrograms + version, m_folder.filePath("app.new")));
        QFile::remove(program());
        REQUIRE(QFile::rename(m_folder.filePath("app.new"), program()));
    }
    void type() {
        auto* command = m_window->findChild<QLineEdit*>("programCommand");
        command->clear();
        QTest::keyClicks(command, program());
    }
    QPushButton& run() { return *m_window->findChild<QPushButton*>("primary"); }
    void waitForRun() {
        REQUIRE(tests::eventually([&] {
            return m_window->control().activity() == Activity::Idle &&
                   m_window->hub().session().launches().size() == kLaunches;
        }));
    }
    template <typename T>
    T* part(const char* property, const QVariant& value) {
        for (T* each : m_window->findChildren<T*>())
            if (each->property(property) == value && each->isVisible()) return each;
        return nullptr;
    }
    QString changes() {
        QStringList lines;
        for (const QLabel* each : m_window->findChildren<QLabel*>())
            if (each->property("change").toBool()) lines << each->text();
        return lines.join(QLatin1Char('\n'));
    }
    void shoot(const QString& name) {
        QTest::qWait(400);
        REQUIRE(QDir().mkpath(DORMER_SCREENSHOTS));
        CHECK(m_window->grab().save(QStringLiteral(DORMER_SCREENSHOTS "/%1.png").arg(name)));
    }
    QTemporaryDir& folder() { return m_folder; }

    static constexpr std::size_t kLaunches = 10; ///< of that program

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::shell::MainWindow> m_window;
};

bool canRun() {
    if (QFile::exists(kPrograms + "before") && QFile::exists(kEmulator)) return true;
    std::cout << "skipped: no CUDA programs were built here\n";
    return false;
}

session::LaunchIndex launchOf(const session::Session& session, std::string_view kernel) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.kernelOf(session::LaunchIndex{i}).name.find(kernel) != std::string::npos)
            return session::LaunchIndex{i};
    FAIL("no launch of " << kernel);
    return {};
}

} // namespace

TEST_CASE("start, read, change the program, run again, see the arrow and what is fixed", "[loop]") {
    if (!canRun()) return;
    Desk desk;
    desk.type();
    QTest::mouseClick(desk.part<QPushButton>("fold", "options"), Qt::LeftButton);
    auto* lines = desk->findChild<QCheckBox*>("countLines");
    REQUIRE(tests::eventually([&] { return lines->isVisible() && lines->isEnabled(); }));
    QTest::qWait(100); // for the layout of what was unfolded
    QTest::mouseClick(lines, Qt::LeftButton, {}, {8, 8});
    REQUIRE(lines->isChecked());
    REQUIRE(tests::eventually([&] { return desk.run().isEnabled(); }));
    QTest::mouseClick(&desk.run(), Qt::LeftButton);
    desk.waitForRun();
    CHECK(tests::eventually([&] { return desk->chartPanel().chart().pointCount() > 0; }));
    CHECK(tests::eventually([&] { return desk.part<QPushButton>("run", 0) != nullptr; }));
    CHECK(desk->chartPanel().chart().trailCount() == 0);

    // The first recommendation leads to its line.
    desk->lists().setTab(ui::shell::ListPanel::Tab::ToDo);
    auto* list = desk->findChild<ui::tables::FactTable*>("todo");
    REQUIRE(tests::eventually([&] { return list->isVisible() && list->model()->rowCount() > 3; }));
    QTest::qWait(100); // for the layout of the page
    // The list follows the run some time later.
    const auto title = [&] { return list->model()->index(0, 1).data().toString(); };
    CHECK(tests::eventually([&] { return title() == "Many global atomics"; }));
    const QModelIndex first = list->model()->index(0, 1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
    REQUIRE(tests::eventually(
        [&] { return desk->chartPanel().source().chosenPlace().startsWith("before.cu:"); }));
    REQUIRE(desk->chartPanel().tab() == ui::shell::ChartPanel::Tab::Source);
    desk.shoot("loop-line");

    // Another version of the program, and the same run again.
    desk.install("after");
    QTest::keyClick(&*desk, Qt::Key_R, Qt::ControlModifier);
    REQUIRE(tests::eventually([&] { return desk->hub().baseline() != nullptr; }));
    desk.waitForRun();
    REQUIRE(tests::eventually([&] {
        return desk->comparison().changes() != nullptr &&
               desk->comparison().changes()->kernels.size() == Desk::kLaunches;
    }));
    desk->chartPanel().setTab(ui::shell::ChartPanel::Tab::Roofline);
    desk->lists().setTab(ui::shell::ListPanel::Tab::Kernels);
    CHECK(desk->chartPanel().chart().trailCount() > 0);
    REQUIRE(tests::eventually([&] { return desk.part<QPushButton>("baseline", true) != nullptr; }));
    auto* baseline = desk.part<QPushButton>("baseline", true);
    CHECK(baseline->text().startsWith("baseline: app"));

    // A tile that is padded now has no bank conflicts any more.
    const session::LaunchIndex pad = launchOf(desk->hub().session(), "turnTile");
    auto& model = desk->kernels().model();
    const int row = model.rowOf(pad);
    QTableView& table = desk->kernels().table();
    const QModelIndex at = table.model()->index(row, ui::kernels::KernelTableModel::Name);
    table.scrollTo(at);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at).center());
    REQUIRE(desk->hub().selected() == pad);
    const int change = ui::kernels::KernelTableModel::ColumnCount;
    REQUIRE(model.columnCount() > change);
    CHECK(model.headerData(change, Qt::Horizontal, Qt::DisplayRole).toString().startsWith("change"));
    CHECK(model.number(row, change).value_or(0) < 0);
    REQUIRE(
        tests::eventually([&] { return desk.changes().contains("Fixed: Shared-memory bank conflicts"); }));
    CHECK(desk.changes().contains("faster"));
    desk.shoot("loop-changes");

    const QString picture = desk.folder().filePath("roofline.svg");
    CHECK(desk->chartPanel().exportTo(picture).isEmpty());
    CHECK(QFile(picture).size() > 1000);

    // Without a baseline there is nothing to compare with; the card brings it back.
    QTest::mouseClick(baseline, Qt::LeftButton);
    CHECK(desk->hub().baseline() == nullptr);
    CHECK(model.columnCount() == change);
    CHECK(tests::eventually([&] { return desk.changes().isEmpty(); }));
    REQUIRE(tests::eventually([&] { return desk.part<QPushButton>("run", 0) != nullptr; }));
    QTest::mouseClick(desk.part<QPushButton>("run", 0), Qt::LeftButton);
    REQUIRE(tests::eventually([&] { return desk->comparison().changes() != nullptr; }));
    CHECK(model.columnCount() == change + 1);
}

TEST_CASE("a watched program runs again when its file is replaced", "[loop]") {
    if (!canRun()) return;
    Desk desk;
    desk.type();
    REQUIRE(tests::eventually([&] { return desk.run().isEnabled(); }));
    QTest::mouseClick(desk.part<QPushButton>("watch", true), Qt::LeftButton);
    QTest::mouseClick(&desk.run(), Qt::LeftButton);
    desk.waitForRun();
    CHECK(desk->watch().files() == QStringList{desk.program()});
    desk.install("after");
    REQUIRE(tests::eventually([&] { return desk->hub().baseline() != nullptr; }));
    desk.waitForRun();
    CHECK(desk->control().history().runs().size() == 2);
    REQUIRE(tests::eventually([&] { return desk->comparison().changes() != nullptr; }));
    // Who stopped watching is left alone.
    QTest::mouseClick(desk.part<QPushButton>("watch", true), Qt::LeftButton);
    desk.install("before");
    QTest::qWait(1000);
    CHECK(desk->control().history().runs().size() == 2);
}
