// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/main_window.h"

#include "ui/details/details_panel.h"
#include "ui/explain/reader.h"
#include "ui/kernels/filter_field.h"
#include "ui/kernels/kernel_table_view.h"
#include "ui/learn/learn_view.h"
#include "ui/look/theme.h"
#include "ui/roofline/roofline_chart.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/options_form.h"
#include "ui/setup/program_form.h"
#include "ui/setup/recent_programs.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/chart_panel.h"
#include "ui/shell/commands.h"
#include "ui/shell/device_box.h"
#include "ui/shell/explain_part.h"
#include "ui/shell/list_panel.h"
#include "ui/shell/machine_part.h"
#include "ui/shell/message_bar.h"
#include "ui/shell/run_strip.h"
#include "ui/shell/status_line.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/view_history.h"
#include "ui/shell/welcome.h"
#include "ui/sources/source_view.h"
#include "ui/todo/todo_view.h"
#include "ui/workloads/workload_panel.h"
#include "ui/workloads/workload_tree.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QtConcurrent>

#include <algorithm>
#include <utility>

namespace dormer::ui::shell {
namespace {

constexpr int kWorkloadsWidth = 34 * look::kGrid;
constexpr int kDetailsWidth = 49 * look::kGrid;
const QString kSessionFilter = QStringLiteral("Dormer sessions (*.dormer)");

QStringList sessionFiles(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QLatin1String(".dormer")))
            files << url.toLocalFile();
    return files;
}

/// Nothing to look at: neither launches nor transfers.
bool isEmpty(const session::Session& session) {
    return session.launches().empty() && session.transfers().empty() && session.memoryCalls().empty();
}

QString withEnding(const QString& file, const QString& ending) {
    return file.isEmpty() || !QFileInfo(file).suffix().isEmpty() ? file : file + ending;
}

} // namespace

MainWindow::MainWindow(sessions::Environment environment, QWidget* parent)
    : QMainWindow(parent)
    , m_toDo(m_hub)
    , m_comparison(m_hub)
    , m_control(new sessions::SessionControl(m_hub, std::move(environment), this))
    , m_top(new TopBar)
    , m_messages(new MessageBar)
    , m_machines(new MachinePart(m_control->environment().remoteDevices))
    , m_setup(new setup::SetupPanel)
    , m_welcome(new Welcome)
    , m_learn(new learn::LearnView)
    , m_charted(new QSplitter(Qt::Vertical))
    , m_columns(new QSplitter(Qt::Horizontal))
    , m_centre(new QStackedWidget)
    , m_chart(new ChartPanel(m_hub))
    , m_lists(new ListPanel(m_hub, m_toDo))
    , m_details(new details::DetailsPanel(m_hub, m_toDo))
    , m_status(new StatusLine(m_hub))
    , m_commands(new Commands(*this))
    , m_explain(new ExplainPart(m_hub, *m_commands, *this))
    , m_past(new ViewHistory(m_hub, m_top->filter(), this)) {
    setWindowTitle("Dormer");
    setAcceptDrops(true);
    resize(1440, 900);
    setMinimumSize(1100, 640);
    arrange();
    wireSession();
    wireRun();
    wireMachines();
    wireLearn();
    wireLoop();
    addCommands();
    m_setup->workloads().setRecent(sessions::SessionControl::recentFiles());
    m_welcome->setRecording(m_control->environment().sampleRecording);
    lookAround();
    updateCentre();
}

MainWindow::~MainWindow() {
    // Views follow the hub's signals; they go before it does.
    delete m_past;
    delete takeCentralWidget();
    delete m_control;
}

