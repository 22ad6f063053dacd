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
    if (const Result<void> saved = m_memory->save(); !saved) return saved;
    Result<void> done = m_counters.configure(1);
    if (done) done = m_counters.startPass();
    if (done) done = m_counters.pushRange(kRange);
    if (!done) m_memory->release();
    return done;
}

Result<bool> LaunchReplay::closePass() {
    if (const Result<void> popped = m_counters.popRange(); !popped) return std::unexpected(popped.error());
    return m_counters.stopPass();
}

Result<void> LaunchReplay::repeat(const std::function<bool()>& again) {
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
    return done;
}

Result<std::map<std::string, double>> LaunchReplay::finish(const std::function<bool()>& again) {
    Result<bool> last = closePass();
    while (last && !*last) {
        const Result<void> repeated = repeat(again);
        last = repeated ? closePass() : std::unexpected(repeated.error());
    }
    m_memory->release();
    if (!last) return std::unexpected(last.error());
    auto values = m_counters.decode();
    if (!values) return std::unexpected(values.error());
    return std::move((*values)[kRange]);
}

void LaunchReplay::abandon() {
    (void)closePass(); // what it counted is of no use
    m_memory->release();
}

} // namespace dormer::instrument::cupti::passes
