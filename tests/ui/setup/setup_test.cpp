// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What to run and how, set with real clicks: the built-in workloads, a program, and the collect options.
#include "ui/setup/setup_panel.h"

#include "analysis/device/chip.h"
#include "analysis/store/session_file.h"
#include "instrument/request/option_help.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"
#include "tests/ui/app_support.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/recent_programs.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStandardItemModel>

using namespace dormer;
using namespace dormer::ui::setup;
using Activity = ui::sessions::SessionControl::Activity;

namespace {

const instrument::launch::ChosenDevice kGpu{0, "NVIDIA H100 80GB HBM3", true, nullptr, {}};

instrument::launch::ChosenDevice emulated() {
    return {0, "H100", true, device::findChip("H100"), {}};
}

template <typename T>
T& part(QWidget& window, const char* property, const char* value) {
    for (T* each : window.findChildren<T*>())
        if (each->property(property).toString() == value) return *each;
    FAIL(value << " is missing");
    std::abort();
}

template <typename T>
T& named(QWidget& window, const char* name) {
    auto* found = window.findChild<T*>(name);
    REQUIRE(found != nullptr);
    return *found;
}

QPushButton& tab(QWidget& window, const QString& text) {
    for (QPushButton* each : window.findChildren<QPushButton*>("tab"))
        if (each->text() == text) return *each;
    FAIL("no tab " << text.toStdString());
    std::abort();
}

void type(QLineEdit& edit, const QString& text) {
    edit.clear();
    QTest::keyClicks(&edit, text);
}

/// Chooses an entry of a box with keys, as somebody would.
void choose(QComboBox& box, const QString& value) {
    REQUIRE(box.isEnabled());
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Home);
    for (int i = 0; box.currentData().toString() != value && i < box.count(); ++i)
        QTest::keyClick(&box, Qt::Key_Down);
    REQUIRE(box.currentData().toString() == value);
}

/// A window on one GPU, with the panel turned to programs.
class ProgramWindow {
public:
    explicit ProgramWindow(bool onGpu = true) {
        QSettings().remove("recentPrograms");
        ui::sessions::Environment environment = tests::withFakeSuite(m_folder);
        if (!onGpu) {
            environment.probeGpus = tests::withoutGpu(m_folder).probeGpus;
            environment.installation.emulator = "/nowhere/emulator/libcudart.so.13";
        }
        m_window = std::make_unique<ui::shell::MainWindow>(std::move(environment));
        m_window->show();
        m_window->activateWindow();
        REQUIRE(QTest::qWaitForWindowActive(m_window.get()));
        REQUIRE(tests::eventually([&] { return named<QPushButton>(*m_window, "primary").isEnabled(); }));
        QTest::mouseClick(&tab(*m_window, "Program"), Qt::LeftButton);
    }
    [[nodiscard]] ui::shell::MainWindow& operator*() { return *m_window; }
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }
    /// Types a program, presses Enter and waits for the end; the news in the banner.
    [[nodiscard]] QString run(const QString& command) {
        m_window->messages().clear();
        QLineEdit& edit = named<QLineEdit>(*m_window, "programCommand");
        type(edit, command);
        QTest::keyClick(&edit, Qt::Key_Return);
        REQUIRE(tests::eventually([&] { return m_window->control().activity() == Activity::Idle; }));
        return m_window->messages().isVisible() ? m_window->messages().text() : QString();
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::shell::MainWindow> m_window;
};

} // namespace