void MainWindow::arrange() {
    m_charted->addWidget(m_chart);
    m_charted->addWidget(m_lists);
    m_charted->setStretchFactor(0, 3);
    m_charted->setStretchFactor(1, 2);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_charted);
    m_centre->addWidget(&m_explain->reader());
    m_centre->addWidget(m_learn);

    m_columns->addWidget(m_setup);
    m_columns->addWidget(m_centre);
    m_columns->addWidget(m_details);
    m_columns->setStretchFactor(1, 1);
    for (QSplitter* splitter : {m_charted, m_columns}) {
        splitter->setHandleWidth(3 * look::kGrid / 2);
        splitter->setChildrenCollapsible(false);
    }

    auto* middle = new QVBoxLayout;
    middle->setContentsMargins(3 * look::kGrid / 2, look::kGrid / 2, 3 * look::kGrid / 2, look::kGrid);
    middle->setSpacing(look::kGrid);
    middle->addWidget(m_messages);
    middle->addWidget(m_machines);
    middle->addWidget(&m_chart->tabs());
    middle->addWidget(m_columns, 1);
    auto* ground = new QWidget;
    ground->setObjectName("ground");
    ground->setFocusPolicy(Qt::ClickFocus);
    auto* layout = new QVBoxLayout(ground);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_top);
    layout->addLayout(middle, 1);
    layout->addWidget(m_status);
    setCentralWidget(ground);
    ground->setFocus(); // or the first box of the top bar looks chosen
}

void MainWindow::wireSession() {
    connect(m_control, &sessions::SessionControl::message, this, [this](const QString& text) {
        if (text.isEmpty())
            m_messages->clear();
        else
            m_messages->show(text);
    });
    connect(m_control, &sessions::SessionControl::fileChanged, m_status, &StatusLine::setFile);
    connect(m_control, &sessions::SessionControl::recentChanged, this,
            [this] { m_setup->workloads().setRecent(sessions::SessionControl::recentFiles()); });
    connect(m_control, &sessions::SessionControl::activityChanged, this, [this] {
        m_top->setActivity(m_control->activity(), m_control->player().paused());
        updateCentre();
    });
    connect(&m_hub, &sessions::SessionHub::progressChanged, m_top, &TopBar::setProgress);
    connect(&m_hub, &sessions::SessionHub::sessionReset, this, [this] {
        m_filter.forget();
        updateCentre();
    });
    const auto appeared = [this] {
        if (m_centre->currentWidget() == m_welcome) updateCentre();
    };
    connect(&m_hub, &sessions::SessionHub::launchChanged, this, appeared);
    connect(&m_hub, &sessions::SessionHub::suiteChanged, this, appeared);
    connect(m_chart, &ChartPanel::tabChanged, this, [this] {
        m_explain->close();
        m_learns = false;
        updateCentre();
    });
    connect(m_explain, &ExplainPart::readsChanged, this, &MainWindow::updateCentre);
    connect(&kernels(), &kernels::KernelTableView::explanationAsked, m_explain, &ExplainPart::follow);
    connect(m_details, &details::DetailsPanel::explanationAsked, m_explain, &ExplainPart::follow);
    // Selection is the only thing a chart point, a row and the article share; the hub keeps it.
    connect(&m_top->filter(), &QLineEdit::textChanged, this, &MainWindow::applyFilter);
    connect(&m_setup->workloads(), &workloads::WorkloadPanel::openRequested, this,
            [this](const QString& file) { m_control->open({file}); });
    connect(m_welcome, &Welcome::openRequested, this, &MainWindow::chooseFile);
    connect(m_welcome, &Welcome::patternRequested, this,
            [this] { m_chart->setTab(ChartPanel::Tab::Pattern); });
    connect(m_welcome, &Welcome::playRequested, this,
            [this](const QString& file) { m_control->open({file}, true); });
}

