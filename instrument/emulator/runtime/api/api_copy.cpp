// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

Outcome<void> copyLinear(Runtime& r, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                         cudaStream_t stream, bool asynchronous = true) {
    const Outcome<Copy> copy = r.copies().linear(to, from, bytes, kind);
    if (!copy) return std::unexpected(copy.error());
    CopyCall work{*copy, {}, asynchronous};
    void* const source = const_cast<void*>(from); // NOLINT: the parameter struct has no const
    work.parameters.dstPtr = {to, bytes, bytes, 1};
    work.parameters.srcPtr = {source, bytes, bytes, 1};
    work.parameters.extent = {bytes, 1, 1};
    work.parameters.kind = kind;
    return r.submit(stream, work);
}

Outcome<void> copyPitched(Runtime& r, void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                          std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                          bool asynchronous = true) {
    const Outcome<Copy> copy = r.copies().pitched(to, toPitch, from, fromPitch, width, height, kind);
    if (!copy) return std::unexpected(copy.error());
    CopyCall work{*copy, {}, asynchronous};
    void* const source = const_cast<void*>(from); // NOLINT: the parameter struct has no const
    work.parameters.dstPtr = {to, toPitch, width, height};
    work.parameters.srcPtr = {source, fromPitch, width, height};
    work.parameters.extent = {width, height, 1};
    work.parameters.kind = kind;
    return r.submit(stream, work);
}

Outcome<void> copyGeneral(Runtime& r, const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                          bool asynchronous = true) {
    if (parameters == nullptr) return fails(cudaErrorInvalidValue);
    const Outcome<Copy> copy = r.copies().general(*parameters);
    if (!copy) return std::unexpected(copy.error());
    return r.submit(stream, CopyCall{*copy, *parameters, asynchronous});
}

/// Address of `count` bytes from `offset` on in a variable.
Outcome<void*> inSymbol(Runtime& r, const void* symbol, std::size_t count, std::size_t offset) {
    const Outcome<Symbol*> found = r.modules().symbol(symbol);
    if (!found) return std::unexpected(found.error());
    if (offset > (*found)->bytes || count > (*found)->bytes - offset) return fails(cudaErrorInvalidValue);
    return reinterpret_cast<void*>((*found)->address + offset);
}

cudaMemcpy3DParms fromPeer(const cudaMemcpy3DPeerParms& peer) {
    cudaMemcpy3DParms parameters = {};
    parameters.srcArray = peer.srcArray;
    parameters.srcPos = peer.srcPos;
    parameters.srcPtr = peer.srcPtr;
    parameters.dstArray = peer.dstArray;
    parameters.dstPos = peer.dstPos;
    parameters.dstPtr = peer.dstPtr;
    parameters.extent = peer.extent;
    parameters.kind = cudaMemcpyDeviceToDevice;
    return parameters;
}

} // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return call([&](Runtime& r) { return copyLinear(r, to, from, bytes, kind, stream); });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return call([&](Runtime& r) {
        if (Outcome<void> ended = r.finish(*r.streams().defaultStream()); !ended) return ended;
        r.streams().hostWaitsFor(*r.streams().find(nullptr));
        return copyLinear(r, to, from, bytes, kind, nullptr, false);
    });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return call([&](Runtime& r) {
        return copyPitched(r, to, toPitch, from, fromPitch, width, height, kind, stream);
    });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return call([&](Runtime& r) {
        return copyPitched(r, to, toPitch, from, fromPitch, width, height, kind, nullptr, false);
    });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return call([&](Runtime& r) { return copyGeneral(r, parameters, stream); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return call([&](Runtime& r) { return copyGeneral(r, parameters, nullptr, false); });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (parameters == nullptr) return fails(cudaErrorInvalidValue);
        if (parameters->srcDevice != 0 || parameters->dstDevice != 0) return fails(cudaErrorInvalidDevice);
        const cudaMemcpy3DParms general = fromPeer(*parameters);
        return copyGeneral(r, &general, stream);
    });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
    return cudaMemcpy3DPeerAsync(parameters, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes,
                                cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (toDevice != 0 || fromDevice != 0) return fails(cudaErrorInvalidDevice);
        return copyLinear(r, to, from, bytes, cudaMemcpyDeviceToDevice, stream);
    });
}

cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, std::size_t bytes) {
    return cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<void*> to = inSymbol(r, symbol, count, offset);
        return to ? copyLinear(r, *to, from, count, kind, stream) : std::unexpected(to.error());
    });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t count, std::size_t offset,
                               cudaMemcpyKind kind) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<void*> to = inSymbol(r, symbol, count, offset);
        return to ? copyLinear(r, *to, from, count, kind, nullptr, false) : std::unexpected(to.error());
    });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<void*> from = inSymbol(r, symbol, count, offset);
        return from ? copyLinear(r, to, *from, count, kind, stream) : std::unexpected(from.error());
    });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t count, std::size_t offset,
                                 cudaMemcpyKind kind) {
    return call([&](Runtime& r) -> Outcome<void> {
        const Outcome<void*> from = inSymbol(r, symbol, count, offset);
        return from ? copyLinear(r, to, *from, count, kind, nullptr, false) : std::unexpected(from.error());
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaMemcpy, ptds);
DORMER_PER_THREAD(cudaMemcpyAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpy2D, ptds);
DORMER_PER_THREAD(cudaMemcpy2DAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpy3D, ptds);
DORMER_PER_THREAD(cudaMemcpy3DAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpy3DPeer, ptds);
DORMER_PER_THREAD(cudaMemcpy3DPeerAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpyToSymbol, ptds);
DORMER_PER_THREAD(cudaMemcpyToSymbolAsync, ptsz);
DORMER_PER_THREAD(cudaMemcpyFromSymbol, ptds);
DORMER_PER_THREAD(cudaMemcpyFromSymbolAsync, ptsz);
