// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/top_bar.h"

#include "analysis/metrics/counter_sets.h"
#include "ui/kernels/filter_field.h"
#include "ui/look/sentence.h"
#include "ui/look/style.h"
#include "ui/look/theme.h"
#include "ui/look/words.h"
#include "ui/shell/device_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>

namespace dormer::ui::shell {
namespace {

using Activity = sessions::SessionControl::Activity;
constexpr int kHintRole = Qt::UserRole + 1; ///< what a set tells, where its tooltip says why it can't be had
const QString kDot = QStringLiteral(" \u00b7 ");

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString progressText(const session::Progress& progress) {
    QStringList parts{progress.phase == "playing" ? QStringLiteral("playing") : QStringLiteral("live")};
    if (progress.launchesExpected > 0)
        parts
            << QStringLiteral("%1 of %2 launches").arg(progress.launchesDone).arg(progress.launchesExpected);
    else if (progress.launchesDone > 0)
        parts << QStringLiteral("%1 launches").arg(progress.launchesDone);
    if (progress.pass > 0 && progress.passes > 0)
        parts << QStringLiteral("pass %1 of %2").arg(progress.pass).arg(progress.passes);
    else if (progress.phase != "playing" && !progress.phase.empty())
        parts << QString::fromStdString(progress.phase);
    if (progress.secondsLeft > 0) parts << QStringLiteral("%1 s left").arg(progress.secondsLeft, 0, 'f', 1);
    return parts.join(kDot);
}

TopBar::TopBar(QWidget* parent)
    : QFrame(parent)
    , m_what(new look::PillCombo)
    , m_device(new DeviceBox)
    , m_set(new look::PillCombo)
    , m_run(new QPushButton("\u25b6  Run"))
    , m_watch(new QPushButton("Watch"))
    , m_stop(new QPushButton("\u25a0  Stop"))
    , m_play(new QPushButton("Play"))
    , m_pause(new QPushButton("Pause"))
    , m_speed(new look::PillCombo)
    , m_dot(new QLabel("\u25cf"))
    , m_status(new look::ElidedLabel)
    , m_filter(new kernels::FilterField) {
    setObjectName("topBar");
    auto* name = new QLabel("Dormer");
    name->setFont(look::headingFont(font(), 3));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
    row->setSpacing(look::kGrid);
    row->addWidget(name);
    row->addSpacing(look::kGrid);
    addChoices(*row);
    addButtons(*row);
    row->addWidget(m_dot);
    row->addWidget(m_status, 1);
    row->addWidget(m_filter);

    m_dot->setObjectName("good");
    m_status->setObjectName("status");
    m_status->setAccessibleName("What is happening");
    m_filter->setObjectName("filter");
    m_filter->setPlaceholderText("Filter kernels, ranges");
    m_filter->setAccessibleName("Filter");
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(25 * look::kGrid);
    update();
}

void TopBar::addChoices(QHBoxLayout& row) {
    m_what->setObjectName("what");
    m_what->setAccessibleName("What to run");
    m_what->setToolTip("Built-in workloads or a program of yours; the panel on the left has the details");
    setFamilies({});
    connect(m_what, &QComboBox::activated, this, [this](int index) {
        const bool program = m_what->itemData(index).toBool();
        emit subjectChosen(program ? setup::Subject::Program : setup::Subject::Workloads);
        if (program) return;
        emit familyChosen(index <= 0 ? QString() : m_what->itemText(index));
        m_what->setCurrentIndex(index);
    });
    m_set->setObjectName("counterSet");
    m_set->setAccessibleName("Counters");
    addCounterSets();
    for (QComboBox* box : {m_what, static_cast<QComboBox*>(m_device), m_set})
        row.addWidget(box);
    connect(m_device, &DeviceBox::deviceChanged, this, [this] {
        offerCounterSets();
        update();
        emit choiceChanged();
    });
    connect(m_set, &QComboBox::activated, this, [this] {
        m_setChosen = true;
        emit choiceChanged();
    });
}

void TopBar::addCounterSets() {
    const auto add = [this](const QString& text, const QString& name, const QString& tip) {
        m_set->addItem(text, name);
        m_set->setItemData(m_set->count() - 1, tip, Qt::ToolTipRole);
        m_set->setItemData(m_set->count() - 1, tip, kHintRole);
    };
    add(QStringLiteral("sampled \u00b7 no replay"), instrument::stream::kSampledSet,
        QStringLiteral("Counters sampled while the program runs at its own speed"));
    add(QStringLiteral("none \u00b7 times only"), QStringLiteral("none"),
        QStringLiteral("Every launch and copy with its time, and no counters"));
    for (const metrics::CounterSet& set : metrics::counterSets())
        add(QStringLiteral("%1 \u00b7 %2%3 %4")
                .arg(view(set.name))
                .arg(set.passBound == 1 ? QString() : QStringLiteral("\u2264 "))
                .arg(set.passBound)
                .arg(set.passBound == 1 ? QLatin1String("pass") : QLatin1String("passes")),
            view(set.name), view(set.answers));
    m_set->setCurrentIndex(m_set->findData(view(metrics::kDefaultCounterSet)));
    m_set->setToolTip("Counters to collect: more of them take more passes over each launch");
    offerCounterSets();
}

void TopBar::offerCounterSets() {
    const instrument::launch::ChosenDevice* chosen = device();
    const QString problem = chosen != nullptr ? setup::whyNotSampled(m_subject, *chosen, m_lines)
                                              : QStringLiteral("Sampling is for programs on a GPU");
    const int sampled = m_set->findData(QString(instrument::stream::kSampledSet));
    auto* items = qobject_cast<QStandardItemModel*>(m_set->model());
    items->item(sampled)->setEnabled(problem.isEmpty());
    m_set->setItemData(sampled, problem.isEmpty() ? m_set->itemData(sampled, kHintRole) : QVariant(problem),
                       Qt::ToolTipRole);
    const bool gone = m_set->currentIndex() == sampled && !problem.isEmpty();
    if (chosen != nullptr && (gone || !m_setChosen))
        m_set->setCurrentIndex(m_set->findData(setup::defaultCounterSet(m_subject, *chosen, m_lines)));
}

void TopBar::addButtons(QHBoxLayout& row) {
    m_run->setObjectName("primary");
    m_watch->setObjectName("segment");
    m_watch->setProperty("watch", true);
    m_watch->setCheckable(true);
    m_watch->setToolTip(
        "Run again by itself when the program's file changes, and compare with the run before");
    m_stop->setObjectName("stop");
    m_play->setObjectName("play");
    m_pause->setObjectName("pause");
    m_pause->setCheckable(true);
    m_play->setToolTip("Show this recording as if it were being collected now");
    m_speed->setObjectName("speed");
    m_speed->setAccessibleName("Speed");
    addSpeeds();
    connect(m_run, &QPushButton::clicked, this, &TopBar::runRequested);
    connect(m_watch, &QPushButton::toggled, this, &TopBar::watchToggled);
    connect(m_stop, &QPushButton::clicked, this, &TopBar::stopRequested);
    connect(m_play, &QPushButton::clicked, this, &TopBar::playRequested);
    connect(m_pause, &QPushButton::clicked, this, &TopBar::pauseRequested);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_run), static_cast<QWidget*>(m_watch), static_cast<QWidget*>(m_stop),
          static_cast<QWidget*>(m_play), static_cast<QWidget*>(m_pause), static_cast<QWidget*>(m_speed)})
        row.addWidget(widget);
}