void MainWindow::wireRun() {
    connect(m_top, &TopBar::runRequested, this, &MainWindow::run);
    connect(m_welcome, &Welcome::runRequested, this, [this] {
        m_setup->setSubject(setup::Subject::Workloads);
        run();
    });
    connect(m_top, &TopBar::stopRequested, m_control, &sessions::SessionControl::stop);
    connect(m_top, &TopBar::playRequested, m_control, &sessions::SessionControl::playAgain);
    connect(m_top, &TopBar::pauseRequested, &m_control->player(), &sessions::Player::setPaused);
    connect(m_top, &TopBar::speedChosen, &m_control->player(), &sessions::Player::setSpeed);
    connect(m_top, &TopBar::familyChosen, &m_setup->workloads().tree(), &workloads::WorkloadTree::choose);
    connect(m_top, &TopBar::runnableChanged, this, [this] {
        const QString problem = m_top->problemOf(setup::Subject::Workloads);
        m_welcome->setRunnable(problem.isEmpty(), problem);
    });
    connect(m_setup, &setup::SetupPanel::changed, this, &MainWindow::followSetup);
    connect(m_setup, &setup::SetupPanel::runRequested, this, &MainWindow::run);
    connect(m_setup, &setup::SetupPanel::counterSetChosen, m_top, &TopBar::chooseCounterSet);
    connect(m_top, &TopBar::choiceChanged, this, &MainWindow::followSetup);
    connect(m_top, &TopBar::subjectChosen, m_setup, &setup::SetupPanel::setSubject);
    connect(m_welcome, &Welcome::programRequested, this, [this] {
        m_setup->setSubject(setup::Subject::Program);
        m_setup->program().startTyping();
    });
    connect(&m_chart->source(), &sources::SourceView::linesRequested, this, &MainWindow::offerLines);
    connect(&m_lists->toDo(), &todo::ToDoView::linesRequested, this, &MainWindow::offerLines);
}

void MainWindow::wireMachines() {
    sessions::Machines& machines = m_machines->machines();
    DeviceBox& devices = m_top->devices();
    devices.setMachines(machines.all());
    connect(&machines, &sessions::Machines::changed, this,
            [&machines, &devices] { devices.setMachines(machines.all()); });
    connect(&devices, &DeviceBox::machineAsked, &machines, &sessions::Machines::ask);
    // Later: the list of the box gives the focus back when it closes.
    connect(&devices, &DeviceBox::addRequested, m_machines, &MachinePart::start, Qt::QueuedConnection);
    connect(m_machines, &MachinePart::machineAdded, &devices, &DeviceBox::chooseMachine);
}

void MainWindow::wireLoop() {
    m_details->setComparison(m_comparison);
    auto* runs = new RunStrip(m_control->history());
    m_chart->addBesideTabs(*runs);
    connect(runs, &RunStrip::baselineChosen, m_control, &sessions::SessionControl::compareWith);
    connect(&m_comparison, &sessions::RunComparison::changed, this, &MainWindow::showChanges);
    connect(m_top, &TopBar::watchToggled, this, &MainWindow::watchProgram);
    connect(&m_watch, &sessions::ProgramWatch::changed, this, &MainWindow::runAgain);
    connect(m_control, &sessions::SessionControl::activityChanged, this, [this] {
        const bool idle = m_control->activity() == sessions::SessionControl::Activity::Idle;
        // Who has just told that it is idle is not done with telling.
        if (idle && std::exchange(m_changedMeanwhile, false))
            QMetaObject::invokeMethod(this, &MainWindow::runAgain, Qt::QueuedConnection);
    });
}

void MainWindow::watchProgram() {
    m_changedMeanwhile = false;
    const instrument::launch::ChosenDevice* device = m_top->device();
    if (!m_top->watches() || device == nullptr) return m_watch.watch({});
    setup::RunSetup setup = m_setup->setup();
    setup.counterSet = m_top->counterSet();
    const auto target = setup::targetOf(setup, *device, m_control->environment().installation);
    m_watch.watch(target ? setup::filesOf(*target) : QStringList());
    if (!target)
        m_messages->show(QString::fromStdString(target.error().message));
    else if (device->remote)
        m_messages->show(QStringLiteral("Watch looks at files of this machine: those of %1 are not seen.")
                             .arg(m_top->devices().host()));
}

void MainWindow::runAgain() {
    if (!m_top->watches()) return;
    m_changedMeanwhile = m_control->activity() == sessions::SessionControl::Activity::Collecting;
    if (!m_changedMeanwhile) run();
}

