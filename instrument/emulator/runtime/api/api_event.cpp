// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

constexpr unsigned kKnownFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

template <typename Body>
cudaError_t withEvent(cudaEvent_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        Event* event = r.streams().findEvent(handle);
        if (event == nullptr) return fails(cudaErrorInvalidResourceHandle);
        return body(r, *event);
    });
}

bool timed(const Event& event) {
    return (event.flags & cudaEventDisableTiming) == 0 && event.timeNs.has_value();
}

} // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (event == nullptr || (flags & ~kKnownFlags) != 0) return fails(cudaErrorInvalidValue);
        if ((flags & cudaEventInterprocess) != 0) return lacking("an event for several processes");
        *event = reinterpret_cast<cudaEvent_t>(r.streams().createEvent(flags));
        return {};
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (const Event* found = r.streams().findEvent(event)) r.forget(*found);
        return r.streams().destroyEvent(event) ? Outcome<void>{} : fails(cudaErrorInvalidResourceHandle);
    });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t streamHandle, unsigned flags) {
    return withEvent(handle, [&](Runtime& r, Event& event) -> Outcome<void> {
        Stream* stream = r.streams().find(streamHandle);
        if (stream == nullptr) return fails(cudaErrorInvalidResourceHandle);
        if (stream->capture == nullptr) {
            event.capture.reset();
            r.recordEvent(*stream, event);
            return {};
        }
        if (flags == cudaEventRecordExternal) return r.submit(streamHandle, EventCall{&event, true});
        event.capture = stream->capture;
        event.tail = stream->tail;
        return {};
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return withEvent(handle, [](Runtime& r, Event& event) -> Outcome<void> {
        if (event.capture != nullptr) return fails(cudaErrorCapturedEvent);
        const Stream* recorded = r.streams().byId(event.streamId);
        return recorded == nullptr || r.finished(*recorded) ? Outcome<void>{} : fails(cudaErrorNotReady);
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return withEvent(handle, [](Runtime& r, Event& event) -> Outcome<void> {
        if (event.capture != nullptr) return fails(cudaErrorCapturedEvent);
        if (const Stream* recorded = r.streams().byId(event.streamId))
            if (Outcome<void> ended = r.finish(*recorded); !ended) return ended;
        r.streams().hostWaitsFor(event);
        return {};
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t startHandle, cudaEvent_t endHandle) {
    return withEvent(startHandle, [&](Runtime& r, Event& start) -> Outcome<void> {
        const Event* end = r.streams().findEvent(endHandle);
        if (end != nullptr && (r.isPending(start) || r.isPending(*end))) return fails(cudaErrorNotReady);
        if (end == nullptr || !timed(start) || !timed(*end)) return fails(cudaErrorInvalidResourceHandle);
        if (milliseconds == nullptr) return fails(cudaErrorInvalidValue);
        *milliseconds = static_cast<float>((*end->timeNs - *start.timeNs) * 1e-6);
        return {};
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaEventRecord, ptsz);
DORMER_PER_THREAD(cudaEventRecordWithFlags, ptsz);
