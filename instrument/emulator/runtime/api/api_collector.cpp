// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What NVTX and instrumented programs look for in this library.

#include "instrument/collect/declared_records.h"
#include "instrument/collect/nvtx_injection.h"
#include "instrument/collect/process_facts.h"
#include "instrument/emulator/runtime/api/api.h"

using namespace dormer::emulator::runtime;

namespace {

/// The runtime tells the recorder its device, so it has to be there first; its lock comes before the
/// recorder's.
template <typename Body>
auto recording(Body&& body) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    return body(*Recorder::instance());
}

template <typename Declaration>
void declare(const Declaration& declaration) {
    recording(
        [&](Recorder& recorder) { recorder.declare(dormer::instrument::collect::recordOf(declaration)); });
}

} // namespace

extern "C" {

/// Called by NVTX at its first use (NVTX_INJECTION64_PATH).
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getExportTable) {
    Recorder* recorder = Recorder::instance();
    return recorder != nullptr && dormer::instrument::collect::injectNvtx(recorder->nvtx(), getExportTable)
               ? 1
               : 0;
}

const DormerCollector* dormerCollector(std::uint32_t abi) {
    if (abi != DORMER_COLLECTOR_ABI || Recorder::instance() == nullptr) return nullptr;
    static const DormerCollector kTable = {
        DORMER_COLLECTOR_ABI,
        [] { return recording([](Recorder& recorder) { return recorder.nextPass() ? 1 : 0; }); },
        [](const char* name) { dormer::instrument::collect::enterWorkload(name); },
        [] { dormer::instrument::collect::leaveWorkload(); },
        [](const DormerExpectation* expectation) { declare(*expectation); },
        [](const char* workload, int passed, const char* detail) {
            recording([&](Recorder& recorder) { recorder.check(workload, passed != 0, detail); });
        },
        [](const DormerWorkload* workload) { declare(*workload); },
        [](const DormerSweep* sweep) { declare(*sweep); },
    };
    return &kTable;
}

} // extern "C"