void TopBar::addSpeeds() {
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
        m_speed->addItem(QStringLiteral("\u00d7%1").arg(speed), speed);
    m_speed->setCurrentIndex(2);
    m_speed->setToolTip("Speed of the playback");
    connect(m_speed, &QComboBox::activated, this,
            [this](int index) { emit speedChosen(m_speed->itemData(index).toDouble()); });
}

void TopBar::setGpus(const instrument::launch::GpuStatus& status,
                     const instrument::launch::Installation& installation) {
    m_gpus = status;
    QString problem =
        status.problem.empty() ? QStringLiteral("No GPU was found") : look::sentence(status.problem);
    if (!status.remedy.empty()) problem += QStringLiteral(": %1").arg(look::words(status.remedy));
    m_device->setLocal(instrument::launch::devicesToChoose(status, installation), problem);
}

void TopBar::setFamilies(const QStringList& families) {
    m_what->clear();
    m_what->addItem("Built-in workloads", false);
    for (const QString& family : families)
        m_what->addItem(family, false);
    m_what->insertSeparator(m_what->count());
    m_what->addItem("Program", true);
    if (m_subject == setup::Subject::Program) m_what->setCurrentIndex(m_what->count() - 1);
}

void TopBar::setSubject(setup::Subject subject) {
    if (subject == m_subject) return;
    m_subject = subject;
    m_what->setCurrentIndex(subject == setup::Subject::Program ? m_what->count() - 1 : 0);
    offerCounterSets();
    update();
}

