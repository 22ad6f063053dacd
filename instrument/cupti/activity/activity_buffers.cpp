// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity/activity_buffers.h"

#include "instrument/cupti/activity/activity_records.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/host/cupti_error.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace dormer::instrument::cupti::activity {

namespace {

constexpr std::size_t kBufferAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT

constexpr std::array kKinds = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
};

/// Outlives CUPTI's own thread.
struct State {
    std::mutex mutex; ///< guards the sink
    Sink sink;
    std::atomic<std::size_t> bufferBytes{std::size_t{1} << 20};
    std::atomic<std::size_t> dropped{0};
    std::atomic<std::int64_t> toEpochNs{0};
    bool registered = false;
    bool migrations = false;
    std::string limitation;
};
State& state() {
    static State* const instance = new State;
    return *instance;
}

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    const std::size_t bytes = state().bufferBytes;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, bytes));
    *size = *buffer != nullptr ? bytes : 0;
    *maxRecords = 0;
}

void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                              std::size_t /*size*/, std::size_t validSize) {
    const std::int64_t offset = state().toEpochNs;
    passes::Timings timings;
    CUpti_Activity* record = nullptr;
    while (validSize > 0 && cuptiActivityGetNextRecord(buffer, validSize, &record) == CUPTI_SUCCESS) {
        if (auto kernel = kernelOf(*record, offset))
            timings.kernels.push_back(std::move(*kernel));
        else if (auto transfer = transferOf(*record, offset))
            timings.transfers.push_back(std::move(*transfer));
    }
    std::size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        state().dropped += dropped;
    std::free(buffer); // NOLINT: allocated with aligned_alloc above
    if (timings.kernels.empty() && timings.transfers.empty()) return;
    const std::lock_guard lock(state().mutex);
    if (state().sink) state().sink(std::move(timings));
}

std::int64_t epochOffsetNs() {
    std::uint64_t cuptiNs = 0;
    DORMER_CUPTI(cuptiGetTimestamp(&cuptiNs));
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - static_cast<std::int64_t>(cuptiNs);
}

void configureMigrations() {
    constexpr std::array kCounters = {
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
    };
    std::array<CUpti_ActivityUnifiedMemoryCounterConfig, kCounters.size()> wanted{};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        wanted[i] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES, kCounters[i], 0, 1};
    try {
        DORMER_CUPTI(cuptiActivityConfigureUnifiedMemoryCounter(wanted.data(),
                                                                static_cast<std::uint32_t>(wanted.size())));
        state().migrations = true;
    } catch (const host::CallError& error) {
        state().limitation =
            std::string("migrations and page faults of managed memory can't be seen: ") + error.what();
    }
}

/// Runs CUPTI calls; what they throw becomes an error.
template <typename Work>
Result<void> guarded(Work work) {
    const OwnCalls ours;
    try {
        work();
        return {};
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, std::string("kernels can't be timed: ") + error.what());
    }
}

} // namespace

Result<void> startActivity(Sink sink, std::size_t bufferBytes) {
    return guarded([&] {
        State& all = state();
        all.bufferBytes = bufferBytes;
        {
            const std::lock_guard lock(all.mutex);
            all.sink = std::move(sink);
        }
        if (!all.registered) DORMER_CUPTI(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted));
        all.toEpochNs = epochOffsetNs();
        for (const CUpti_ActivityKind kind : kKinds)
            DORMER_CUPTI(cuptiActivityEnable(kind));
        if (!all.registered) configureMigrations();
        if (all.migrations) DORMER_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
        all.registered = true;
    });
}

Result<void> flushActivity(bool all) {
    return guarded([&] { DORMER_CUPTI(cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0)); });
}

Result<void> stopActivity() {
    return guarded([] {
        for (const CUpti_ActivityKind kind : kKinds)
            DORMER_CUPTI(cuptiActivityDisable(kind));
        if (state().migrations)
            DORMER_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
    });
}

Result<void> setKernelActivity(bool on) {
    return guarded([&] {
        DORMER_CUPTI(
            (on ? cuptiActivityEnable : cuptiActivityDisable)(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    });
}

std::string activityLimitation() {
    return state().limitation;
}

std::size_t droppedActivity() {
    return state().dropped;
}

std::int64_t toEpochNs() {
    return state().toEpochNs;
}

} // namespace dormer::instrument::cupti::activity
