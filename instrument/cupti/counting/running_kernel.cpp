// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/counting/running_kernel.h"

#include "instrument/cupti/activity/own_calls.h"

#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace dormer::instrument::cupti {

RunningKernel::~RunningKernel() {
    const activity::OwnCalls ours;
    if (m_event != nullptr) cuEventDestroy(m_event); // with its context, perhaps: nobody to tell
}

bool RunningKernel::idle(std::int64_t waitNs) {
    const bool gaveUp = m_synchronized.valid();
    if (!gaveUp) {
        std::promise<void> done;
        m_synchronized = done.get_future();
        // Left alone when it takes too long: no call of the driver waits with a limit.
        std::thread([context = m_context, done = std::move(done)]() mutable {
            const activity::OwnCalls ours;
            if (cuCtxSetCurrent(context) == CUDA_SUCCESS)
                cuCtxSynchronize(); // a failed kernel is the program's to report
            done.set_value();
        }).detach();
    }
    if (m_synchronized.wait_for(std::chrono::nanoseconds(gaveUp ? 0 : waitNs)) != std::future_status::ready)
        return false;
    m_synchronized = {};
    return !gaveUp || idle(waitNs);
}

void RunningKernel::launched(const void* stream) {
    const activity::OwnCalls ours;
    if (m_event == nullptr && cuEventCreate(&m_event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS)
        m_event = nullptr;
    // Without an event the kernel passes for ended, and whoever reads its counters waits for it.
    if (m_event != nullptr &&
        cuEventRecord(m_event, static_cast<CUstream>(const_cast<void*>(stream))) != CUDA_SUCCESS) {
        cuEventDestroy(m_event);
        m_event = nullptr;
    }
}

bool RunningKernel::ended(std::int64_t waitNs) {
    using Clock = std::chrono::steady_clock;
    const activity::OwnCalls ours;
    const Clock::time_point until = Clock::now() + std::chrono::nanoseconds(waitNs);
    // Short kernels are looked at often, long ones seldom.
    std::chrono::microseconds pause{5};
    while (m_event != nullptr && cuEventQuery(m_event) == CUDA_ERROR_NOT_READY) {
        if (Clock::now() >= until) return false;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds{500});
    }
    return true;
}

} // namespace dormer::instrument::cupti