void TopBar::setLines(bool lines) {
    m_lines = lines;
    offerCounterSets();
}

void TopBar::setProgramGiven(bool given) {
    m_programGiven = given;
    update();
}

void TopBar::setChosen(qsizetype count, bool suiteBuilt) {
    m_chosen = count;
    m_suiteBuilt = suiteBuilt;
    update();
}

void TopBar::setActivity(Activity activity, bool paused) {
    if (activity != m_activity) m_progress.clear();
    m_activity = activity;
    m_pause->setChecked(paused);
    m_pause->setText(paused ? QStringLiteral("Resume") : QStringLiteral("Pause"));
    update();
}

void TopBar::setProgress(const session::Progress& progress) {
    m_progress = progressText(progress);
    update();
}

void TopBar::setHasSession(bool hasSession) {
    m_hasSession = hasSession;
    update();
}

void TopBar::chooseCounterSet(const QString& set) {
    const int at = m_set->findData(set);
    if (at < 0) return;
    m_set->setCurrentIndex(at);
    m_setChosen = true;
    offerCounterSets();
    emit choiceChanged();
}

QString TopBar::counterSet() const {
    return m_set->currentData().toString();
}

bool TopBar::watches() const {
    return m_watch->isChecked() && m_subject == setup::Subject::Program;
}

QString TopBar::deviceText() const {
    return m_device->currentText();
}

const instrument::launch::ChosenDevice* TopBar::device() const {
    return m_device->device();
}

QString TopBar::problemOf(setup::Subject subject) const {
    if (m_device->device() == nullptr) return m_device->problem();
    if (subject == setup::Subject::Program)
        return m_programGiven ? QString() : QStringLiteral("No program is named on the left.");
    if (!m_suiteBuilt)
        return QStringLiteral("The workload suite was not built here: it needs the CUDA Toolkit.");
    if (m_chosen == 0) return QStringLiteral("No workload is checked on the left.");
    return {};
}

void TopBar::update() {
    const QString problem = runProblem();
    const bool idle = m_activity == Activity::Idle;
    m_run->setEnabled(idle && problem.isEmpty());
    m_run->setToolTip(!problem.isEmpty() ? problem
                      : m_subject == setup::Subject::Program
                          ? QStringLiteral("Run the program (Ctrl+R)")
                          : QStringLiteral("Run the checked workloads (Ctrl+R)"));
    const QString why = QString::fromStdString(m_gpus.problem);
    const bool here = m_device->host().isEmpty();
    const instrument::launch::ChosenDevice* device = m_device->device();
    m_device->setToolTip(device == nullptr        ? m_device->problem()
                         : !here                  ? QStringLiteral("On %1, over ssh").arg(m_device->host())
                         : m_gpus.devices.empty() ? why
                         : m_gpus.countersRestricted
                             ? QStringLiteral("Counters need administrator rights on this machine: %1")
                                   .arg(QString::fromStdString(m_gpus.remedy))
                             : QStringLiteral("The GPU to run on"));
    const bool running = m_activity == Activity::Collecting || m_activity == Activity::Playing;
    m_run->setVisible(m_activity != Activity::Playing);
    m_watch->setVisible(m_activity != Activity::Playing && m_subject == setup::Subject::Program);
    m_stop->setEnabled(running);
    m_stop->setToolTip("Stop now; everything that finished is kept (Esc)");
    m_play->setVisible(m_hasSession && idle);
    m_pause->setVisible(m_activity == Activity::Playing);
    m_speed->setVisible(m_activity == Activity::Playing);
    m_dot->setVisible(running);
    QString status = m_progress;
    if (m_activity == Activity::Opening)
        status = QStringLiteral("opening\u2026");
    else if (running && status.isEmpty())
        status = QStringLiteral("starting\u2026");
    else if (idle)
        status = !here ? (device != nullptr ? QString() : m_device->problem())
                 : !m_device->knowsLocal() || !m_gpus.devices.empty() ? QString()
                 : device != nullptr ? QStringLiteral("no GPU: kernels are emulated")
                                     : why;
    m_status->setText(status);
    m_status->setToolTip(idle ? problem : status);
    emit runnableChanged();
}

} // namespace dormer::ui::shell
