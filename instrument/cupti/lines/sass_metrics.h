// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/cubin_store.h"
#include "instrument/cupti/passes/backends.h"

#include <memory>
#include <string_view>
#include <unordered_map>

struct CUctx_st;
struct CUpti_RangeProfiler_Object;

namespace dormer::instrument::cupti {

/// CUPTI's SASS metrics: counts at each instruction by patching the kernel at its launch. One launch at a
/// time is enabled, read and disabled again, so that each launch has its own counts.
///
/// Without the range profiler enabled on the context CUPTI returns records of the first kernel of a process
/// only (seen with CUDA 13.0 and driver 580); with it, of all. So it is enabled here if nobody did.
class SassMetrics : public passes::LineBackend {
public:
    /// `rangeProfilerEnabled`: the context's range profiler is on already and outlives this object.
    [[nodiscard]] static Result<std::unique_ptr<SassMetrics>>
    create(CUctx_st* context, int device, const std::string& chip, bool rangeProfilerEnabled);
    ~SassMetrics() override;

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] Result<std::vector<session::LineCounts>> end() override;
    [[nodiscard]] std::optional<session::KernelCode> code() override;
    [[nodiscard]] std::string limitation() const override { return m_places.limitation(); }

private:
    struct Record;

    explicit SassMetrics(CUctx_st* context, int device) : m_context(context), m_device(device) {}
    void configure(const std::string& chip);
    [[nodiscard]] std::vector<Record> flush();

    CUctx_st* m_context;
    int m_device;
    bool m_configured = false;
    CUpti_RangeProfiler_Object* m_rangeProfiler = nullptr;       ///< only when it was enabled here
    std::unordered_map<std::uint64_t, std::string_view> m_names; ///< of metrics, by CUPTI's id
    SourcePlaces m_places;
    std::uint32_t m_lastCubin = 0; ///< checksum of the module of the kernel counted last
    std::string m_lastFunction;    ///< its mangled name; empty when nothing was counted
};

} // namespace dormer::instrument::cupti
