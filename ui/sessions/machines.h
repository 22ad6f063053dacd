// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/device_choice.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace dormer::ui::sessions {

using ListRemoteDevices = std::function<Result<std::vector<instrument::launch::ChosenDevice>>(
    const instrument::launch::RemoteHost&)>;

/// A machine that is reached over ssh, and what is known of it.
struct Machine {
    enum class State { Unasked, Asking, Known, Failed } state = State::Unasked;
    instrument::launch::RemoteHost host;
    std::vector<instrument::launch::ChosenDevice> devices{}; ///< where Known
    QString problem{};                                       ///< where Failed
};

/// The machines that somebody added, remembered in the settings. None is connected to before somebody asks
/// for its devices: adding one does, and choosing it.
class Machines : public QObject {
    Q_OBJECT
public:
    /// `list` runs on a worker thread.
    explicit Machines(ListRemoteDevices list, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Machine>& all() const { return m_machines; }
    [[nodiscard]] const Machine* find(const QString& host) const;
    /// Asks a machine, and keeps it once it answered with what there is to run on; added() or refused()
    /// follows. Returns what is wrong with the name, or an empty string.
    [[nodiscard]] QString add(const instrument::launch::RemoteHost& host);
    void forget(const QString& host);
    /// Asks for its devices, unless that is known or going on.
    void ask(const QString& host);

signals:
    /// Another machine, or more is known of one.
    void changed();
    void added(const QString& host);
    void refused(const QString& problem);

private:
    using Answer = Result<std::vector<instrument::launch::ChosenDevice>>;
    void askFor(const instrument::launch::RemoteHost& host, std::function<void(const Answer&)> done);
    [[nodiscard]] Machine* machine(const QString& host);
    void remember() const;

    ListRemoteDevices m_list;
    std::vector<Machine> m_machines;
};

} // namespace dormer::ui::sessions
