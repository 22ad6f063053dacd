// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/kernel_replay.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cuda.h>

namespace dormer::instrument::cupti {

namespace {
/// Every hundred cost 0.1 s at the first start, and some MB.
constexpr std::size_t kRanges = 40;
} // namespace

Result<std::unique_ptr<KernelReplay>> KernelReplay::create(int device, const metrics::CounterSet& set) {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
        return failure(ErrorKind::Device, "no CUDA context is current");
    try {
        auto profiler =
            RangeProfiler::create(context, describeDevice(device).chip, set, RangeProfiler::Replay::Kernels);
        if (!profiler) return std::unexpected(profiler.error());
        return std::unique_ptr<KernelReplay>(new KernelReplay(std::move(*profiler)));
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

Result<void> KernelReplay::begin() {
    const activity::OwnCalls ours;
    cuCtxSynchronize(); // nothing else may run beside what is counted; a failed kernel is the program's
    if (m_left == 0) {
        if (auto configured = m_profiler->configure(kRanges); !configured) return configured;
        m_left = kRanges;
    }
    --m_left;
    return m_profiler->startPass();
}

Result<std::map<std::string, double>> KernelReplay::end() {
    if (const Result<bool> stopped = m_profiler->stopPass(); !stopped)
        return std::unexpected(stopped.error());
    auto values = m_profiler->decodeLast();
    if (!values) return std::unexpected(values.error());
    if (!*values) return failure(ErrorKind::Device, "CUPTI could not replay a launch: it has no counters");
    return std::move(**values);
}

} // namespace dormer::instrument::cupti
