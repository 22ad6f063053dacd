// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The whole story of an afternoon, by real clicks and keys: a program is built and run, its worst kernel read
// and followed to its line, the line changed, the program built and run again, compared and exported; a run
// is stopped, a broken file opened, a connection lost.
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/ssh_server.h"
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

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QUrl>

#include <algorithm>
#include <iostream>

using namespace dormer;
using Activity = ui::sessions::SessionControl::Activity;
using Tab = ui::shell::ChartPanel::Tab;

namespace {

const QString kEmulator = QStringLiteral(DORMER_BIN_DIR "/emulator/libcudart.so.13");
const QString kSource = QStringLiteral(DORMER_SOURCE_DIR "/tests/ui/story/story.cu");

bool canRun() {
    const bool can = QFile::exists(kEmulator) && QFile::exists(QStringLiteral(DORMER_NVCC));
    if (!can) std::cout << "skipped: no CUDA compiler here\n";
    return can;
}

/// A programmer at a desk without a GPU: a folder with a program's source, a compiler, and the app.
class Story {
public:
    Story() {
        QSettings().remove("machines");
        REQUIRE(QFile::copy(kSource, source()));
        QFile(source()).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        build();
        ui::sessions::Environment environment = tests::withoutGpu(m_folder);
        environment.installation.emulator = kEmulator.toStdString();
        ui::look::applyTheme(*static_cast<QApplication*>(QApplication::instance()), ui::look::Scheme::Light);
        m_window = std::make_unique<ui::shell::MainWindow>(std::move(environment));
        m_window->resize(1440, 900);
        m_window->show();
        m_window->activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(m_window.get()));
    }
    ~Story() { QSettings().remove("machines"); }
    ui::shell::MainWindow* operator->() { return m_window.get(); }

    [[nodiscard]] QString source() const { return m_folder.filePath("story.cu"); }
    [[nodiscard]] QString program() const { return m_folder.filePath("story"); }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    void build() const {
        QProcess compiler;
        compiler.start(QStringLiteral(DORMER_NVCC),
                       {"-arch=sm_90", "-cudart", "shared", "-lineinfo", "-o", program(), source()});
        REQUIRE(compiler.waitForFinished(120000));
        INFO(compiler.readAllStandardError().toStdString());
        REQUIRE(compiler.exitCode() == 0);
    }
    /// What an editor does.
    void change(const QString& from, const QString& to) const {
        QFile file(source());
        REQUIRE(file.open(QIODevice::ReadOnly));
        QString text = QString::fromUtf8(file.readAll());
        file.close();
        REQUIRE(text.count(from) == 1);
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(text.replace(from, to).toUtf8());
    }

