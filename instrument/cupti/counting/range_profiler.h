// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/host/host_metrics.h"
#include "instrument/cupti/passes/backends.h"

#include <memory>

struct CUctx_st;
struct CUpti_RangeProfiler_Object;

namespace dormer::instrument::cupti {

/// Starts CUPTI's profiler on a thread of its own while the program creates its context: 0.09 s that need not
/// be waited for. Called once, when the driver starts; RangeProfiler::create() waits for it.
void beginProfilerInitialization();
/// Waits for it, or does it now. Throws CallError.
void awaitProfilerInitialization();

/// CUPTI's Range Profiler with user ranges and user replay: the program repeats its sequence, one pass each
/// time. Many ranges share one start and stop, which is what makes a range cheap (docs/collector.md has the
/// costs).
class RangeProfiler : public passes::CounterBackend {
public:
    /// Enables range profiling on the context. ErrorKind::Device with the remedy when counters are not
    /// permitted or held by another tool.
    [[nodiscard]] static Result<std::unique_ptr<RangeProfiler>>
    create(CUctx_st* context, const std::string& chip, const metrics::CounterSet& set);
    ~RangeProfiler() override;

    [[nodiscard]] Result<void> configure(std::size_t ranges) override;
    [[nodiscard]] int passes() const override { return m_plan.passes; }
    [[nodiscard]] Result<void> startPass() override;
    [[nodiscard]] Result<void> pushRange(const std::string& name) override;
    [[nodiscard]] Result<void> popRange() override;
    [[nodiscard]] Result<bool> stopPass() override;
    [[nodiscard]] Result<std::map<std::string, std::map<std::string, double>>> decode() override;

    [[nodiscard]] const host::CounterPlan& plan() const { return m_plan; }

private:
    RangeProfiler() = default;
    void enable(); ///< throws CallError
    void disable();

    [[nodiscard]] std::map<std::string, double> valuesOf(std::size_t range) const;

    CUctx_st* m_context = nullptr;
    CUpti_RangeProfiler_Object* m_object = nullptr;
    std::unique_ptr<host::HostMetrics> m_host;
    host::CounterPlan m_plan;
    std::vector<std::uint8_t> m_counterData;
    std::size_t m_firstRanges = 0; ///< of the first configuration since enable(); 0 before it
};

} // namespace dormer::instrument::cupti
