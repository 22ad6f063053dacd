// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/device_code.cuh"

#include <memory>
#include <vector>

namespace dormer::instrument::ceilings {

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

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
Measurement measure(Bench& bench, const char* resource, const char* method, std::uint32_t* host,
                    std::uint32_t* device, bool toDevice) {
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
    return bench.fastest(resource, method, {candidate});
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
    std::vector<std::uint32_t> pageable(kBytes / 4), back(kBytes / 4);
    fillPattern(source.get());
    fillPattern(pageable.data());
    found.push_back(
        measure(bench, "host_to_device", "from page-locked memory", source.get(), device.data(), true));
    found.push_back(
        measure(bench, "device_to_host", "to page-locked memory", target.get(), device.data(), false));
    found.push_back(measure(bench, "host_to_device_pageable", "from pageable memory", pageable.data(),
                            device.data(), true));
    found.push_back(
        measure(bench, "device_to_host_pageable", "to pageable memory", back.data(), device.data(), false));
    measurePeer(bench, device.data(), found);
}

} // namespace dormer::instrument::ceilings