    template <typename T>
    [[nodiscard]] T& part(const char* name) const {
        T* found = m_window->findChild<T*>(name);
        REQUIRE(found != nullptr);
        return *found;
    }
    void click(QWidget& widget) const { QTest::mouseClick(&widget, Qt::LeftButton); }
    void type(const QString& command) const {
        auto& field = part<QLineEdit>("programCommand");
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, command);
    }
    /// Starts by the button, and waits for so many launches; of a run that was before, for another.
    void run(std::size_t launches) {
        auto& button = part<QPushButton>("primary");
        REQUIRE(tests::eventually([&] { return button.isEnabled(); }));
        click(button);
        REQUIRE(m_window->control().activity() == Activity::Collecting);
        waitFor(launches);
    }
    void waitFor(std::size_t launches) {
        REQUIRE(tests::eventually([&] { return m_window->hub().session().launches().size() >= launches; }));
    }
    void waitForEnd() {
        REQUIRE(tests::eventually([&] { return m_window->control().activity() == Activity::Idle; }));
    }
    /// Clicks a tab by its words.
    void tab(const QString& text) const {
        for (QPushButton* each : m_window->findChildren<QPushButton*>("tab"))
            if (each->text().startsWith(text) && each->isVisible()) return click(*each);
        FAIL("no tab " << text.toStdString());
    }
    /// Clicks a head of the kernel table until its largest number is first.
    void sortBy(int column) const {
        QHeaderView& heads = *m_window->kernels().table().horizontalHeader();
        const QPoint at(heads.sectionViewportPosition(column) + heads.sectionSize(column) / 2,
                        heads.height() / 2);
        for (int clicks = 0; clicks < 2; ++clicks)
            if (heads.sortIndicatorSection() != column || heads.sortIndicatorOrder() != Qt::DescendingOrder)
                QTest::mouseClick(heads.viewport(), Qt::LeftButton, {}, at);
        CHECK(heads.sortIndicatorOrder() == Qt::DescendingOrder);
    }
    /// Number of the only line of the source that holds this.
    [[nodiscard]] qsizetype lineOf(const QString& part) const {
        QFile file(source());
        REQUIRE(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        REQUIRE(text.count(part) == 1);
        return text.left(text.indexOf(part)).count(QLatin1Char('\n')) + 1;
    }
    /// Clicks the first row of the kernel table whose name holds this.
    void chooseKernel(const QString& name) const {
        QTableView& table = m_window->kernels().table();
        const int column = ui::kernels::KernelTableModel::Name;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex at = table.model()->index(row, column);
            if (!at.data().toString().contains(name)) continue;
            table.scrollTo(at);
            QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at).center());
            return;
        }
        FAIL("no kernel " << name.toStdString());
    }
    /// All words of the labels of the details.
    [[nodiscard]] QString words() const {
        QStringList all;
        for (const QLabel* each : m_window->findChildren<QLabel*>())
            if (each->isVisible()) all << each->text();
        return all.join(QLatin1Char('\n'));
    }
    void drop(const QString& path) const {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        REQUIRE(enter.isAccepted());
        const QPointF middle(m_window->rect().center());
        QDropEvent event(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &event);
    }
    void chooseDevice(const QString& text) const {
        auto& box = part<QComboBox>("device");
        const int row = box.findText(text, Qt::MatchStartsWith);
        REQUIRE(row >= 0);
        box.showPopup();
        box.view()->setCurrentIndex(box.model()->index(row, 0));
        QTest::keyClick(box.view(), Qt::Key_Return);
    }
    void shoot(const QString& name) const {
        QTest::qWait(400);
        REQUIRE(QDir().mkpath(DORMER_SCREENSHOTS));
        CHECK(m_window->grab().save(QStringLiteral(DORMER_SCREENSHOTS "/story-%1.png").arg(name)));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::shell::MainWindow> m_window;
};

/// From the first run to the line that is at fault.
void findTheLine(Story& story) {
    story.tab("Program");
    story.type(story.program() + " 2");
    for (QPushButton* each : story->findChildren<QPushButton*>())
        if (each->property("fold") == "options") story.click(*each);
    auto& lines = story.part<QCheckBox>("countLines");
    REQUIRE(tests::eventually([&] { return lines.isVisible() && lines.isEnabled(); }));
    QTest::qWait(100); // for the layout of what was unfolded
    QTest::mouseClick(&lines, Qt::LeftButton, {}, {8, 8});
    REQUIRE(lines.isChecked());
    story.run(4);
    story.waitForEnd();
    CHECK(tests::eventually([&] { return story->chartPanel().chart().pointCount() > 0; }));
    story.shoot("1-ran");

    // By time, most first; the article of the kernel says what is wrong and where.
    QTableView& table = story->kernels().table();
    story.sortBy(ui::kernels::KernelTableModel::Time);
    const QModelIndex worst = table.model()->index(0, ui::kernels::KernelTableModel::Name);
    CHECK(worst.data().toString().contains("transpose"));
    story.chooseKernel("transpose");
    REQUIRE(story->hub().selected());
    REQUIRE(tests::eventually([&] { return story.words().contains("Shared-memory bank conflicts"); }));
    CHECK(story.words().contains("tile[kTile][kTile + 1]"));
    story.shoot("2-worst");

    story.tab("Recommendations");
    auto& list = story.part<ui::tables::FactTable>("todo");
    REQUIRE(tests::eventually([&] { return list.isVisible() && list.model()->rowCount() > 0; }));
    QTest::qWait(100);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      list.visualRect(list.model()->index(0, 1)).center());
    const QString faulty = QStringLiteral("story.cu:%1").arg(story.lineOf("tile[threadIdx.x][threadIdx.y]"));
    REQUIRE(tests::eventually([&] { return story->chartPanel().source().chosenPlace() == faulty; }));
    CHECK(story->chartPanel().tab() == Tab::Source);
    story.shoot("3-line");
}

