// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/transfers.h"

namespace dormer::emulator::runtime {

namespace {

struct Side {
    const char* memory;
    bool host; ///< what the host can reach is the host's, but for managed memory, which is both's
};

Side sideOf(const std::byte* start, bool array, const memory::DeviceMemory& memory) {
    if (array) return {"array", false};
    const auto allocation = memory.find(reinterpret_cast<std::uint64_t>(start));
    if (!allocation) return {"pageable", true};
    switch (allocation->kind) {
    case memory::Allocation::Kind::PinnedHost:
        return {"pinned", true};
    case memory::Allocation::Kind::Managed:
        return {"managed", false};
    default:
        return {"device", false};
    }
}

/// What the program called it, or what the addresses tell when it left that to CUDA.
const char* directionOf(cudaMemcpyKind kind, const Side& from, const Side& to) {
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return "host_to_device";
    case cudaMemcpyDeviceToHost:
        return "device_to_host";
    case cudaMemcpyDeviceToDevice:
        return "device_to_device";
    case cudaMemcpyHostToHost:
        return "host_to_host";
    default:
        if (from.host) return to.host ? "host_to_host" : "host_to_device";
        return to.host ? "device_to_host" : "device_to_device";
    }
}

} // namespace

session::Transfer describe(const CopyCall& call, const memory::DeviceMemory& memory) {
    const Side from = sideOf(call.copy.from.start, call.parameters.srcArray != nullptr, memory);
    const Side to = sideOf(call.copy.to.start, call.parameters.dstArray != nullptr, memory);
    session::Transfer transfer;
    transfer.kind = "copy";
    transfer.direction = directionOf(call.parameters.kind, from, to);
    transfer.source = from.memory;
    transfer.destination = to.memory;
    transfer.bytes = call.copy.widthBytes * call.copy.height * call.copy.depth;
    transfer.asynchronous = call.asynchronous;
    return transfer;
}

session::Transfer describe(const FillCall& call, const memory::DeviceMemory& memory) {
    session::Transfer transfer;
    transfer.kind = "fill";
    transfer.destination = sideOf(call.fill.to.start, false, memory).memory;
    transfer.bytes = call.fill.width * call.fill.elementBytes * call.fill.height * call.fill.depth;
    transfer.asynchronous = call.asynchronous;
    return transfer;
}

} // namespace dormer::emulator::runtime
