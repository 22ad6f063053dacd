// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity_timing.h"

#include "instrument/cupti/activity_records.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/own_calls.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace dormer::instrument::cupti {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT

constexpr std::array kKinds = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,
};

/// What the buffer callbacks have delivered. They run on a thread of CUPTI's.
struct Delivered {
    std::mutex mutex;
    passes::Timings timings;
    std::size_t dropped = 0;
    std::int64_t toEpochNs = 0; ///< added to CUPTI's clock
};
Delivered& delivered() {
    static Delivered* const instance = new Delivered; // outlives CUPTI's own thread
    return *instance;
}

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
    *size = *buffer != nullptr ? kBufferBytes : 0;
    *maxRecords = 0;
}

void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                              std::size_t /*size*/, std::size_t validSize) {
    Delivered& sink = delivered();
    {
        const std::lock_guard lock(sink.mutex);
        CUpti_Activity* record = nullptr;
        while (validSize > 0 && cuptiActivityGetNextRecord(buffer, validSize, &record) == CUPTI_SUCCESS) {
            if (auto kernel = kernelOf(*record, sink.toEpochNs))
                sink.timings.kernels.push_back(std::move(*kernel));
            else if (auto transfer = transferOf(*record, sink.toEpochNs))
                sink.timings.transfers.push_back(std::move(*transfer));
        }
        std::size_t dropped = 0;
        if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
            sink.dropped += dropped;
    }
    std::free(buffer); // NOLINT: allocated with aligned_alloc above
}

std::int64_t epochOffsetNs() {
    std::uint64_t cuptiNs = 0;
    DORMER_CUPTI(cuptiGetTimestamp(&cuptiNs));
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec - static_cast<std::int64_t>(cuptiNs);
}

Error explained(const host::CallError& error) {
    return {ErrorKind::Device, std::string("kernels can't be timed: ") + error.what()};
}

} // namespace

ActivityTiming::ActivityTiming() = default;
ActivityTiming::~ActivityTiming() = default;

void ActivityTiming::configureMigrations() {
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
        DORMER_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
        m_migrations = true;
    } catch (const host::CallError& error) {
        m_limitation =
            std::string("migrations and page faults of managed memory can't be seen: ") + error.what();
    }
}

Result<void> ActivityTiming::start() {
    const OwnCalls ours;
    try {
        if (!m_ready) DORMER_CUPTI(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted));
        {
            const std::lock_guard lock(delivered().mutex);
            delivered().timings = {};
            delivered().dropped = 0;
            delivered().toEpochNs = epochOffsetNs();
        }
        for (const CUpti_ActivityKind kind : kKinds)
            DORMER_CUPTI(cuptiActivityEnable(kind));
        if (!m_ready)
            configureMigrations();
        else if (m_migrations)
            DORMER_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
        m_ready = true;
        return {};
    } catch (const host::CallError& error) {
        return std::unexpected(explained(error));
    }
}

Result<passes::Timings> ActivityTiming::stop() {
    const OwnCalls ours;
    try {
        DORMER_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
        for (const CUpti_ActivityKind kind : kKinds)
            DORMER_CUPTI(cuptiActivityDisable(kind));
        if (m_migrations) DORMER_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
    } catch (const host::CallError& error) {
        return std::unexpected(explained(error));
    }
    const std::lock_guard lock(delivered().mutex);
    return std::move(delivered().timings);
}

} // namespace dormer::instrument::cupti
