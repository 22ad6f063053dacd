// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/transfers.h"

namespace dormer::emulator::runtime {

namespace {

struct Side {
    session::MemoryKind memory;
    bool host; ///< what the host can reach is the host's, but for managed memory, which is both's
};

Side sideOf(const std::byte* start, bool array, const memory::DeviceMemory& memory) {
    if (array) return {session::MemoryKind::Array, false};
    const auto allocation = memory.find(reinterpret_cast<std::uint64_t>(start));
    if (!allocation) return {session::MemoryKind::Pageable, true};
    switch (allocation->kind) {
    case memory::Allocation::Kind::PinnedHost:
        return {session::MemoryKind::Pinned, true};
    case memory::Allocation::Kind::Managed:
        return {session::MemoryKind::Managed, false};
    default:
        return {session::MemoryKind::Device, false};
    }
}

/// What the program called it, or what the addresses tell when it left that to CUDA.
session::TransferDirection directionOf(cudaMemcpyKind kind, const Side& from, const Side& to) {
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return session::TransferDirection::HostToDevice;
    case cudaMemcpyDeviceToHost:
        return session::TransferDirection::DeviceToHost;
    case cudaMemcpyDeviceToDevice:
        return session::TransferDirection::DeviceToDevice;
    case cudaMemcpyHostToHost:
        return session::TransferDirection::HostToHost;
    default:
        if (from.host)
            return to.host ? session::TransferDirection::HostToHost
                           : session::TransferDirection::HostToDevice;
        return to.host ? session::TransferDirection::DeviceToHost
                       : session::TransferDirection::DeviceToDevice;
    }
}

} // namespace

session::Transfer describe(const CopyCall& call, const memory::DeviceMemory& memory) {
    const Side from = sideOf(call.copy.from.start, call.parameters.srcArray != nullptr, memory);
    const Side to = sideOf(call.copy.to.start, call.parameters.dstArray != nullptr, memory);
    session::Transfer transfer;
    transfer.kind = session::TransferKind::Copy;
    transfer.direction = directionOf(call.parameters.kind, from, to);
    transfer.source = from.memory;
    transfer.destination = to.memory;
    transfer.bytes = call.copy.widthBytes * call.copy.height * call.copy.depth;
    transfer.asynchronous = call.asynchronous;
    return transfer;
}

session::Transfer describe(const FillCall& call, const memory::DeviceMemory& memory) {
    session::Transfer transfer;
    transfer.kind = session::TransferKind::Fill;
    transfer.destination = sideOf(call.fill.to.start, false, memory).memory;
    transfer.bytes = call.fill.width * call.fill.elementBytes * call.fill.height * call.fill.depth;
    transfer.asynchronous = call.asynchronous;
    return transfer;
}

} // namespace dormer::emulator::runtime
