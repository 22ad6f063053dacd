// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/memory_callbacks.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/collector.h"
#include "instrument/cupti/host/cupti_error.h"

#include <array>

namespace dormer::instrument::cupti {

namespace {

using Functions = std::array<std::optional<passes::ApiCall>, CUPTI_DRIVER_TRACE_CBID_SIZE>;

/// What each of the driver's functions is, by CUPTI's number; empty for those of no interest.
const Functions& functions() {
    static const Functions all = [] {
        Functions found;
        for (std::uint32_t id = 1; id < found.size(); ++id) {
            const char* name = nullptr;
            if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) == CUPTI_SUCCESS &&
                name != nullptr)
                found[id] = passes::apiCallOf(name);
        }
        return found;
    }();
    return all;
}

template <typename Params>
const Params& as(const CUpti_CallbackData& data) {
    return *static_cast<const Params*>(data.functionParams);
}

/// Bytes that a call about memory asks for; 0 for one that does not say.
std::uint64_t bytesOf(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2:
        return as<cuMemAlloc_v2_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2: {
        const auto& pitched = as<cuMemAllocPitch_v2_params>(data);
        const std::size_t pitch = pitched.pPitch != nullptr ? *pitched.pPitch : pitched.WidthInBytes;
        return pitch * pitched.Height;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged:
        return as<cuMemAllocManaged_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocHost_v2:
        return as<cuMemAllocHost_v2_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemHostAlloc:
        return as<cuMemHostAlloc_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemHostRegister_v2:
        return as<cuMemHostRegister_v2_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz:
        return as<cuMemAllocAsync_params>(data).bytesize;
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz:
        return as<cuMemAllocFromPoolAsync_params>(data).bytesize;
    // Both versions begin with the address and the size.
    case CUPTI_DRIVER_TRACE_CBID_cuMemPrefetchAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemPrefetchAsync_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuMemPrefetchAsync_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemPrefetchAsync_v2_ptsz:
        return as<cuMemPrefetchAsync_params>(data).count;
    case CUPTI_DRIVER_TRACE_CBID_cuMemAdvise:
    case CUPTI_DRIVER_TRACE_CBID_cuMemAdvise_v2:
        return as<cuMemAdvise_params>(data).count;
    default:
        return 0;
    }
}

} // namespace

void enableMemoryCallbacks(CUpti_SubscriberHandle subscriber) {
    for (std::uint32_t id = 1; id < functions().size(); ++id)
        if (functions()[id]) DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
}

bool onMemoryCall(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data) {
    if (id >= functions().size() || !functions()[id]) return false;
    if (activity::OwnCalls::active()) return true;
    if (data.callbackSite == CUPTI_API_ENTER) {
        *data.correlationData = static_cast<std::uint64_t>(collect::nowNs());
        return true;
    }
    passes::MemoryApiCall call;
    call.endNs = collect::nowNs();
    call.startNs = static_cast<std::int64_t>(*data.correlationData);
    call.function = *functions()[id];
    call.correlationId = data.correlationId;
    const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
    if (result != nullptr && *result != CUDA_SUCCESS) return true; // nothing was moved or taken
    if (call.function.kind == passes::ApiCall::Kind::Memory) call.bytes = bytesOf(id, data);
    collector.memoryCalled(std::move(call));
    return true;
}

} // namespace dormer::instrument::cupti
