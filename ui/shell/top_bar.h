// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/launch/device_choice.h"
#include "ui/sessions/session_control.h"
#include "ui/setup/run_setup.h"

#include <QFrame>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace dormer::ui::kernels {
class FilterField;
} // namespace dormer::ui::kernels

namespace dormer::ui::shell {

class DeviceBox;

/// "live · 6 of 28 launches · pass 3 of 5 · 1.2 s left"
[[nodiscard]] QString progressText(const session::Progress& progress);

/// What to run, where, and with which counters; Run, Stop and what is happening; the filter.
class TopBar : public QFrame {
    Q_OBJECT
public:
    explicit TopBar(QWidget* parent = nullptr);

    /// The GPUs to choose from, and after them the chips of the emulator where it is built; then other
    /// machines.
    void setGpus(const instrument::launch::GpuStatus& status,
                 const instrument::launch::Installation& installation);
    void setFamilies(const QStringList& families);
    /// What is to run; the first box and the counter sets follow.
    void setSubject(setup::Subject subject);
    /// Whether lines are to be counted: then nothing is sampled.
    void setLines(bool lines);
    /// Whether a program is named.
    void setProgramGiven(bool given);
    /// How many workloads are checked; 0 leaves nothing to run.
    void setChosen(qsizetype count, bool suiteBuilt);
    void setActivity(sessions::SessionControl::Activity activity, bool paused);
    void setProgress(const session::Progress& progress);
    void setHasSession(bool hasSession);

    [[nodiscard]] QString counterSet() const;
    /// As somebody chooses it; where the device can't, its default stays.
    void chooseCounterSet(const QString& set);
    [[nodiscard]] DeviceBox& devices() { return *m_device; }
    /// The one to run on; null while none is known.
    [[nodiscard]] const instrument::launch::ChosenDevice* device() const;
    /// Why what is chosen can't be run; empty when it can.
    [[nodiscard]] QString runProblem() const { return problemOf(m_subject); }
    [[nodiscard]] QString problemOf(setup::Subject subject) const;
    [[nodiscard]] kernels::FilterField& filter() { return *m_filter; }
    /// Whether the program is to run again when its file changes.
    [[nodiscard]] bool watches() const;
    /// What the box of devices says.
    [[nodiscard]] QString deviceText() const;

signals:
    void runRequested();
    void watchToggled(bool on);
    void stopRequested();
    void pauseRequested(bool paused);
    void playRequested();
    void speedChosen(double speed);
    /// A family was chosen in the first box; empty = all of them.
    void familyChosen(const QString& family);
    /// The built-in workloads or a program were chosen there.
    void subjectChosen(setup::Subject subject);
    /// Another device or counter set.
    void choiceChanged();
    void runnableChanged();

private:
    void addChoices(QHBoxLayout& row);
    void addButtons(QHBoxLayout& row);
    void addCounterSets();
    void addSpeeds();
    void offerCounterSets();
    void update();

    QComboBox* m_what;
    DeviceBox* m_device;
    QComboBox* m_set;
    QPushButton* m_run;
    QPushButton* m_watch;
    QPushButton* m_stop;
    QPushButton* m_play;
    QPushButton* m_pause;
    QComboBox* m_speed;
    QLabel* m_dot;
    QLabel* m_status;
    kernels::FilterField* m_filter;

    instrument::launch::GpuStatus m_gpus;
    setup::Subject m_subject = setup::Subject::Workloads;
    bool m_programGiven = false;
    bool m_lines = false;
    bool m_setChosen = false; ///< by the user: it stays where it can be had
    bool m_suiteBuilt = false;
    bool m_hasSession = false;
    qsizetype m_chosen = 0;
    sessions::SessionControl::Activity m_activity = sessions::SessionControl::Activity::Idle;
    QString m_progress;
};

} // namespace dormer::ui::shell