/// The advice is followed, and it was right.
void followTheAdvice(Story& story) {
    story.change("float tile[kTile][kTile];", "float tile[kTile][kTile + 1];");
    story.build();
    story.tab("Roofline");
    story.tab("Kernels");
    QTest::keyClick(story.operator->(), Qt::Key_R, Qt::ControlModifier);
    REQUIRE(tests::eventually([&] { return story->hub().baseline() != nullptr; }));
    story.waitFor(4);
    story.waitForEnd();
    REQUIRE(tests::eventually([&] { return story->chartPanel().chart().trailCount() > 0; }));
    story.chooseKernel("transpose");
    REQUIRE(tests::eventually([&] { return story.words().contains("Fixed: Shared-memory bank conflicts"); }));
    CHECK(story.words().contains("faster"));
    story.shoot("4-fixed");
    const QString picture = story.file("roofline.svg");
    CHECK(story->chartPanel().exportTo(picture).isEmpty());
    CHECK(QFile(picture).size() > 1000);
}

/// A run that takes too long is stopped and a file that is none opened: what is there stays.
void stopAndStumble(Story& story) {
    story.type(story.program() + " 1000000");
    story.run(6);
    QTest::keyClick(story.operator->(), Qt::Key_Escape);
    story.waitForEnd();
    const std::size_t kept = story->hub().session().launches().size();
    CHECK(kept >= 6);
    CHECK(story->messages().text().startsWith("Stopped. Everything that finished is in "));
    const auto saved =
        store::loadSession(story->control().history().runs().back().files.front().toStdString());
    REQUIRE(saved);
    CHECK(saved->launches().size() >= kept);

    QFile broken(story.file("broken.dormer"));
    REQUIRE(broken.open(QIODevice::WriteOnly));
    broken.write("SQLite format 3");
    broken.close();
    story.drop(broken.fileName());
    REQUIRE(tests::eventually([&] { return story->messages().text().contains("broken.dormer"); }));
    CHECK(story->hub().session().launches().size() == kept);
    story.shoot("5-broken");
}

/// The same on another machine, whose connection breaks.
void loseTheConnection(Story& story) {
    if (!tests::SshServer::available()) {
        std::cout << "no OpenSSH server here: the connection is not lost\n";
        return;
    }
    const tests::SshServer there;
    const std::string dormer = there.dormer({{"DORMER_TEST_LIBCUDA", "/nonexistent/libcuda.so.1"}});
    story.chooseDevice(QStringLiteral("Add a machine\u2026"));
    QTest::keyClicks(&story.part<QLineEdit>("machineHost"), "there");
    QTest::keyClicks(&story.part<QLineEdit>("machineDormer"), QString::fromStdString(dormer));
    story.click(story.part<QPushButton>("machineAdd"));
    auto& box = story.part<QComboBox>("device");
    REQUIRE(tests::eventually([&] { return box.currentText().startsWith("there"); }));
    story.click(story.part<QPushButton>("primary"));
    REQUIRE(tests::eventually([&] {
        return story->control().activity() == Activity::Collecting &&
               story->hub().session().launches().size() >= 6;
    }));
    there.cutConnections();
    story.waitForEnd();
    CHECK(story->messages().text().contains("the connection to there was lost"));
    CHECK(story->hub().session().launches().size() >= 6);
    story.shoot("6-lost");
}

} // namespace

TEST_CASE("the story of an afternoon", "[story]") {
    if (!canRun()) return;
    Story story;
    findTheLine(story);
    followTheAdvice(story);
    stopAndStumble(story);
    loseTheConnection(story);
}
