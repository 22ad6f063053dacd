// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"
#include "instrument/launch/remote_devices.h"
#include "ui/sessions/machines.h"

#include <QString>

#include <functional>
#include <vector>

namespace dormer::ui::sessions {

/// What the window finds around it. The two functions run on a worker thread, because both start programs.
struct Environment {
    instrument::launch::Installation installation;
    std::function<instrument::launch::GpuStatus()> probeGpus;
    std::function<Result<std::vector<instrument::launch::WorkloadInfo>>()> listWorkloads;
    QString sessionFolder;   ///< where new collections are written; created when needed
    QString sampleRecording; ///< empty when no recording came with the program
    /// Devices of a machine over ssh; on a worker thread, too.
    ListRemoteDevices remoteDevices = [](const instrument::launch::RemoteHost& host) {
        return instrument::launch::remoteDevices(host);
    };
};

/// The real one: programs beside this one, sessions under the user's data folder, samples/ next to the
/// program or above it.
[[nodiscard]] Environment systemEnvironment();

} // namespace dormer::ui::sessions
