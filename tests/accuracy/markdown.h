// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/accuracy/close.h"
#include "tests/accuracy/exact.h"

namespace dormer::accuracy {

struct Report {
    std::string recordedDevice, emulatedDevice;
    ExactResult lines, counters;
    CloseResult close;
    std::vector<std::string> unpaired;
    [[nodiscard]] bool barsHeld() const {
        return lines.mistakes() + counters.mistakes() == 0 && close.missed.empty() && unpaired.empty();
    }
};

/// docs/emulator-accuracy.md
[[nodiscard]] std::string markdown(const Report& report);

} // namespace dormer::accuracy