TEST_CASE("what a device can't do is told with the reason", "[setup]") {
    const auto without = [](Subject subject, const instrument::launch::ChosenDevice& device,
                            bool lines = false, const char* set = "") {
        RunSetup setup;
        setup.subject = subject;
        setup.lines = lines;
        setup.counterSet = set;
        return unavailable(setup, device);
    };
    CHECK(without(Subject::Program, kGpu).sampled.isEmpty());
    CHECK(without(Subject::Program, kGpu).stalls.isEmpty());
    CHECK(without(Subject::Program, kGpu, true).sampled.contains("disturb each other"));
    CHECK(without(Subject::Program, kGpu, true).stalls.contains("disturb each other"));
    CHECK(without(Subject::Program, kGpu).timeLimit.contains("can't be stopped"));
    CHECK_FALSE(without(Subject::Program, kGpu).timeLimit.contains("--"));
    CHECK(without(Subject::Program, emulated()).sampled.contains("counts exactly"));
    CHECK(without(Subject::Program, emulated()).stalls.contains("always tells"));
    CHECK(without(Subject::Program, emulated()).timeLimit.isEmpty());
    CHECK_FALSE(without(Subject::Program, emulated()).sizes.isEmpty());
    CHECK(without(Subject::Workloads, kGpu).sizes.isEmpty());
    CHECK(without(Subject::Workloads, kGpu).sampled.contains("for programs"));
    // Replay is of what takes several passes: neither of samples, nor of times, nor of the emulator.
    CHECK(without(Subject::Program, kGpu, false, "memory").replay.isEmpty());
    CHECK(without(Subject::Program, kGpu, true, "sampled").replay.isEmpty()); // counted, for the lines
    CHECK(without(Subject::Program, kGpu, false, "sampled").replay.contains("counter set"));
    CHECK(without(Subject::Program, kGpu, false, "none").replay.contains("counter set"));
    CHECK(without(Subject::Program, emulated(), false, "memory").replay.contains("on a GPU"));
    CHECK(without(Subject::Program, kGpu).check.contains("compute-sanitizer"));
    CHECK(without(Subject::Program, kGpu).onFault.contains("for the emulator"));
    CHECK_FALSE(without(Subject::Program, kGpu).check.contains("--"));
    CHECK(without(Subject::Program, emulated()).check.isEmpty());
    CHECK(without(Subject::Program, emulated()).onFault.isEmpty());
    CHECK(defaultCounterSet(Subject::Program, kGpu, false) == "sampled");
    CHECK(defaultCounterSet(Subject::Program, kGpu, true) == "memory");
    CHECK(defaultCounterSet(Subject::Program, emulated(), false) == "memory");
}

TEST_CASE("controls become a target", "[setup]") {
    instrument::launch::Installation installation;
    installation.workloads = "/suite/dormer-workloads";
    installation.collector = "/nowhere/libdormer-inject.so";
    installation.emulator = "/nowhere/emulator/libcudart.so.13";
    RunSetup setup;
    setup.workloads = {"transpose/tiled"};
    setup.size = "4096";
    setup.repeat = "3";
    setup.sizes = "emulator";
    setup.counterSet = "memory";
    setup.launches = "2";
    setup.flushCaches = false;
    setup.lines = true;
    setup.kernels = "^tile";
    setup.nvtx = "step*";
    const auto suite = targetOf(setup, kGpu, installation);
    REQUIRE(suite);
    CHECK(suite->arguments == std::vector<std::string>{"transpose/tiled", "--device", "0", "--size", "4096",
                                                       "--sizes", "emulator", "--repeat", "3"});
    CHECK(suite->options.launches == 2U);
    CHECK(suite->options.lines);
    CHECK_FALSE(suite->options.flushCaches);
    CHECK(suite->options.kernels == "^tile");
    CHECK(suite->options.nvtx == "step*");

    setup.subject = Subject::Program;
    setup.program = {.command = "sh -c 'echo \"two words\"'", .environment = "A=1 B='x y'", .folder = "/tmp"};
    setup.timeLimit = "2.5";
    setup.check = "race,init";
    setup.onFault = "continue";
    const auto program = targetOf(setup, emulated(), installation);
    REQUIRE(program);
    CHECK(program->options.check == "race,init");
    CHECK(program->options.onFault == "continue");
    CHECK(program->arguments == std::vector<std::string>{"-c", "echo \"two words\""});
    CHECK(program->environment == std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "x y"}});
    CHECK(program->workingFolder == "/tmp");
    CHECK(program->options.timeLimitSeconds == 2.5);
    CHECK(program->options.everyLaunch);
    // What was set for another device counts for nothing.
    setup.launches.clear();
    setup.counterSet = "sampled";
    const auto onGpu = targetOf(setup, kGpu, installation);
    REQUIRE(onGpu);
    CHECK(onGpu->options.lines);
    CHECK(onGpu->options.counterSet == "memory");
    CHECK_FALSE(onGpu->options.stalls);
    CHECK(onGpu->options.timeLimitSeconds == 0);
    CHECK(onGpu->options.check.empty());
    CHECK(onGpu->options.onFault == "stop");
    setup.lines = false;
    CHECK(estimateOf(setup, kGpu) == "Sampled at the program's own speed");
    CHECK_FALSE(targetOf(setup, kGpu, installation)->options.stalls);
    setup.stalls = true;
    CHECK(targetOf(setup, kGpu, installation)->options.stalls);
    CHECK(targetOf(setup, kGpu, installation)->options.counterSet == "none");
    CHECK(estimateOf(setup, kGpu) == "Warps sampled at the program's own speed");
    setup.stalls = false;

    const auto problem = [&](auto change) {
        RunSetup changed = setup;
        change(changed);
        const auto target = targetOf(changed, emulated(), installation);
        return target ? std::string() : target.error().message;
    };
    setup.counterSet = "memory";
    CHECK(problem([](RunSetup&) {}).empty());
    CHECK(problem([](RunSetup& s) { s.kernels = "x("; }).starts_with("Kernels 'x('"));
    CHECK(problem([](RunSetup& s) { s.launches = "-1"; }).starts_with("Launches -1"));
    CHECK(problem([](RunSetup& s) { s.timeLimit = "soon"; }).starts_with("Time limit soon"));
    CHECK(problem([](RunSetup& s) { s.program.command = "sh 'x"; }).starts_with("Program: the quote"));
    CHECK(problem([](RunSetup& s) { s.program.environment = "A"; }).starts_with("Environment: 'A'"));
    CHECK_THAT(problem([](RunSetup& s) { s.program.folder = "/no/such"; }),
               Catch::Contains("no such folder"));
}

