// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/profile/stall_log.h"

#include <memory>

struct CUctx_st;

namespace dormer::instrument::cupti {

/// CUPTI's PC sampling of one context, in continuous mode: every SM looks at one of its warps now and then,
/// and nothing waits for it.
class PcSampler {
public:
    /// Samples from now on. The error says why not: permission, another tool, a chip without it.
    [[nodiscard]] static Result<std::unique_ptr<PcSampler>> start(CUctx_st* context);
    ~PcSampler();
    PcSampler(const PcSampler&) = delete;
    PcSampler& operator=(const PcSampler&) = delete;

    /// Adds what has come since; waits for nothing.
    [[nodiscard]] Result<void> drain(profile::StallLog& log);
    /// Ends sampling, when the context is idle, and adds the rest.
    [[nodiscard]] Result<void> stop(profile::StallLog& log);

private:
    struct Buffer;
    explicit PcSampler(CUctx_st* context);
    void readStates();
    void configure();
    void add(const Buffer& buffer, profile::StallLog& log);

    CUctx_st* m_context;
    std::vector<profile::StallLog::StateName> m_states; ///< by CUPTI's index
    std::unique_ptr<Buffer> m_last;                     ///< CUPTI's, filled when sampling ends
    std::unique_ptr<Buffer> m_buffer;
    bool m_enabled = false;
};

} // namespace dormer::instrument::cupti
