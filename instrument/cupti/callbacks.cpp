// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/callbacks.h"

#include "instrument/cupti/collector.h"
#include "instrument/cupti/cupti_error.h"
#include "instrument/cupti/own_calls.h"

#include <cupti.h>
#include <generated_nvtx_meta.h>
#include <nvtx3/nvToolsExt.h>

#include <array>

namespace dormer::instrument {

namespace {

/// Every way a program launches a kernel; runtime launches end in one of these.
constexpr std::array kLaunches = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};

/// The parameter structs and CUlaunchConfig share these members.
template <typename Params>
LaunchCall callFrom(const Params& p, const void* function) {
    LaunchCall call;
    call.function = function;
    call.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
    call.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
    call.dynamicSharedBytes = p.sharedMemBytes;
    return call;
}

LaunchCall launchCall(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    LaunchCall call;
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
        const auto* params = static_cast<const cuLaunchKernelEx_params*>(data.functionParams);
        call = callFrom(*params->config, params->f);
        break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
        const auto& cooperative = *static_cast<const cuLaunchCooperativeKernel_params*>(data.functionParams);
        call = callFrom(cooperative, cooperative.f);
        break;
    }
    default: {
        const auto& plain = *static_cast<const cuLaunchKernel_params*>(data.functionParams);
        call = callFrom(plain, plain.f);
    }
    }
    call.mangledName = data.symbolName != nullptr ? data.symbolName : "(unnamed kernel)";
    call.correlationId = data.correlationId;
    return call;
}

void onLaunch(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data) {
    if (OwnCalls::active()) return;
    if (data.callbackSite == CUPTI_API_ENTER)
        collector.launchBegins(launchCall(id, data));
    else
        collector.launchEnds();
}

std::string messageOf(const NvtxRanges& ranges, const nvtxEventAttributes_t* attributes) {
    if (attributes == nullptr) return "(unnamed range)";
    switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
        return attributes->message.ascii != nullptr ? attributes->message.ascii : "(unnamed range)";
    case NVTX_MESSAGE_TYPE_REGISTERED:
        return ranges.registeredString(attributes->message.registered);
    default:
        return "(unnamed range)";
    }
}

void onNvtx(Collector& collector, CUpti_CallbackId id, const CUpti_NvtxData& data) {
    NvtxRanges& ranges = collector.nvtx();
    const std::int64_t now = Collector::nowNs();
    const auto rangeId = [&data] {
        return data.functionReturnValue != nullptr
                   ? *static_cast<const nvtxRangeId_t*>(data.functionReturnValue)
                   : 0;
    };
    switch (id) {
    case CUPTI_CBID_NVTX_nvtxRangePushA:
        ranges.push(static_cast<const nvtxRangePushA_params*>(data.functionParams)->message, now);
        break;
    case CUPTI_CBID_NVTX_nvtxRangePushEx:
        ranges.push(
            messageOf(ranges, static_cast<const nvtxRangePushEx_params*>(data.functionParams)->eventAttrib),
            now);
        break;
    case CUPTI_CBID_NVTX_nvtxDomainRangePushEx:
        ranges.push(messageOf(ranges, static_cast<const nvtxDomainRangePushEx_params*>(data.functionParams)
                                          ->core.eventAttrib),
                    now);
        break;
    case CUPTI_CBID_NVTX_nvtxRangePop:
    case CUPTI_CBID_NVTX_nvtxDomainRangePop:
        ranges.pop(now);
        break;
    case CUPTI_CBID_NVTX_nvtxRangeStartA:
        ranges.start(rangeId(), static_cast<const nvtxRangeStartA_params*>(data.functionParams)->message,
                     now);
        break;
    case CUPTI_CBID_NVTX_nvtxRangeStartEx:
        ranges.start(
            rangeId(),
            messageOf(ranges, static_cast<const nvtxRangeStartEx_params*>(data.functionParams)->eventAttrib),
            now);
        break;
    case CUPTI_CBID_NVTX_nvtxDomainRangeStartEx:
        ranges.start(rangeId(),
                     messageOf(ranges, static_cast<const nvtxDomainRangeStartEx_params*>(data.functionParams)
                                           ->core.eventAttrib),
                     now);
        break;
    case CUPTI_CBID_NVTX_nvtxRangeEnd:
        ranges.end(static_cast<const nvtxRangeEnd_params*>(data.functionParams)->id, now);
        break;
    case CUPTI_CBID_NVTX_nvtxDomainRangeEnd:
        ranges.end(static_cast<const nvtxDomainRangeEnd_params*>(data.functionParams)->core.id, now);
        break;
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
        if (data.functionReturnValue != nullptr)
            ranges.registerString(
                *static_cast<const nvtxStringHandle_t*>(data.functionReturnValue),
                static_cast<const nvtxDomainRegisterStringA_params*>(data.functionParams)->string);
        break;
    default:
        break;
    }
}

void CUPTIAPI onCallback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    Collector& collector = *static_cast<Collector*>(user);
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        onLaunch(collector, id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_NVTX)
        onNvtx(collector, id, *static_cast<const CUpti_NvtxData*>(data));
}

} // namespace

void subscribeCallbacks(Collector& collector) {
    try {
        CUpti_SubscriberHandle subscriber = nullptr;
        DORMER_CUPTI(cuptiSubscribe(&subscriber, onCallback, &collector));
        for (const CUpti_driver_api_trace_cbid id : kLaunches)
            DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
        DORMER_CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_NVTX));
    } catch (const CallError& error) {
        collector.note("no-callbacks", std::string("launches can't be seen: ") + error.what());
    }
}

} // namespace dormer::instrument
