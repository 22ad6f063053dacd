// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"

#include <algorithm>
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

// Every chip from compute capability 7.0 on has these six levels.
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

/// Looks the stream up and works on it.
template <typename Body>
cudaError_t withStream(cudaStream_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        Stream* stream = r.streams().find(handle);
        if (stream == nullptr) return fails(cudaErrorInvalidResourceHandle);
        return body(r, *stream);
    });
}

/// A host thread may not wait for a stream that only records.
Outcome<void> checkNotCapturing(Stream& stream) {
    if (stream.capture == nullptr) return {};
    stream.capture->broken = true;
    return fails(cudaErrorStreamCaptureUnsupported);
}

struct OldCallback {
    cudaStream_t stream;
    cudaStreamCallback_t callback;
    void* data;
};

} // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
            return fails(cudaErrorInvalidValue);
        const int clamped = std::clamp(priority, kGreatestPriority, kLeastPriority);
        *stream = reinterpret_cast<cudaStream_t>(r.streams().create(flags, clamped));
        return {};
    });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Stream* found = r.streams().find(stream);
        if (found != nullptr)
            if (Outcome<void> ended = r.finish(*found); !ended) return ended;
        return r.streams().destroy(stream) ? Outcome<void>{} : fails(cudaErrorInvalidResourceHandle);
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return withStream(handle, [](Runtime& r, Stream& stream) -> Outcome<void> {
        if (const Outcome<void> fine = checkNotCapturing(stream); !fine) return fine;
        if (Outcome<void> ended = r.finish(stream); !ended) return ended;
        r.streams().hostWaitsFor(stream);
        return {};
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return withStream(handle, [](Runtime& r, Stream& stream) -> Outcome<void> {
        if (const Outcome<void> fine = checkNotCapturing(stream); !fine) return fine;
        return r.finished(stream) ? Outcome<void>{} : fails(cudaErrorNotReady);
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t eventHandle, unsigned) {
    return withStream(handle, [&](Runtime& r, Stream& stream) -> Outcome<void> {
        Event* event = r.streams().findEvent(eventHandle);
        if (event == nullptr) return fails(cudaErrorInvalidResourceHandle);
        if (event->capture != nullptr) {
            // The stream joins the capture the event was recorded in.
            if (stream.capture != nullptr && stream.capture != event->capture)
                return fails(cudaErrorStreamCaptureMerge);
            stream.capture = event->capture;
            for (const cudaGraphNode_t node : event->tail)
                if (std::ranges::find(stream.tail, node) == stream.tail.end()) stream.tail.push_back(node);
            return {};
        }
        if (stream.capture != nullptr) return fails(cudaErrorStreamCaptureIsolation);
        return r.perform(stream, EventCall{event, false});
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (flags == nullptr) return fails(cudaErrorInvalidValue);
        *flags = stream.flags;
        return {};
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (priority == nullptr) return fails(cudaErrorInvalidValue);
        *priority = stream.priority;
        return {};
    });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return withStream(handle, [&](Runtime&, Stream& stream) -> Outcome<void> {
        if (id == nullptr) return fails(cudaErrorInvalidValue);
        *id = stream.id;
        return {};
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return withStream(handle, [&](Runtime&, Stream&) -> Outcome<void> {
        if (device == nullptr) return fails(cudaErrorInvalidValue);
        *device = 0;
        return {};
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call([&](Runtime&) -> Outcome<void> {
        if (least != nullptr) *least = kLeastPriority;
        if (greatest != nullptr) *greatest = kGreatestPriority;
        return {};
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (function == nullptr) return fails(cudaErrorInvalidValue);
        return r.submit(stream, HostCall{function, data});
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
    return withStream(handle, [&](Runtime& r, Stream& stream) -> Outcome<void> {
        if (callback == nullptr || flags != 0) return fails(cudaErrorInvalidValue);
        if (const Outcome<void> fine = checkNotCapturing(stream); !fine) return fine;
        auto* const old = new OldCallback{handle, callback, data}; // it may be called later
        return r.perform(stream, HostCall{[](void* pointer) {
                                              const std::unique_ptr<const OldCallback> call(
                                                  static_cast<const OldCallback*>(pointer));
                                              call->callback(call->stream, cudaSuccess, call->data);
                                          },
                                          old});
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaStreamSynchronize, ptsz);
DORMER_PER_THREAD(cudaStreamQuery, ptsz);
DORMER_PER_THREAD(cudaStreamWaitEvent, ptsz);
DORMER_PER_THREAD(cudaStreamGetFlags, ptsz);
DORMER_PER_THREAD(cudaStreamGetPriority, ptsz);
DORMER_PER_THREAD(cudaStreamGetId, ptsz);
DORMER_PER_THREAD(cudaStreamGetDevice, ptsz);
DORMER_PER_THREAD(cudaLaunchHostFunc, ptsz);
DORMER_PER_THREAD(cudaStreamAddCallback, ptsz);
