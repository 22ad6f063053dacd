// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Another machine in the app: added, run on, stopped and lost, over a real OpenSSH server on loopback.
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/ssh_server.h"
#include "tests/ui/app_support.h"
#include "ui/look/theme.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

#include <iostream>

using namespace dormer;
using Activity = ui::sessions::SessionControl::Activity;

namespace {

bool canRun() {
    if (tests::SshServer::available()) return true;
    std::cout << "skipped: no OpenSSH server here (openssh-server)\n";
    return false;
}

/// A window on a machine without a GPU, and a machine over ssh that has two.
class Desk {
public:
    Desk() {
        QSettings().remove("machines");
        open();
    }
    ~Desk() { QSettings().remove("machines"); }
    void open() {
        m_window.reset();
        ui::look::applyTheme(*static_cast<QApplication*>(QApplication::instance()), ui::look::Scheme::Light);
        m_window = std::make_unique<ui::shell::MainWindow>(tests::withoutGpu(m_folder));
        m_window->resize(1440, 900);
        m_window->show();
        m_window->activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(m_window.get()));
        REQUIRE(tests::eventually([&] { return box().findText("no GPU") >= 0; }));
    }
    ui::shell::MainWindow* operator->() { return m_window.get(); }
    ui::shell::MainWindow& operator*() { return *m_window; }
    QComboBox& box() { return *m_window->findChild<QComboBox*>("device"); }
    QPushButton& run() { return *m_window->findChild<QPushButton*>("primary"); }
    QLineEdit& field(const char* name) { return *m_window->findChild<QLineEdit*>(name); }
    QString said() { return m_window->findChild<QLabel*>("machineSaid")->text(); }

    /// Opens the box and takes an entry from its list.
    void choose(const QString& text) {
        const int row = box().findText(text, Qt::MatchStartsWith);
        REQUIRE(row >= 0);
        box().setFocus();
        box().showPopup();
        QAbstractItemView* list = box().view();
        REQUIRE(tests::eventually([&] { return list->isVisible(); }));
        list->setCurrentIndex(box().model()->index(row, 0));
        QTest::keyClick(list, Qt::Key_Return);
    }
    void add(const QString& host, const QString& dormer) {
        choose(QStringLiteral("Add a machine\u2026"));
        // The platform of these tests does not activate a window again when a list above it closes.
        REQUIRE(tests::eventually([&] { return m_window->focusWidget() == &field("machineHost"); }));
        m_window->activateWindow();
        field("machineHost").clear();
        field("machineDormer").clear();
        QTest::keyClicks(&field("machineHost"), host);
        QTest::keyClicks(&field("machineDormer"), dormer);
        QTest::keyClick(&field("machineDormer"), Qt::Key_Return);
    }
    void type(const QString& program) {
        m_window->setup().setSubject(ui::setup::Subject::Program);
        field("programCommand").clear();
        QTest::keyClicks(&field("programCommand"), program);
        REQUIRE(tests::eventually([&] { return run().isEnabled(); }));
    }
    void shoot(const QString& name) {
        REQUIRE(QDir().mkpath(DORMER_SCREENSHOTS));
        CHECK(m_window->grab().save(QStringLiteral(DORMER_SCREENSHOTS "/%1.png").arg(name)));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::shell::MainWindow> m_window;
};

QString slowDormer(const tests::SshServer& there, int delayMs) {
    return QString::fromStdString(
        there.dormer({{"DORMER_HOME", DORMER_FAKE_HOME}, {"DORMER_TEST_DELAY_MS", std::to_string(delayMs)}}));
}

constexpr auto kFirst = u"there \u00b7 GPU 0 \u00b7 ";

} // namespace