TEST_CASE("options are counted and kept by what differs", "[setup]") {
    RunOptions options;
    CHECK(changedText(options).isEmpty());
    CHECK(changesOf(options).isEmpty());
    options.counterSet = "memory"; // chosen elsewhere
    CHECK(changedText(options).isEmpty());
    options.onFault = "continue";
    CHECK(changedText(options) == "1 option set");
    options.flushCaches = false;
    CHECK(changedText(options) == "2 options set");
    QVariantMap changes = changesOf(options);
    CHECK(changes.keys() == QStringList{"counterSet", "flushCaches", "onFault"});
    changes.insert("unknown", 1); // of another version
    CHECK(optionsFrom(changes) == options);
}

TEST_CASE("programs run lately are remembered, eight of them", "[setup]") {
    QSettings().remove("recentPrograms");
    for (int i = 0; i < 10; ++i)
        rememberProgram({{QStringLiteral("./app %1").arg(i), "A=1", "/tmp"}, {}});
    RunOptions options;
    options.counterSet = "memory";
    options.replay = "none";
    options.budget = "90s";
    options.check = "race,init";
    options.flushCaches = false;
    options.launches = "3";
    rememberProgram({{"./app 5", "A=1", "/tmp"}, options});
    REQUIRE(recentPrograms().size() == 8);
    CHECK(recentPrograms().front().program == TypedProgram{"./app 5", "A=1", "/tmp"});
    CHECK(recentPrograms().front().options == options);
    CHECK(recentPrograms().at(1).program.command == "./app 9");
    CHECK(recentPrograms().at(1).options == RunOptions());
    QSettings().remove("recentPrograms");
}

TEST_CASE("a program runs from the panel and can be chosen again", "[setup]") {
    tests::setSlowTarget(0);
    ProgramWindow window;
    CHECK_FALSE(named<QPushButton>(*window, "primary").isEnabled());
    CHECK(named<QPushButton>(*window, "primary").toolTip().contains("No program"));
    CHECK(named<QComboBox>(*window, "what").currentText() == "Program");
    CHECK(named<QComboBox>(*window, "counterSet").currentData().toString() == "sampled");
    type(named<QLineEdit>(*window, "programEnvironment"), "DORMER_TEST_EXIT=0");
    // What the banner says are the session's own notes, if any.
    CHECK_FALSE(window.run(QString(DORMER_SLOW_TARGET) + " 'two words'").contains("target"));
    CHECK((*window).hub().session().launches().size() == tests::sampleSession().launches().size());

    named<QLineEdit>(*window, "programCommand").clear();
    auto& recent = named<QListWidget>(*window, "recentPrograms");
    REQUIRE(recent.count() == 1);
    QTest::mouseClick(recent.viewport(), Qt::LeftButton, {}, recent.visualItemRect(recent.item(0)).center());
    CHECK(named<QLineEdit>(*window, "programCommand").text().endsWith("'two words'"));
    CHECK(named<QLineEdit>(*window, "programEnvironment").text() == "DORMER_TEST_EXIT=0");
    CHECK(named<QPushButton>(*window, "primary").isEnabled());
}

