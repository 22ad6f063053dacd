// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/launch_replay.h"

namespace dormer::instrument::cupti::passes {

namespace {
constexpr const char* kRange = "launch";
} // namespace

Result<void> LaunchReplay::begin() {
    if (!m_broken.empty()) return failure(ErrorKind::Device, m_broken);
    if (m_memory == nullptr) return failure(ErrorKind::Device, "nothing saves the program's memory");
    return m_memory->save();
}

Result<bool> LaunchReplay::repeat(const std::function<bool()>& again) {
    if (const Result<void> restored = m_memory->restore(); !restored) {
        m_broken = restored.error().message + ": results of the program may be wrong from here on";
        return failure(ErrorKind::Device, m_broken);
    }
    Result<void> done = m_counters.startPass();
    if (done) done = m_counters.pushRange(kRange);
    // It has to run whatever became of its counters: the memory is that of before.
    if (!again()) {
        m_broken =
            "CUDA refused to launch a kernel once more: results of the program may be wrong from here on";
        return failure(ErrorKind::Device, m_broken);
    }
    if (done) done = m_counters.popRange();
    return done ? m_counters.stopPass() : std::unexpected(done.error());
}

Result<std::map<std::string, double>> LaunchReplay::finish(const std::function<bool()>& again) {
    const Result<void> configured = m_counters.configure(1);
    Result<bool> last = configured ? Result<bool>(false) : std::unexpected(configured.error());
    while (last && !*last)
        last = repeat(again);
    m_memory->release();
    if (!last) return std::unexpected(last.error());
    auto values = m_counters.decode();
    if (!values) return std::unexpected(values.error());
    return std::move((*values)[kRange]);
}

void LaunchReplay::abandon() {
    m_memory->release();
}

} // namespace dormer::instrument::cupti::passes
