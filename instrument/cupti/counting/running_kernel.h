// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <future>

struct CUctx_st;
struct CUevent_st;

namespace dormer::instrument::cupti {

/// Follows a launch by an event behind it in its stream, and the context by a thread that waits for it.
class RunningKernel : public passes::RunningBackend {
public:
    explicit RunningKernel(CUctx_st* context) : m_context(context) {}
    ~RunningKernel() override;

    [[nodiscard]] bool idle(std::int64_t waitNs) override;
    void launched(const void* stream) override;
    [[nodiscard]] bool ended(std::int64_t waitNs) override;

private:
    CUctx_st* m_context;
    std::future<void> m_synchronized; ///< valid while a thread waits for the context
    CUevent_st* m_event = nullptr;
};

} // namespace dormer::instrument::cupti
