// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <utility>

namespace dormer::instrument::cupti {

/// Counters of launches in a process whose kernels are timed at the same time. CUPTI's tracing of kernels
/// that run side by side adds some eight instructions to each warp, and keeps a pass of patched code from
/// patching (it then counts nothing: CUDA 13.0, H200). So a launch in a range is not timed.
class UntracedCounters : public passes::CounterBackend {
public:
    explicit UntracedCounters(passes::CounterBackend& counters) : m_counters(counters) {}

    [[nodiscard]] Result<void> configure(std::size_t ranges) override { return m_counters.configure(ranges); }
    [[nodiscard]] int passes() const override { return m_counters.passes(); }
    [[nodiscard]] Result<void> startPass() override { return m_counters.startPass(); }
    [[nodiscard]] Result<void> pushRange(const std::string& name) override;
    [[nodiscard]] Result<void> popRange() override;
    [[nodiscard]] Result<bool> stopPass() override { return m_counters.stopPass(); }
    [[nodiscard]] Result<std::map<std::string, std::map<std::string, double>>> decode() override {
        return m_counters.decode();
    }

private:
    passes::CounterBackend& m_counters;
};

} // namespace dormer::instrument::cupti
