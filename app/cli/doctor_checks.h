// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"
#include "instrument/machine/machine.h"

#include <string>
#include <vector>

namespace dormer::cli {

enum class CheckState { Ok, No, Unknown };
[[nodiscard]] std::string_view toString(CheckState state); ///< "ok", "no", "-"

/// One line of `dormer doctor`.
struct DoctorCheck {
    std::string name; ///< "driver"
    CheckState state = CheckState::Unknown;
    std::string text;
    std::string remedy; ///< empty when nothing is to be done
    bool neededToRun = false;
};

/// What works here, what doesn't, and what to do about it. `program` is the one to be profiled, as typed;
/// empty for none.
[[nodiscard]] std::vector<DoctorCheck> examine(const instrument::launch::Installation& installation,
                                               const instrument::launch::GpuStatus& gpus,
                                               const instrument::machine::Machine& machine,
                                               const std::string& program);

/// True when nothing that `dormer run` needs on a GPU is missing.
[[nodiscard]] bool canRunOnGpu(const std::vector<DoctorCheck>& checks);
/// True when `dormer run --on emulator` works.
[[nodiscard]] bool canEmulate(const std::vector<DoctorCheck>& checks);

} // namespace dormer::cli
