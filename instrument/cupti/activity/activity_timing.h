// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <memory>
#include <mutex>

namespace dormer::instrument::cupti::activity {

/// Times of kernels, copies, fills and migrations of a stretch of the program, from CUPTI's activity records.
/// One instance a process.
class ActivityTiming : public passes::TimingBackend {
public:
    [[nodiscard]] Result<void> start() override;
    [[nodiscard]] Result<passes::Timings> stop() override;
    /// Migrations and faults of managed memory, where CUPTI doesn't give them.
    [[nodiscard]] std::string limitation() const override;

private:
    struct Delivered {
        std::mutex mutex;
        passes::Timings timings;
    };
    std::shared_ptr<Delivered> m_delivered; ///< CUPTI's thread may outlive this
};

} // namespace dormer::instrument::cupti::activity
