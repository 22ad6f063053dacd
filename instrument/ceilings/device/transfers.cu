// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"
#include "instrument/ceilings/device/host_thread.h"

#include <memory>
#include <vector>

namespace dormer::instrument::ceilings {

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;
constexpr std::size_t kPieceBytes = std::size_t{8} << 20;

struct FreeHost {
    void operator()(std::uint32_t* data) const { cudaFreeHost(data); }
};
using PinnedWords = std::unique_ptr<std::uint32_t[], FreeHost>;

PinnedWords pinned() {
    void* data = nullptr;
    CEILINGS_CUDA(cudaMallocHost(&data, kBytes));
    return PinnedWords(static_cast<std::uint32_t*>(data));
}

void fillPattern(std::uint32_t* words) {
    for (std::size_t i = 0; i < kBytes / 4; ++i)
        words[i] = static_cast<std::uint32_t>(i) * kPattern;
}

bool holdsPattern(const std::uint32_t* words) {
    for (std::size_t i = 0; i < kBytes / 4; ++i)
        if (words[i] != static_cast<std::uint32_t>(i) * kPattern) return false;
    return true;
}

/// One direction of host memory: `host` holds the pattern, or gets it from the device.
Candidate copies(std::uint32_t* host, std::uint32_t* device, bool toDevice) {
    Candidate candidate;
    candidate.name = "64 MiB per call";
    candidate.workPerRound = static_cast<double>(kBytes);
    candidate.fixedRounds = 1;
    candidate.launch = [=](int, ClockReading*) {
        CEILINGS_CUDA(toDevice ? cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice)
                               : cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost));
    };
    candidate.check = [=](int) {
        if (!toDevice) return holdsPattern(host);
        std::vector<std::uint32_t> back(kBytes / 4);
        CEILINGS_CUDA(cudaMemcpy(back.data(), device, kBytes, cudaMemcpyDeviceToHost));
        return holdsPattern(back.data());
    };
    return candidate;
}

/// Memory that the CPU of each candidate touches first, so that it lies beside it, in copies of 8 MiB: many
/// of them tell a pause of the host from its pace.
Measurement measurePageable(Bench& bench, const char* resource, const char* method,
                            std::vector<std::uint32_t>& host, std::uint32_t* device, bool toDevice) {
    constexpr std::size_t kPieceWords = kPieceBytes / 4, kPieces = kBytes / kPieceBytes;
    std::size_t next = 0;
    Candidate candidate;
    candidate.name = "8 MiB per call";
    candidate.workPerRound = static_cast<double>(kPieceBytes);
    candidate.fixedRounds = 1;
    candidate.prepare = [&host, toDevice] {
        host = {}; // gives the pages back
        host.resize(kBytes / 4);
        if (toDevice) fillPattern(host.data());
    };
    // One piece after the other: a piece alone would stay in the CPU's caches.
    const auto copy = [&host, &next, device, toDevice] {
        const std::size_t at = kPieceWords * (next++ % kPieces);
        CEILINGS_CUDA(
            toDevice ? cudaMemcpyAsync(device + at, host.data() + at, kPieceBytes, cudaMemcpyHostToDevice)
                     : cudaMemcpyAsync(host.data() + at, device + at, kPieceBytes, cudaMemcpyDeviceToHost));
    };
    candidate.launch = [copy](int, ClockReading*) { copy(); };
    candidate.check = [&host, copy, device, toDevice](int) {
        for (std::size_t i = 0; i < kPieces; ++i)
            copy();
        CEILINGS_CUDA(cudaDeviceSynchronize());
        if (!toDevice) return holdsPattern(host.data());
        std::vector<std::uint32_t> back(kBytes / 4);
        CEILINGS_CUDA(cudaMemcpy(back.data(), device, kBytes, cudaMemcpyDeviceToHost));
        return holdsPattern(back.data());
    };
    const HostThread thread;
    return bench.fastestOfHost(resource, method, thread.onSomeCpus(candidate), 0.3);
}

