// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

namespace dormer::instrument::cupti {

/// Times of kernels, copies, fills and migrations from CUPTI activity records. One instance a process:
/// CUPTI's buffer callbacks carry no user data.
class ActivityTiming : public passes::TimingBackend {
public:
    ActivityTiming();
    ~ActivityTiming() override;
    [[nodiscard]] Result<void> start() override;
    [[nodiscard]] Result<passes::Timings> stop() override;
    /// Migrations and faults of managed memory, where CUPTI doesn't give them.
    [[nodiscard]] std::string limitation() const override { return m_limitation; }

private:
    void configureMigrations();

    bool m_ready = false;
    bool m_migrations = false;
    std::string m_limitation;
};

} // namespace dormer::instrument::cupti