void MainWindow::showChanges() {
    std::vector<roofline::MovedKernel> moved;
    std::vector<kernels::ExtraColumn> extras;
    if (const compare::RunChanges* changes = m_comparison.changes()) {
        for (const compare::KernelChange& each : changes->kernels)
            moved.push_back({each.base, m_hub.diagnosis().groups()[each.freshGroup].representative});
        extras.push_back({compare::changeColumn(), [this](session::LaunchIndex launch) {
                              const compare::RunChanges* now = m_comparison.changes();
                              return now != nullptr
                                         ? compare::changeCell(*now, m_hub.diagnosis().groupOf(launch))
                                         : view::Cell{};
                          }});
    }
    m_chart->chart().setMoved(std::move(moved));
    kernels().setComparison(std::move(extras));
}

void MainWindow::addCommands() {
    const auto has = [this] { return !isEmpty(m_hub.session()); };
    using Activity = sessions::SessionControl::Activity;
    m_commands->add("Search everything", QKeySequence(Qt::CTRL | Qt::Key_K), [this] { m_explain->search(); });
    m_commands->add("Open a session", QKeySequence::Open, [this] { chooseFile(); });
    m_commands->add(
        "Save the session", QKeySequence(Qt::CTRL | Qt::Key_S), [this] { chooseSaveName(); }, has);
    m_commands->add(
        "Export the chart", QKeySequence(Qt::CTRL | Qt::Key_E), [this] { chooseExportName(); }, has);
    m_commands->add(
        "Run", QKeySequence(Qt::CTRL | Qt::Key_R), [this] { run(); },
        [this] { return m_top->runProblem().isEmpty() && m_control->activity() == Activity::Idle; });
    m_commands->add(
        "Stop, and keep what finished", QKeySequence(Qt::Key_Escape), [this] { m_control->stop(); },
        [this] { return m_control->activity() != Activity::Idle; });
    m_commands->add("Filter kernels", QKeySequence(Qt::CTRL | Qt::Key_F), [this] {
        if (m_chart->source().isVisible()) return m_chart->source().startFind();
        m_top->filter().setFocus();
        m_top->filter().selectAll();
    });
    m_commands->add(
        "Clear the filter", {}, [this] { m_top->filter().clear(); },
        [this] { return !m_top->filter().text().isEmpty(); });
    m_commands->add(
        "Clear the selection", {}, [this] { m_hub.select({}); },
        [this] { return m_hub.selected().has_value(); });
    m_commands->add(
        "Undo filter or selection", QKeySequence(Qt::CTRL | Qt::Key_Z), [this] { m_past->undo(); },
        [this] { return m_past->canUndo(); });
    m_commands->add(
        "Redo filter or selection", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [this] { m_past->redo(); }, [this] { return m_past->canRedo(); });
    addViews();
}

void MainWindow::addViews() {
    using Tab = ChartPanel::Tab;
    for (const auto& [title, tab] : {std::pair{"Show the roofline", Tab::Roofline},
                                     {"Show the source", Tab::Source},
                                     {"Show sweeps", Tab::Sweeps},
                                     {"Show transfers", Tab::Transfers},
                                     {"Show the timeline", Tab::Timeline},
                                     {"Show an access pattern", Tab::Pattern}})
        m_commands->add(
            title, {},
            [this, tab = tab] {
                m_explain->close();
                m_chart->setTab(tab);
            },
            [this, tab = tab] { return m_chart->hasTab(tab) && m_chart->tab() != tab; });
    m_commands->add("Show the kernels", {}, [this] { m_lists->setTab(ListPanel::Tab::Kernels); });
    m_commands->add("Show the recommendations", {}, [this] { m_lists->setTab(ListPanel::Tab::ToDo); });
    m_commands->add("Fit roofs and points into view", {}, [this] { m_chart->chart().resetView(); });
    m_commands->add("Count per source line in the next run", {}, [this] { offerLines(); });
    m_commands->add("Add or remove a machine over ssh", {}, [this] { m_machines->start(); });
    m_commands->add("Set collect options", {}, [this] {
        m_explain->close();
        m_chart->setTab(Tab::Roofline); // the options are out of sight beside the source
        m_setup->options().setUnfolded(true);
    });
    m_commands->add("Learn with the built-in kernels: the course", {}, [this] { learn(true); });
    m_commands->add("Profile a program", {}, [this] {
        m_explain->close();
        m_chart->setTab(Tab::Roofline);
        m_setup->setSubject(setup::Subject::Program);
        m_setup->program().startTyping();
    });
    m_commands->add("Read the documentation", QKeySequence(QKeySequence::HelpContents),
                    [this] { m_explain->follow("doc:app.md"); });
}

