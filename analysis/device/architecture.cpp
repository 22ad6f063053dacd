// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/architecture.h"

#include <algorithm>
#include <array>

namespace dormer::device {

namespace {

constexpr std::string_view kGuide =
    "CUDA C++ Programming Guide, throughput of native arithmetic instructions";
// The guide's table says 256 half-precision results for 8.6; the GA102 whitepaper's 35.6 TFLOP/s (its FP32
// rate) and measurements say 128.
constexpr std::string_view kGuideAndGa102 = "CUDA C++ Programming Guide, throughput of native arithmetic "
                                            "instructions; FP16 by NVIDIA's GA102 whitepaper";
constexpr std::string_view kGuide130 = "CUDA C++ Programming Guide 13, throughput of native arithmetic "
                                       "instructions; integer rate by OpenXLA's table "
                                       "of NVIDIA core counts";
constexpr std::string_view kVoltaCache = "NVIDIA V100 whitepaper; measured 125.5 (gpu-benches)";
constexpr std::string_view kTuringCache = "NVIDIA Turing whitepaper";
constexpr std::string_view kAmpereCache = "NVIDIA A100 whitepaper; measured 125.4 (gpu-benches)";
constexpr std::string_view kGa102Cache = "NVIDIA GA102 whitepaper";
constexpr std::string_view kAdaCache = "measured 121 for 16-byte loads (arXiv 2402.13499)";
constexpr std::string_view kHopperCache =
    "peak of l1tex__lsu_writeback_bytes on GH100; measured 126.0 (gpu-benches)";
constexpr std::string_view kV100 = "NVIDIA V100 whitepaper", kA100 = "NVIDIA A100 whitepaper";
constexpr std::string_view kBanks = "32 banks of 4 bytes (CUDA C++ Programming Guide)";

// The whitepapers of each chip. On GeForce chips FP32 sums halve the rate of FP16 matrices, and FP8 is stated
// with FP16 sums. An H100's 989 TFLOP/s and a B200's 2.2 PFLOP/s hold at 1.83 GHz, not at the maximum clock.
constexpr TensorRates kTensor70{{512, 0, 0, 0, 0, 0}, 1, 1};
constexpr TensorRates kTensor75{{512, 0, 0, 0, 0, 1024}, 1, 1};
constexpr TensorRates kTensor80{{1024, 1024, 512, 64, 0, 2048}, 1, 1};
constexpr TensorRates kTensor86{{256, 256, 128, 0, 0, 1024}, 2, 1};
constexpr TensorRates kTensor89{{256, 256, 128, 0, 1024, 1024}, 2, 1};
constexpr TensorRates kTensor90{{2048, 2048, 1024, 128, 4096, 4096}, 1, 0.924};
constexpr TensorRates kTensor100{{4096, 4096, 2048, 64, 8192, 8192}, 1, 0.934};

// An FP32:FP64 ratio of 64 means 2 FP64 results, and so on: NVIDIA's own ratio row agrees with these.
// L1 of compute capability 10.0 and 12.0 has no published or measured figure, so it has no ceiling.
constexpr auto kArchitectures = std::to_array<Architecture>({
    {7, 0, 64, 32, 128, 64, 64, 4, kTensor70, 128, 128, 32, 96 * 1024, kGuide, kVoltaCache, kV100},
    {7, 5, 64, 2, 128, 64, 64, 4, kTensor75, 64, 64, 0, 0, kGuide, kTuringCache, {}},
    {8, 0, 64, 32, 256, 64, 64, 4, kTensor80, 128, 128, 64, 512 * 1024, kGuide, kAmpereCache, kA100},
    {8, 6, 128, 2, 128, 64, 64, 4, kTensor86, 128, 128, 0, 0, kGuideAndGa102, kGa102Cache, {}},
    {8, 9, 128, 2, 128, 64, 64, 4, kTensor89, 128, 128, 0, 0, kGuide, kAdaCache, {}},
    {9, 0, 128, 64, 256, 64, 64, 4, kTensor90, 128, 128, 0, 0, kGuide, kHopperCache, {}},
    {10, 0, 128, 64, 128, 64, 64, 4, kTensor100, 0, 128, 0, 0, kGuide130, kBanks, {}},
    {12, 0, 128, 2, 128, 128, 64, 4, kTensor89, 0, 128, 0, 0, kGuide, kBanks, {}},
});

} // namespace

std::span<const Architecture> architectures() {
    return kArchitectures;
}

const Architecture* architectureOf(const session::Device& device) {
    const auto found = std::ranges::find_if(kArchitectures, [&](const Architecture& architecture) {
        return architecture.computeCapabilityMajor == device.computeCapabilityMajor &&
               architecture.computeCapabilityMinor == device.computeCapabilityMinor;
    });
    return found == kArchitectures.end() ? nullptr : &*found;
}

Clocks maximumClocks(const session::Device& device) {
    const Architecture* architecture = architectureOf(device);
    return {.smHz = device.smClockMaxHz,
            .tensorHz = device.smClockMaxHz * (architecture != nullptr ? architecture->tensor.clock : 1),
            .memoryHz = device.memoryClockMaxHz};
}

double memoryClockDuring(const session::Device& device, std::optional<double> dramCyclesPerSecond) {
    // On HBM chips the counter's clock is the memory clock (H200: 3.20 GHz both, 2 x 6016 bits a cycle).
    // Elsewhere it may count another clock of the memory; outside this window nothing can be concluded.
    if (!dramCyclesPerSecond || device.memoryClockMaxHz <= 0) return device.memoryClockMaxHz;
    const double ratio = *dramCyclesPerSecond / device.memoryClockMaxHz;
    return ratio > 0.9 && ratio < 1.02 ? *dramCyclesPerSecond : device.memoryClockMaxHz;
}

double peakPerSecond(const session::Device& device, const Architecture* architecture, Resource resource,
                     const Clocks& clocks) {
    if (resource == Resource::Dram) // data moves on both edges of the memory clock
        return 2 * clocks.memoryHz * device.memoryBusBits / 8;
    if (resource == Resource::L2 && clocks.l2SectorsPerClock > 0 && clocks.l2Hz > 0)
        return clocks.l2SectorsPerClock * 32 * clocks.l2Hz;
    if (architecture == nullptr) return 0;
    const double smClocks = device.smCount * clocks.smHz;
    switch (resource) {
    case Resource::L2: // the L2 clock is close to the SM clock on the chips with a published figure
        return architecture->l2SliceBytes > 0
                   ? architecture->l2BytesPerSlice *
                         (static_cast<double>(device.l2Bytes) / architecture->l2SliceBytes) * clocks.smHz
                   : 0;
    case Resource::L1:
        return architecture->l1Bytes * smClocks;
    case Resource::Shared:
        return architecture->sharedBytes * smClocks;
    case Resource::Fp32:
        return 2 * architecture->fp32 * smClocks;
    case Resource::Fp64:
        return 2 * architecture->fp64 * smClocks;
    case Resource::Fp16:
        return 2 * architecture->fp16 * smClocks;
    case Resource::Tensor:
        return tensorPeakPerSecond(device, *architecture, TensorFormat::Fp16, clocks);
    case Resource::Integer:
        return architecture->int32Add * smClocks;
    case Resource::IssueSlots:
        return architecture->warpIssues * smClocks;
    case Resource::Dram:
        break;
    }
    return 0;
}

double tensorPeakPerSecond(const session::Device& device, const Architecture& architecture,
                           TensorFormat format, const Clocks& clocks) {
    // FP64 rates are stated at the maximum clock, as those of the FP64 pipe.
    const double clock = format == TensorFormat::Fp64 ? clocks.smHz : clocks.tensorHz;
    return 2 * architecture.tensor.perClock[static_cast<std::size_t>(format)] * device.smCount * clock;
}

double upperBoundFactor(const Architecture* architecture, Resource resource) {
    if (resource != Resource::Integer || architecture == nullptr) return 1;
    return (architecture->int32Add + architecture->int32Mad) / architecture->int32Add;
}

} // namespace dormer::device