TEST_CASE("what can't run is one line in the banner, and the session stays", "[setup]") {
    ProgramWindow window;
    (*window).control().show(tests::sampleSession(), {});
    QFile data(window.path("data.txt"));
    REQUIRE(data.open(QIODevice::WriteOnly));
    data.write("no program");
    data.close();
    for (const auto& [command, words] : {std::pair<QString, QString>{"/no/such/program", "no such file"},
                                         {"no-such-program-here", "not on the PATH"},
                                         {data.fileName(), "not an executable"},
                                         {"sh -c 'open", "never ends"},
                                         {"sh | cat", "none is run"}}) {
        CAPTURE(command.toStdString());
        const QString news = window.run(command);
        CHECK(news.contains(words));
        CHECK(news.count('\n') == 0);
        CHECK((*window).hub().session().launches().size() == tests::sampleSession().launches().size());
    }
    CHECK(named<QListWidget>(*window, "recentPrograms").count() == 0); // nothing of it ran
    const QString nothing = window.run("/bin/true");
    CHECK(nothing.contains("launched none"));
    CHECK(nothing.count('\n') == 0);
}

TEST_CASE("controls that a device lacks are disabled with the reason", "[setup]") {
    ProgramWindow window(false);
    auto& set = named<QComboBox>(*window, "counterSet");
    const int sampled = set.findData(QString("sampled"));
    auto* items = qobject_cast<QStandardItemModel*>(set.model());
    CHECK_FALSE(items->item(sampled)->isEnabled());
    CHECK(set.itemData(sampled, Qt::ToolTipRole).toString().contains("counts exactly"));
    CHECK(set.currentData().toString() == "memory");
    QTest::mouseClick(&part<QPushButton>(*window, "fold", "options"), Qt::LeftButton);
    CHECK(named<QLineEdit>(*window, "optionTimeLimit").isEnabled());
    CHECK_FALSE(named<QLineEdit>(*window, "optionSize").isEnabled());
    CHECK(named<QLineEdit>(*window, "optionSize").toolTip().contains("built-in workloads"));
    CHECK(named<QCheckBox>(*window, "countLines").isEnabled());
    type(named<QLineEdit>(*window, "optionKernels"), "x(");
    CHECK(part<QLabel>(*window, "line", "estimate").text().startsWith("Kernels 'x('"));
    QTest::mouseClick(&tab(*window, "Workloads"), Qt::LeftButton);
    CHECK(named<QLineEdit>(*window, "optionSize").isEnabled());

    ProgramWindow onGpu;
    CHECK(named<QCheckBox>(*onGpu, "sampleStalls").isEnabled());
    QTest::mouseClick(&part<QPushButton>(*onGpu, "fold", "options"), Qt::LeftButton);
    QTest::mouseClick(&named<QCheckBox>(*onGpu, "countLines"), Qt::LeftButton, {}, {8, 8});
    CHECK(named<QComboBox>(*onGpu, "counterSet").currentData().toString() == "memory");
    CHECK_FALSE(named<QCheckBox>(*onGpu, "sampleStalls").isEnabled());
    CHECK(named<QCheckBox>(*onGpu, "sampleStalls").toolTip().contains("disturb each other"));
    CHECK_FALSE(named<QLineEdit>(*onGpu, "optionTimeLimit").isEnabled());
}

TEST_CASE("where counts per line are missing the control is offered", "[setup]") {
    ProgramWindow window(false);
    session::Session session;
    for (const auto& [process, record] : store::recordsOf(tests::sampleSession()))
        if (!std::holds_alternative<session::LaunchLines>(record)) session.apply(record, process);
    (*window).control().show(std::move(session), {});
    (*window).hub().select(session::LaunchIndex{0});
    (*window).chartPanel().setTab(ui::shell::ChartPanel::Tab::Source);
    auto& offer = part<QPushButton>((*window).chartPanel(), "offer", "lines");
    REQUIRE(tests::eventually([&] { return offer.isVisible(); }));
    QTest::mouseClick(&offer, Qt::LeftButton);
    CHECK(named<QCheckBox>(*window, "countLines").isChecked());
    CHECK(named<QCheckBox>(*window, "countLines").isVisible());
    CHECK((*window).messages().text().contains("next run counts per source line"));
    CHECK((*window).setup().setup().lines);
}

