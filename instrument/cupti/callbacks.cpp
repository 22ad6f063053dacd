// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/callbacks.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/collector.h"
#include "instrument/cupti/counting/printing_kernels.h"
#include "instrument/cupti/cubin_store.h"
#include "instrument/cupti/graph_callbacks.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/memory_callbacks.h"

#include <cupti.h>

#include <algorithm>
#include <array>

namespace dormer::instrument::cupti {

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

/// Where a program waits for the GPU, mostly to look at what came of it: by the driver's interface, and by
/// the runtime's, whose calls of the driver are not told.
constexpr std::array kDriverWaits = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,         CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz, CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds,
};
constexpr std::array kRuntimeWaits = {
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000,
};

/// The parameter structs and CUlaunchConfig share these members.
template <typename Params>
collect::LaunchCall callFrom(const Params& p, const void* function) {
    collect::LaunchCall call;
    call.function = function;
    call.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
    call.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
    call.dynamicSharedBytes = p.sharedMemBytes;
    call.stream = p.hStream;
    return call;
}

/// Functions compiled for it take "no stream" as the thread's own default one.
bool perThread(CUpti_CallbackId id) {
    return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
           id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz ||
           id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
}

collect::LaunchCall launchCall(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    collect::LaunchCall call;
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
    call.correlationId = data.correlationId;
    if (perThread(id) && call.stream == nullptr) call.stream = CU_STREAM_PER_THREAD;
    return call;
}

/// The same launch once more, within the callback of the program's own.
bool launchAgain(CUpti_CallbackId id, const CUpti_CallbackData& data) {
    const auto streamOf = [&](CUstream stream) {
        return perThread(id) && stream == nullptr ? CU_STREAM_PER_THREAD : stream;
    };
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
        const auto& p = *static_cast<const cuLaunchKernelEx_params*>(data.functionParams);
        CUlaunchConfig config = *p.config;
        config.hStream = streamOf(config.hStream);
        return cuLaunchKernelEx(&config, p.f, p.kernelParams, p.extra) == CUDA_SUCCESS;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
        const auto& p = *static_cast<const cuLaunchCooperativeKernel_params*>(data.functionParams);
        return cuLaunchCooperativeKernel(p.f, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY,
                                         p.blockDimZ, p.sharedMemBytes, streamOf(p.hStream),
                                         p.kernelParams) == CUDA_SUCCESS;
    }
    default: {
        const auto& p = *static_cast<const cuLaunchKernel_params*>(data.functionParams);
        return cuLaunchKernel(p.f, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ,
                              p.sharedMemBytes, streamOf(p.hStream), p.kernelParams, p.extra) == CUDA_SUCCESS;
    }
    }
}

bool failed(const CUpti_CallbackData& data) {
    const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
    return result != nullptr && *result != CUDA_SUCCESS;
}

void onLaunch(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data) {
    if (activity::OwnCalls::active()) return;
    ProgramProfile* const profile = collector.profile();
    // Within a call, a captured launch becomes a node, whose making is told on this thread.
    thread_local collect::LaunchCall captured;
    if (data.callbackSite == CUPTI_API_EXIT) {
        setCapturedLaunch(nullptr);
        if (profile != nullptr)
            profile->launchEnds(data.correlationId, failed(data), launchCall(id, data).stream,
                                [id, &data] { return launchAgain(id, data); });
        else
            collector.launchEnds();
        return;
    }
    collect::LaunchCall call = launchCall(id, data);
    const bool capturing = isCapturing(call.stream);
    if (profile != nullptr && !capturing) {
        profile->launchBegins({.function = call.function,
                               .mangledName = data.symbolName,
                               .correlationId = call.correlationId,
                               .grid = call.grid,
                               .block = call.block,
                               .dynamicSharedBytes = call.dynamicSharedBytes,
                               .device = 0,
                               .graph = false},
                              collector.placeNow(), call.stream);
        return;
    }
    call.mangledName = data.symbolName != nullptr ? data.symbolName : "(unnamed kernel)";
    if (capturing) {
        captured = std::move(call);
        setCapturedLaunch(&captured);
    } else {
        collector.launchBegins(std::move(call));
    }
}

/// `context`: for all that it had.
void onWait(Collector& collector, const CUpti_CallbackData& call, bool context) {
    if (collector.profile() != nullptr && call.callbackSite == CUPTI_API_EXIT &&
        !activity::OwnCalls::active())
        collector.profile()->waited(context);
}

void CUPTIAPI onCallback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    Collector& collector = *static_cast<Collector*>(user);
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
        const auto& call = *static_cast<const CUpti_CallbackData*>(data);
        const bool waits = std::ranges::find(kDriverWaits, id) != kDriverWaits.end();
        if (!onMemoryCall(collector, id, call) && !onGraphCall(collector, id, call) && !waits)
            onLaunch(collector, id, call);
        if (waits) onWait(collector, call, id == CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize);
    } else if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        onWait(collector, *static_cast<const CUpti_CallbackData*>(data),
               id == CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) {
        collector.profile()->contextCreated();
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
        collector.profile()->contextEnds(static_cast<const CUpti_ResourceData*>(data)->context);
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id != CUPTI_CBID_RESOURCE_MODULE_LOADED) {
        onGraphResource(collector, id, *static_cast<const CUpti_ResourceData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        // The image is only valid during the call.
        const auto* resource = static_cast<const CUpti_ResourceData*>(data);
        const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
        PrintingKernels::instance().add(
            {reinterpret_cast<const std::byte*>(module->pCubin), module->cubinSize});
        static const bool kept = Collector::wantedModules() == Collector::Modules::Kept;
        if (kept) CubinStore::instance().add(module->pCubin, module->cubinSize);
    }
}

} // namespace

void subscribeCallbacks(Collector& collector) {
    try {
        CUpti_SubscriberHandle subscriber = nullptr;
        DORMER_CUPTI(cuptiSubscribe(&subscriber, onCallback, &collector));
        for (const CUpti_driver_api_trace_cbid id : kLaunches)
            DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
        if (collector.profile() != nullptr) {
            for (const CUpti_driver_api_trace_cbid id : kDriverWaits)
                DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
            for (const CUpti_runtime_api_trace_cbid id : kRuntimeWaits)
                DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, id));
            for (const CUpti_CallbackIdResource id :
                 {CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING})
                DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id));
        }
        enableMemoryCallbacks(subscriber);
        enableGraphCallbacks(subscriber);
        if (Collector::wantedModules() != Collector::Modules::Ignored) {
            DORMER_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                             CUPTI_CBID_RESOURCE_MODULE_LOADED));
        }
    } catch (const host::CallError& error) {
        collector.note("no-callbacks", std::string("launches can't be seen: ") + error.what());
    }
}

} // namespace dormer::instrument::cupti