void MainWindow::lookAround() {
    using Listed = Result<std::vector<instrument::launch::WorkloadInfo>>;
    auto* gpus = new QFutureWatcher<instrument::launch::GpuStatus>(this);
    connect(gpus, &QFutureWatcherBase::finished, this,
            [this, gpus] { m_top->setGpus(gpus->result(), m_control->environment().installation); });
    gpus->setFuture(QtConcurrent::run(m_control->environment().probeGpus));
    auto* suite = new QFutureWatcher<Listed>(this);
    connect(suite, &QFutureWatcherBase::finished, this, [this, suite] {
        const Listed listed = suite->result();
        if (listed) m_learn->setSuite(*listed);
        if (listed)
            m_setup->workloads().setWorkloads(*listed);
        else
            m_setup->workloads().setProblem(QString::fromStdString(listed.error().message));
        m_top->setFamilies(m_setup->workloads().tree().families());
    });
    suite->setFuture(QtConcurrent::run(m_control->environment().listWorkloads));
}

void MainWindow::updateCentre() {
    const bool nothing = isEmpty(m_hub.session());
    const bool empty = nothing && m_control->activity() == sessions::SessionControl::Activity::Idle;
    // An access pattern needs no session.
    const bool welcomes = empty && m_chart->tab() != ChartPanel::Tab::Pattern;
    m_centre->setCurrentWidget(m_explain->reads() ? static_cast<QWidget*>(&m_explain->reader())
                               : m_learns         ? m_learn
                               : welcomes         ? static_cast<QWidget*>(m_welcome)
                                                  : m_charted);
    m_top->setHasSession(!nothing);
    shareRoom();
}

void MainWindow::shareRoom() {
    // Who reads code or draws a pattern needs the width more than the list of what to run.
    const ChartPanel::Tab tab = m_chart->tab();
    const bool pattern = tab == ChartPanel::Tab::Pattern, source = tab == ChartPanel::Tab::Source;
    const bool empty =
        isEmpty(m_hub.session()) && m_control->activity() == sessions::SessionControl::Activity::Idle;
    const bool workloads = !source && !pattern, details = !empty && !pattern;
    const bool first = m_columns->sizes().front() == 0 && workloads;
    m_lists->setVisible(!pattern);
    if (m_room != tab) m_charted->setSizes(source ? QList<int>{640, 170} : QList<int>{460, 320});
    m_room = tab;
    if (!first && m_setup->isHidden() != workloads && m_details->isHidden() != details) return;
    m_setup->setVisible(workloads);
    m_details->setVisible(details);
    const int middle =
        std::max(1, width() - (workloads ? kWorkloadsWidth : 0) - (details ? kDetailsWidth : 0));
    m_columns->setSizes({kWorkloadsWidth, middle, kDetailsWidth});
}

kernels::KernelTableView& MainWindow::kernels() {
    return m_lists->kernels();
}

void MainWindow::run() {
    if (!m_top->runProblem().isEmpty()) return;
    m_lessonRuns = false;
    (void)start(m_setup->setup());
}

bool MainWindow::start(const setup::RunSetup& asked) {
    setup::RunSetup setup = asked;
    setup.counterSet = m_top->counterSet();
    const auto target = setup::targetOf(setup, *m_top->device(), m_control->environment().installation);
    const QString what = setup.subject == setup::Subject::Program
                             ? setup.program.command
                             : QStringLiteral("%1 workloads").arg(setup.workloads.size());
    const bool runs = m_control->run(
        target, {.program = what, .device = m_top->deviceText(), .set = setup.counterSet, .time = {}});
    // As it is now; what was written before is what runs.
    if (runs && m_top->watches()) m_watch.watch(setup::filesOf(*target));
    if (!runs || setup.subject != setup::Subject::Program) return runs;
    setup::rememberProgram({setup.program, setup});
    m_setup->program().showRecent();
    return true;
}