TEST_CASE("tooltips say what the command line's help says", "[setup]") {
    namespace help = instrument::request::help;
    ProgramWindow window;
    QTest::mouseClick(&part<QPushButton>(*window, "fold", "options"), Qt::LeftButton);
    for (const auto& [name, text] : {std::pair{"countLines", help::kLines},
                                     {"sampleStalls", help::kStalls},
                                     {"flushCaches", help::kCache},
                                     {"nvtxAllThreads", help::kNvtxAllThreads},
                                     {"optionKernels", help::kKernels},
                                     {"optionNvtx", help::kNvtx},
                                     {"optionLaunches", help::kLaunches},
                                     {"optionReplay", help::kReplay},
                                     {"optionBudget", help::kBudget},
                                     {"optionCheck", help::kCheck},
                                     {"optionOnFault", help::kOnFault},
                                     {"optionTimeLimit", help::kTimeLimit},
                                     {"optionSize", help::kSize},
                                     {"optionRepeat", help::kRepeat},
                                     {"optionSizes", help::kSizes}}) {
        CAPTURE(name);
        QWidget& control = named<QWidget>(*window, name);
        CHECK(control.property("tip").toString().contains(QString(text).mid(1))); // a capital first
        if (control.isEnabled()) CHECK(control.toolTip() == control.property("tip").toString());
        if (qobject_cast<QCheckBox*>(&control) == nullptr) CHECK_FALSE(control.accessibleName().isEmpty());
    }
}

TEST_CASE("what is set by hand reaches the program that is started", "[setup]") {
    tests::setSlowTarget(0);
    ProgramWindow window;
    QTest::mouseClick(&part<QPushButton>(*window, "fold", "options"), Qt::LeftButton);
    auto& set = named<QComboBox>(*window, "counterSet");
    CHECK_FALSE(named<QComboBox>(*window, "optionReplay").isEnabled()); // sampled: nothing is replayed
    choose(set, "memory");
    choose(named<QComboBox>(*window, "optionReplay"), "kernel");
    type(named<QLineEdit>(*window, "optionBudget"), "2m");
    type(named<QLineEdit>(*window, "optionLaunches"), "all");
    type(named<QLineEdit>(*window, "programFolder"), "/");
    CHECK_FALSE(named<QComboBox>(*window, "optionCheck").isEnabled());
    CHECK(named<QComboBox>(*window, "optionCheck").toolTip().contains("compute-sanitizer"));

    // A program that writes down what it was started with.
    const QString out = window.path("started.json");
    (void)window.run(QStringLiteral("sh -c 'printf \"%s\\n\" \"$DORMER_OPTIONS\" > %1; pwd >> %1'").arg(out));
    QFile file(out);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> started = file.readAll().split('\n');
    const auto options = instrument::stream::collectOptionsFromJson(started[0].toStdString());
    REQUIRE(options);
    CHECK(options->counterSet == "memory");
    CHECK(options->replay == instrument::stream::Replay::Kernel);
    CHECK(options->budgetSeconds == 120.0);
    CHECK_FALSE(options->launches.has_value());
    CHECK(started.value(1) == "/");

    // Chosen again, it brings all of that with it.
    choose(set, "roofline");
    choose(named<QComboBox>(*window, "optionReplay"), "");
    for (const char* name : {"programCommand", "optionBudget", "optionLaunches"})
        named<QLineEdit>(*window, name).clear();
    auto& recent = named<QListWidget>(*window, "recentPrograms");
    REQUIRE(recent.count() == 1);
    QTest::mouseClick(recent.viewport(), Qt::LeftButton, {}, recent.visualItemRect(recent.item(0)).center());
    CHECK(set.currentData().toString() == "memory");
    CHECK(named<QComboBox>(*window, "optionReplay").currentData().toString() == "kernel");
    CHECK(named<QLineEdit>(*window, "optionBudget").text() == "2m");
    CHECK(named<QLineEdit>(*window, "optionLaunches").text() == "all");
    type(named<QLineEdit>(*window, "optionBudget"), "soon");
    CHECK(
        part<QLabel>(*window, "line", "estimate").text().startsWith("Replay budget soon: expected seconds"));

    ProgramWindow emulated(false);
    QTest::mouseClick(&part<QPushButton>(*emulated, "fold", "options"), Qt::LeftButton);
    CHECK_FALSE(named<QComboBox>(*emulated, "optionReplay").isEnabled());
    choose(named<QComboBox>(*emulated, "optionCheck"), "race,init");
    choose(named<QComboBox>(*emulated, "optionOnFault"), "continue");
    CHECK((*emulated).setup().setup().check == "race,init");
    CHECK((*emulated).setup().setup().onFault == "continue");
    CHECK(part<QPushButton>(*emulated, "fold", "options").text().endsWith("2 options set"));
}
