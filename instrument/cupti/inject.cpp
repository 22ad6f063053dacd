// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What CUDA, NVTX and instrumented programs look for in libdormer-inject.so. Everything else in it is hidden.

#include "instrument/collect/declared_records.h"
#include "instrument/collect/nvtx_injection.h"
#include "instrument/collector_abi.h"
#include "instrument/cupti/callbacks.h"
#include "instrument/cupti/collector.h"
#include "instrument/cupti/counting/range_profiler.h"

#include <mutex>

#define DORMER_EXPORT __attribute__((visibility("default")))

using dormer::instrument::collect::recordOf;
using dormer::instrument::cupti::Collector;

extern "C" int
cuptiNvtxInitialize2(void* getExportTable); // exported by CUPTI, declared in none of its headers

namespace {
void subscribeOnce() {
    static std::once_flag once;
    std::call_once(once, [] {
        dormer::instrument::cupti::Collector* collector = dormer::instrument::cupti::Collector::instance();
        if (collector == nullptr) return;
        dormer::instrument::cupti::subscribeCallbacks(*collector);
        dormer::instrument::cupti::beginProfilerInitialization();
    });
}
} // namespace

extern "C" {

/// Called by the CUDA driver when it starts (CUDA_INJECTION64_PATH).
DORMER_EXPORT int InitializeInjection(void) {
    subscribeOnce();
    return 1;
}

/// Called by NVTX at its first use (NVTX_INJECTION64_PATH).
DORMER_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getExportTable) {
    dormer::instrument::cupti::Collector* collector = dormer::instrument::cupti::Collector::instance();
    return collector != nullptr && dormer::instrument::collect::injectNvtx(collector->nvtx(), getExportTable)
               ? 1
               : 0;
}

DORMER_EXPORT const DormerCollector* dormerCollector(uint32_t abi) {
    if (abi != DORMER_COLLECTOR_ABI || dormer::instrument::cupti::Collector::instance() == nullptr)
        return nullptr;
    static const DormerCollector kTable = {
        DORMER_COLLECTOR_ABI,
        [] { return dormer::instrument::cupti::Collector::instance()->nextPass() ? 1 : 0; },
        [](const char* name) { dormer::instrument::cupti::Collector::instance()->pushWorkload(name); },
        [] { dormer::instrument::cupti::Collector::instance()->popWorkload(); },
        [](const DormerExpectation* expectation) {
            dormer::instrument::cupti::Collector::instance()->declare(
                dormer::instrument::collect::recordOf(*expectation));
        },
        [](const char* workload, int passed, const char* detail) {
            dormer::instrument::cupti::Collector::instance()->check(workload, passed != 0, detail);
        },
        [](const DormerWorkload* workload) {
            dormer::instrument::cupti::Collector::instance()->declare(
                dormer::instrument::collect::recordOf(*workload));
        },
        [](const DormerSweep* sweep) {
            dormer::instrument::cupti::Collector::instance()->declare(
                dormer::instrument::collect::recordOf(*sweep));
        },
    };
    return &kTable;
}

} // extern "C"