void MainWindow::learn(bool on) {
    m_explain->close();
    m_learns = on;
    updateCentre();
}

void MainWindow::wireLearn() {
    connect(m_welcome, &Welcome::learnRequested, this, [this] { learn(true); });
    connect(m_learn, &learn::LearnView::closed, this, [this] { learn(false); });
    connect(m_learn, &learn::LearnView::runRequested, this, [this](const QStringList& workloads) {
        m_setup->setSubject(setup::Subject::Workloads);
        setup::RunSetup setup = m_setup->setup();
        setup.workloads = workloads;
        m_lessonRuns = start(setup);
        if (m_lessonRuns) m_learn->setRunning();
    });
    connect(m_learn, &learn::LearnView::launchChosen, this, [this](session::LaunchIndex launch) {
        learn(false);
        m_chart->setTab(ChartPanel::Tab::Roofline);
        m_hub.select(launch);
    });
    connect(m_control, &sessions::SessionControl::activityChanged, this, [this] {
        const bool idle = m_control->activity() == sessions::SessionControl::Activity::Idle;
        if (idle && std::exchange(m_lessonRuns, false)) m_learn->setResult(m_hub.diagnosis());
    });
    connect(m_top, &TopBar::runnableChanged, this, [this] {
        const bool idle = m_control->activity() == sessions::SessionControl::Activity::Idle;
        const QString problem = m_top->problemOf(setup::Subject::Workloads);
        m_learn->setProblem(idle ? problem : QStringLiteral("A run is in progress."));
    });
}

void MainWindow::followSetup() {
    const workloads::WorkloadTree& tree = m_setup->workloads().tree();
    m_top->setSubject(m_setup->subject());
    m_top->setChosen(tree.chosen().size(), tree.total() > 0);
    m_top->setProgramGiven(!m_setup->program().program().command.isEmpty());
    setup::RunSetup setup = m_setup->setup();
    m_top->setLines(setup.lines);
    const instrument::launch::ChosenDevice* device = m_top->device();
    if (device == nullptr) return;
    setup.counterSet = m_top->counterSet();
    m_setup->options().setUnavailable(setup::unavailable(setup, *device));
    m_setup->options().setEstimate(setup::estimateOf(setup, *device));
}

void MainWindow::offerLines() {
    m_chart->setTab(ChartPanel::Tab::Roofline); // the options are out of sight beside the source
    m_setup->options().chooseLines();
    m_messages->show(QStringLiteral("The next run counts per source line (Ctrl+R starts it)."));
}

void MainWindow::applyFilter() {
    m_filter.setText(m_top->filter().text());
    m_top->filter().setProblem(m_filter.problem());
    kernels().setFilter(m_filter);
    if (!m_filter.active()) {
        m_chart->chart().setFilter({});
        return;
    }
    m_chart->chart().setFilter(
        [this](session::LaunchIndex launch) { return m_filter.accepts(m_hub.diagnosis(), launch); });
}

void MainWindow::chooseFile() {
    m_control->open(QFileDialog::getOpenFileNames(this, "Open a session", {}, kSessionFilter));
}

void MainWindow::chooseSaveName() {
    if (isEmpty(m_hub.session())) return;
    m_control->save(withEnding(QFileDialog::getSaveFileName(this, "Save the session", {}, kSessionFilter),
                               QStringLiteral(".dormer")));
}

void MainWindow::chooseExportName() {
    if (isEmpty(m_hub.session())) return;
    const QString file = withEnding(QFileDialog::getSaveFileName(this, "Export the chart", "roofline.png",
                                                                 "Pictures (*.png *.svg);;PDF (*.pdf)"),
                                    QStringLiteral(".png"));
    if (file.isEmpty()) return;
    const QString problem = m_chart->exportTo(file);
    m_messages->show(problem.isEmpty() ? QStringLiteral("Chart exported to %1.").arg(file) : problem);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!sessionFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_control->open(sessionFiles(*event->mimeData()));
}

} // namespace dormer::ui::shell