TEST_CASE("a machine over ssh is added, remembered, run on and removed", "[remote]") {
    if (!canRun()) return;
    const tests::SshServer there;
    Desk desk;
    CHECK_FALSE(desk.run().isEnabled());
    desk.add("there", slowDormer(there, 0));
    REQUIRE(tests::eventually([&] { return desk.box().currentText().startsWith(QStringView(kFirst)); }));
    CHECK_FALSE(desk.field("machineHost").isVisible());
    CHECK(desk.box().toolTip().contains("over ssh"));
    desk.type(DORMER_SLOW_TARGET);
    QTest::mouseClick(&desk.run(), Qt::LeftButton);
    REQUIRE(tests::eventually([&] {
        return desk->control().activity() == Activity::Idle && !desk->hub().session().launches().empty();
    }));
    INFO(desk->messages().text().toStdString());
    CHECK(desk->hub().session().launches().size() > 5);
    CHECK(tests::eventually([&] { return desk->chartPanel().chart().pointCount() > 0; }));
    CHECK(desk->control().history().runs().back().device.startsWith(QStringView(kFirst)));
    desk.shoot("remote");

    // Another window knows the machine and asks it when it is chosen.
    desk.open();
    REQUIRE(desk.box().findText("there") >= 0);
    desk.choose("there");
    REQUIRE(tests::eventually([&] { return desk.box().currentText().startsWith(QStringView(kFirst)); }));

    desk.choose(QStringLiteral("Add a machine\u2026"));
    QPushButton* remove = nullptr;
    REQUIRE(tests::eventually([&] {
        for (QPushButton* each : desk->findChildren<QPushButton*>())
            if (each->property("removes") == "there" && each->isVisible()) remove = each;
        return remove != nullptr;
    }));
    desk.shoot("remote-machines");
    QTest::mouseClick(remove, Qt::LeftButton);
    CHECK(desk.box().findText("there", Qt::MatchStartsWith) < 0);
    CHECK(desk.box().currentText() == "no GPU");
    desk.open();
    CHECK(desk.box().findText("there", Qt::MatchStartsWith) < 0);
}

TEST_CASE("Stop ends a run over ssh and a lost connection says so, and both keep what came", "[remote]") {
    if (!canRun()) return;
    const tests::SshServer there;
    Desk desk;
    desk.add("there", slowDormer(there, 300));
    REQUIRE(tests::eventually([&] { return desk.box().currentText().startsWith(QStringView(kFirst)); }));
    desk.type(DORMER_SLOW_TARGET);
    QTest::mouseClick(&desk.run(), Qt::LeftButton);
    REQUIRE(tests::eventually([&] { return desk->hub().session().launches().size() >= 2; }));
    QTest::mouseClick(desk->findChild<QPushButton*>("stop"), Qt::LeftButton);
    REQUIRE(tests::eventually([&] { return desk->control().activity() == Activity::Idle; }));
    CHECK(desk->messages().text().startsWith("Stopped. Everything that finished is in "));
    const std::size_t kept = desk->hub().session().launches().size();
    CHECK(kept >= 2);
    CHECK(tests::eventually([&] { return there.connections() == 0; }));

    QTest::mouseClick(&desk.run(), Qt::LeftButton);
    REQUIRE(tests::eventually([&] {
        return desk->control().activity() == Activity::Collecting &&
               desk->hub().session().launches().size() >= 2;
    }));
    there.cutConnections();
    REQUIRE(tests::eventually([&] { return desk->control().activity() == Activity::Idle; }));
    INFO(desk->messages().text().toStdString());
    CHECK(desk->messages().isVisible());
    CHECK(desk->messages().text().contains("the connection to there was lost"));
    CHECK(desk->messages().text().contains("run again when the machine can be reached"));
    CHECK(desk->hub().session().launches().size() >= 2);
    const QString file = desk->control().history().runs().back().files.front();
    const auto saved = store::loadSession(file.toStdString());
    REQUIRE(saved);
    CHECK(saved->launches().size() == desk->hub().session().launches().size());
    desk.shoot("remote-lost");
}

TEST_CASE("a machine that can't be used is not added, and says why", "[remote]") {
    if (!canRun()) return;
    const tests::SshServer there;
    Desk desk;
    const auto refused = [&](const QString& host, const QString& dormer, const QString& part) {
        desk.add(host, dormer);
        INFO(desk.said().toStdString());
        CHECK(tests::eventually([&] { return desk.said().contains(part); }));
        CHECK(desk.box().findText(host, Qt::MatchStartsWith) < 0);
    };
    refused("nowhere.invalid", {}, "ssh knows no such host");
    refused("locked", {}, "ssh-copy-id locked");
    refused("there", "/no/such/dormer", "there is no '/no/such/dormer'");
    refused("two words", {}, "is no name of a host");
    CHECK(QSettings().beginReadArray("machines") == 0);
    QTest::keyClick(&desk.field("machineHost"), Qt::Key_Escape);
    CHECK_FALSE(desk.field("machineHost").isVisible());
}
