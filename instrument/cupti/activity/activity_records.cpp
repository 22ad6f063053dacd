// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/activity/activity_records.h"

#include <cstring>

namespace dormer::instrument::cupti::activity {

namespace {

#if CUPTI_API_VERSION >= 130000
using KernelActivity = CUpti_ActivityKernel10;
using CopyActivity = CUpti_ActivityMemcpy6;
using UnifiedMemoryActivity = CUpti_ActivityUnifiedMemoryCounter3;
#else
using KernelActivity = CUpti_ActivityKernel9;
using CopyActivity = CUpti_ActivityMemcpy5;
using UnifiedMemoryActivity = CUpti_ActivityUnifiedMemoryCounter2;
#endif
using PeerCopyActivity = CUpti_ActivityMemcpyPtoP4;
using FillActivity = CUpti_ActivityMemset4;

template <typename Activity>
const Activity& as(const CUpti_Activity& record) {
    return reinterpret_cast<const Activity&>(record);
}

session::MemoryKind memoryOf(int kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
        return session::MemoryKind::Pageable;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
        return session::MemoryKind::Pinned;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
        return session::MemoryKind::Device;
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
        return session::MemoryKind::Array;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
        return session::MemoryKind::Managed;
    default:
        return session::MemoryKind::None;
    }
}

session::TransferDirection directionOf(int kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
        return session::TransferDirection::HostToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
        return session::TransferDirection::DeviceToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        return session::TransferDirection::DeviceToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
        return session::TransferDirection::HostToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return session::TransferDirection::Peer;
    default:
        return session::TransferDirection::None;
    }
}

/// What all kinds of transfer records spell alike.
template <typename Activity>
passes::TransferTiming timed(const Activity& activity, session::TransferKind kind, std::int64_t toEpochNs) {
    passes::TransferTiming timing;
    timing.kind = kind;
    // CUPTI reports 0 for what it could not time.
    if (activity.start != 0 && activity.end >= activity.start) {
        timing.startNs = static_cast<std::int64_t>(activity.start) + toEpochNs;
        timing.endNs = static_cast<std::int64_t>(activity.end) + toEpochNs;
    }
    timing.stream = activity.streamId;
    return timing;
}

template <typename Activity>
passes::TransferTiming called(const Activity& activity, session::TransferKind kind, std::int64_t toEpochNs) {
    passes::TransferTiming timing = timed(activity, kind, toEpochNs);
    timing.correlationId = activity.correlationId;
    timing.graphNode = activity.graphNodeId;
    timing.bytes = activity.bytes;
    timing.device = static_cast<std::int32_t>(activity.deviceId);
    return timing;
}

template <typename Activity>
passes::TransferTiming copyOf(const Activity& activity, std::int64_t toEpochNs) {
    passes::TransferTiming timing = called(activity, session::TransferKind::Copy, toEpochNs);
    timing.direction = directionOf(activity.copyKind);
    timing.source = memoryOf(activity.srcKind);
    timing.destination = memoryOf(activity.dstKind);
    timing.asynchronous = (activity.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
    return timing;
}

passes::TransferTiming fillOf(const FillActivity& activity, std::int64_t toEpochNs) {
    passes::TransferTiming timing = called(activity, session::TransferKind::Fill, toEpochNs);
    timing.destination = memoryOf(activity.memoryKind);
    timing.asynchronous = (activity.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
    return timing;
}

std::optional<passes::TransferTiming> migrationOf(const UnifiedMemoryActivity& activity,
                                                  std::int64_t toEpochNs) {
    passes::TransferTiming timing = timed(activity, session::TransferKind::Migration, toEpochNs);
    timing.stream = 0; // CUPTI has it invalid
    switch (activity.counterKind) {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        timing.direction = session::TransferDirection::HostToDevice;
        timing.device = static_cast<std::int32_t>(activity.dstId);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        timing.direction = session::TransferDirection::DeviceToHost;
        timing.device = static_cast<std::int32_t>(activity.srcId);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD:
        timing.direction = session::TransferDirection::Peer;
        timing.device = static_cast<std::int32_t>(activity.dstId);
        break;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        timing.kind = session::TransferKind::GpuFault;
        timing.count = activity.value; // groups of faults on the page
        timing.device = static_cast<std::int32_t>(activity.srcId);
        return timing;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        timing.kind = session::TransferKind::CpuFault; // one each; the value is the program counter, and
                                                       // there is no end
        timing.startNs = timing.endNs = static_cast<std::int64_t>(activity.start) + toEpochNs;
        return timing;
    default:
        return std::nullopt;
    }
    timing.bytes = activity.value;
    timing.source = timing.destination = session::MemoryKind::Managed;
    return timing;
}

} // namespace

std::optional<passes::KernelTiming> kernelOf(const CUpti_Activity& record, std::int64_t toEpochNs) {
    if (record.kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return std::nullopt;
    const auto& kernel = as<KernelActivity>(record);
    if (kernel.name != nullptr && std::strcmp(kernel.name, kFlushKernel) == 0) return std::nullopt;
    // CUPTI reports 0 or end before start for kernels it could not time.
    if (kernel.start == 0 || kernel.end <= kernel.start) return std::nullopt;
    passes::KernelTiming timing;
    timing.correlationId = kernel.correlationId;
    timing.mangledName = kernel.name != nullptr ? kernel.name : "";
    timing.startNs = static_cast<std::int64_t>(kernel.start) + toEpochNs;
    timing.endNs = static_cast<std::int64_t>(kernel.end) + toEpochNs;
    timing.stream = kernel.streamId;
    timing.device = static_cast<std::int32_t>(kernel.deviceId);
    timing.registersPerThread = kernel.registersPerThread;
    timing.staticSharedBytes = static_cast<std::uint64_t>(kernel.staticSharedMemory);
    timing.dynamicSharedBytes = static_cast<std::uint64_t>(kernel.dynamicSharedMemory);
    timing.localBytesPerThread = kernel.localMemoryPerThread;
    const auto size = [](std::int32_t extent) { return static_cast<std::uint32_t>(extent); };
    timing.grid = {size(kernel.gridX), size(kernel.gridY), size(kernel.gridZ)};
    timing.block = {size(kernel.blockX), size(kernel.blockY), size(kernel.blockZ)};
    timing.graphNode = kernel.graphNodeId;
    return timing;
}

std::optional<passes::TransferTiming> transferOf(const CUpti_Activity& record, std::int64_t toEpochNs) {
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return copyOf(as<CopyActivity>(record), toEpochNs);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return copyOf(as<PeerCopyActivity>(record), toEpochNs);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return fillOf(as<FillActivity>(record), toEpochNs);
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
        return migrationOf(as<UnifiedMemoryActivity>(record), toEpochNs);
    default:
        return std::nullopt;
    }
}

} // namespace dormer::instrument::cupti::activity
