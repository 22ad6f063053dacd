// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/lines/line_replay.h"

#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/lines/sass_metrics.h"

#include <cuda.h>

namespace dormer::instrument::cupti {

Result<std::unique_ptr<LineReplay>> LineReplay::create(int device, bool rangeProfilerEnabled) {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
        return failure(ErrorKind::Device, "no CUDA context is current");
    try {
        auto memory = Checkpoint::create(context);
        if (!memory) return std::unexpected(memory.error());
        auto lines = SassMetrics::create(context, device, describeDevice(device).chip, rangeProfilerEnabled);
        if (!lines) return std::unexpected(lines.error());
        return std::unique_ptr<LineReplay>(new LineReplay(std::move(*lines), std::move(*memory)));
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

Result<passes::CountedLines> LineReplay::countPatched(const std::function<bool()>& launch) {
    if (const Result<void> begun = m_lines->begin(); !begun) return std::unexpected(begun.error());
    bool launched = false;
    {
        const activity::OwnCalls ours;
        launched = launch();
    }
    auto lines = m_lines->end();
    if (!lines) return std::unexpected(lines.error());
    if (!launched) return failure(ErrorKind::Device, "CUDA refused to launch the kernel once more");
    return passes::CountedLines{
        .lines = std::move(*lines), .code = m_lines->code(), .limitation = m_lines->limitation()};
}

Result<passes::CountedLines> LineReplay::count(const std::function<bool()>& launch) {
    if (!m_broken.empty()) return failure(ErrorKind::Device, m_broken);
    {
        const activity::OwnCalls ours;
        cuCtxSynchronize(); // what runs would go on writing; a failed kernel is the program's to report
    }
    if (const Result<void> saved = m_memory->save(); !saved) return std::unexpected(saved.error());
    // Kernels that activity records time are not patched.
    Result<void> timed = activity::setKernelActivity(false);
    auto counted = timed ? countPatched(launch) : std::unexpected(timed.error());
    timed = activity::setKernelActivity(true);
    const Result<void> restored = m_memory->restore();
    m_memory->release();
    if (!restored) {
        m_broken = restored.error().message + ": results of the program may be wrong from here on";
        return failure(ErrorKind::Device, m_broken);
    }
    if (!timed) return std::unexpected(timed.error());
    return counted;
}

} // namespace dormer::instrument::cupti
