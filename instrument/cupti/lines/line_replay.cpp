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

Result<std::unique_ptr<LineReplay>> LineReplay::create(int device, bool rangeProfilerEnabled,
                                                       passes::MemoryBackend& memory) {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
        return failure(ErrorKind::Device, "no CUDA context is current");
    try {
        auto lines = SassMetrics::create(context, device, describeDevice(device).chip, rangeProfilerEnabled);
        if (!lines) return std::unexpected(lines.error());
        return std::unique_ptr<LineReplay>(new LineReplay(std::move(*lines), memory));
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

Result<void> LineReplay::begin() {
    if (!m_broken.empty()) return failure(ErrorKind::Device, m_broken);
    return m_memory.save();
}

std::unexpected<Error> LineReplay::broken(const std::string& why) {
    m_broken = why + ": results of the program may be wrong from here on";
    return failure(ErrorKind::Device, m_broken);
}

Result<passes::CountedLines> LineReplay::countPatched(const std::function<bool()>& again) {
    const Result<void> begun = m_lines->begin();
    bool launched = false;
    {
        // It has to run whatever became of its counts: the memory is that of before.
        const activity::OwnCalls ours;
        launched = again();
    }
    if (!launched) return broken("CUDA refused to launch a kernel once more");
    if (!begun) return std::unexpected(begun.error());
    auto lines = m_lines->end();
    if (!lines) return std::unexpected(lines.error());
    return passes::CountedLines{
        .lines = std::move(*lines), .code = m_lines->code(), .limitation = m_lines->limitation()};
}

Result<passes::CountedLines> LineReplay::finish(const std::function<bool()>& again) {
    if (const Result<void> restored = m_memory.restore(); !restored) {
        m_memory.release();
        return broken(restored.error().message);
    }
    // Kernels that activity records time are not patched.
    const Result<void> untimed = activity::setKernelActivity(false);
    auto counted = countPatched(again);
    const Result<void> timed = activity::setKernelActivity(true);
    {
        const activity::OwnCalls ours;
        cuCtxSynchronize(); // a failed kernel is the program's to report
    }
    m_memory.release();
    if (!untimed) return std::unexpected(untimed.error());
    if (!timed) return std::unexpected(timed.error());
    return counted;
}

} // namespace dormer::instrument::cupti