/// What the call of a copy costs: of 1 kB from pageable memory, which returns when the data is taken.
Measurement measureSmallCopies(Bench& bench, std::uint32_t* device) {
    constexpr int kCalls = 200;
    constexpr std::size_t kWords = 250;
    std::vector<std::uint32_t> host(kWords), back(kWords);
    for (std::size_t i = 0; i < kWords; ++i)
        host[i] = ~static_cast<std::uint32_t>(i) * kPattern;
    Candidate candidate;
    candidate.name = "200 in a row";
    candidate.workPerRound = kCalls;
    candidate.fixedRounds = 1;
    candidate.launch = [&host, device](int, ClockReading*) {
        for (int i = 0; i < kCalls; ++i)
            CEILINGS_CUDA(cudaMemcpy(device, host.data(), 4 * kWords, cudaMemcpyHostToDevice));
    };
    candidate.check = [&host, &back, device](int) {
        CEILINGS_CUDA(cudaMemcpy(back.data(), device, 4 * kWords, cudaMemcpyDeviceToHost));
        return back == host;
    };
    const HostThread thread;
    return bench.fastestOfHost("small_copies", "cudaMemcpy of 1 kB from pageable memory",
                               thread.onSomeCpus(candidate), 0.3);
}

/// To the next device that this one can reach without the host.
void measurePeer(Bench& bench, std::uint32_t* from, std::vector<Measurement>& found) {
    int devices = 0;
    CEILINGS_CUDA(cudaGetDeviceCount(&devices));
    for (int other = 0; other < devices; ++other) {
        int reachable = 0;
        if (other == bench.device()) continue;
        CEILINGS_CUDA(cudaDeviceCanAccessPeer(&reachable, bench.device(), other));
        if (reachable == 0) continue;
        CEILINGS_CUDA(cudaSetDevice(other));
        auto target = std::make_unique<Buffer<std::uint32_t>>(kBytes / 4);
        CEILINGS_CUDA(cudaSetDevice(bench.device()));
        if (const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
            enabled != cudaErrorPeerAccessAlreadyEnabled)
            CEILINGS_CUDA(enabled);
        else
            (void)cudaGetLastError(); // it stays as the last error otherwise
        Candidate candidate;
        candidate.name = "64 MiB per call to device " + std::to_string(other);
        candidate.workPerRound = static_cast<double>(kBytes);
        candidate.fixedRounds = 1;
        candidate.launch = [&, other](int, ClockReading*) {
            CEILINGS_CUDA(cudaMemcpyPeerAsync(target->data(), other, from, bench.device(), kBytes));
        };
        candidate.check = [&](int) {
            std::vector<std::uint32_t> back(kBytes / 4);
            CEILINGS_CUDA(cudaMemcpy(back.data(), target->data(), kBytes, cudaMemcpyDeviceToHost));
            return holdsPattern(back.data());
        };
        found.push_back(bench.fastest("peer", "cudaMemcpyPeer", {candidate}));
        return;
    }
}

} // namespace

void measureTransfers(Bench& bench, std::vector<Measurement>& found) {
    const Buffer<std::uint32_t> device(kBytes / 4);
    const PinnedWords source = pinned(), target = pinned();
    fillPattern(source.get());
    found.push_back(bench.fastest("host_to_device", "from page-locked memory",
                                  {copies(source.get(), device.data(), true)}));
    found.push_back(bench.fastest("device_to_host", "to page-locked memory",
                                  {copies(target.get(), device.data(), false)}));
    measurePeer(bench, device.data(), found);
}

void measureHostCopies(Bench& bench, std::vector<Measurement>& found) {
    const Buffer<std::uint32_t> device(kBytes / 4);
    std::vector<std::uint32_t> pageable;
    found.push_back(measurePageable(bench, "host_to_device_pageable", "from pageable memory", pageable,
                                    device.data(), true));
    found.push_back(measurePageable(bench, "device_to_host_pageable", "to pageable memory", pageable,
                                    device.data(), false));
    found.push_back(measureSmallCopies(bench, device.data()));
}

} // namespace dormer::instrument::ceilings
