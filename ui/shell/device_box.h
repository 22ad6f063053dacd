// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/style.h"
#include "ui/sessions/machines.h"

namespace dormer::ui::shell {

/// The devices to choose from: those of this machine, after them those of machines over ssh, and a last entry
/// that adds such a machine.
class DeviceBox : public look::PillCombo {
    Q_OBJECT
public:
    explicit DeviceBox(QWidget* parent = nullptr);

    /// This machine's, and why there is none where there is none.
    void setLocal(std::vector<instrument::launch::ChosenDevice> devices, const QString& problem);
    void setMachines(const std::vector<sessions::Machine>& machines);
    /// The first device of a machine, or what is known of it.
    void chooseMachine(const QString& host);

    /// The chosen one; null where what is chosen can't be run on, or not yet.
    [[nodiscard]] const instrument::launch::ChosenDevice* device() const;
    /// Why; empty where it can.
    [[nodiscard]] QString problem() const;
    /// Of what is chosen; empty for this machine.
    [[nodiscard]] QString host() const;
    [[nodiscard]] bool knowsLocal() const { return m_knowsLocal; }

signals:
    void deviceChanged();
    /// A machine whose devices are not known was chosen.
    void machineAsked(const QString& host);
    void addRequested();

private:
    struct Entry {
        QString text, tip, host;
        std::optional<instrument::launch::ChosenDevice> device{};
        QString problem{};
        bool adds = false;
        [[nodiscard]] QString key() const;
    };
    void fill();
    void choose(int index);
    [[nodiscard]] const Entry* chosen() const;

    std::vector<instrument::launch::ChosenDevice> m_local;
    QString m_localProblem;
    std::vector<sessions::Machine> m_machines;
    std::vector<Entry> m_entries; ///< by index; a separator has one that says nothing
    int m_chosen = 0;
    bool m_knowsLocal = false;
};

} // namespace dormer::ui::shell
