// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/backends.h"

#include <memory>

namespace dormer::instrument {

/// Kernel durations from CUPTI activity records. One instance a process: CUPTI's buffer callbacks carry no
/// user data.
class ActivityTiming : public TimingBackend {
public:
    ActivityTiming();
    ~ActivityTiming() override;
    [[nodiscard]] Result<void> start() override;
    [[nodiscard]] Result<std::vector<KernelTiming>> stop() override;
};

} // namespace dormer::instrument
