// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity_timing.h"

#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/cupti_error.h"
#include "instrument/cupti/own_calls.h"

#include <cupti.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

namespace dormer::instrument {

namespace {

#if CUPTI_API_VERSION >= 130000
using KernelActivity = CUpti_ActivityKernel10;
#else
using KernelActivity = CUpti_ActivityKernel9;
#endif

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT

/// What the buffer callbacks have delivered. They run on a thread of CUPTI's.
struct Delivered {
    std::mutex mutex;
    std::vector<KernelTiming> kernels;
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
            if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
            const auto* kernel = reinterpret_cast<const KernelActivity*>(record);
            if (kernel->name != nullptr && std::strcmp(kernel->name, kFlushKernel) == 0) continue;
            // CUPTI reports 0 or end before start for kernels it could not time.
            if (kernel->start == 0 || kernel->end <= kernel->start) continue;
            KernelTiming timing;
            timing.correlationId = kernel->correlationId;
            timing.mangledName = kernel->name != nullptr ? kernel->name : "";
            timing.startNs = static_cast<std::int64_t>(kernel->start) + sink.toEpochNs;
            timing.endNs = static_cast<std::int64_t>(kernel->end) + sink.toEpochNs;
            timing.stream = kernel->streamId;
            timing.device = static_cast<std::int32_t>(kernel->deviceId);
            timing.registersPerThread = kernel->registersPerThread;
            timing.staticSharedBytes = static_cast<std::uint64_t>(kernel->staticSharedMemory);
            timing.dynamicSharedBytes = static_cast<std::uint64_t>(kernel->dynamicSharedMemory);
            timing.localBytesPerThread = kernel->localMemoryPerThread;
            sink.kernels.push_back(std::move(timing));
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

} // namespace

ActivityTiming::ActivityTiming() = default;
ActivityTiming::~ActivityTiming() = default;

Result<void> ActivityTiming::start() {
    const OwnCalls ours;
    try {
        static bool registered = false;
        if (!registered) {
            DORMER_CUPTI(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted));
            registered = true;
        }
        {
            const std::lock_guard lock(delivered().mutex);
            delivered().kernels.clear();
            delivered().dropped = 0;
            delivered().toEpochNs = epochOffsetNs();
        }
        DORMER_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        return {};
    } catch (const CallError& error) {
        return failure(ErrorKind::Device, std::string("kernels can't be timed: ") + error.what());
    }
}

Result<std::vector<KernelTiming>> ActivityTiming::stop() {
    const OwnCalls ours;
    try {
        DORMER_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
        DORMER_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    } catch (const CallError& error) {
        return failure(ErrorKind::Device, std::string("kernels can't be timed: ") + error.what());
    }
    const std::lock_guard lock(delivered().mutex);
    return std::move(delivered().kernels);
}

} // namespace dormer::instrument
