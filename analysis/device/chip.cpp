// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/chip.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace dormer::device {

namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;

// CUDA Programming Guide 13.1, section 5.1, and cuda_occupancy.h of CUDA 13.0.
constexpr std::uint32_t kCarveouts70[] = {0, 8, 16, 32, 64, 96};
constexpr std::uint32_t kCarveouts75[] = {32, 64};
constexpr std::uint32_t kCarveouts80[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr std::uint32_t kCarveouts86[] = {0, 8, 16, 32, 64, 100};
constexpr std::uint32_t kCarveouts90[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

/// Sets what follows from the compute capability: CUDA Programming Guide 13.1, tables 29-33;
/// cuda_occupancy.h of CUDA 13.0; load/store units and tensor cores by NVIDIA's whitepapers.
void setArchitecture(Chip& chip, int major, int minor) {
    struct Limits {
        int major, minor;
        std::uint32_t threads, blocks;
        std::uint64_t sharedKiB, optinKiB, reserved, unifiedKiB;
        std::span<const std::uint32_t> carveouts;
        double lsuBytes;
    };
    static constexpr Limits kLimits[] = {
        {7, 0, 2048, 32, 96, 96, 0, 128, kCarveouts70, 128},
        {7, 5, 1024, 16, 64, 64, 0, 96, kCarveouts75, 64},
        {8, 0, 2048, 32, 164, 163, 1024, 192, kCarveouts80, 128},
        {8, 6, 1536, 16, 100, 99, 1024, 128, kCarveouts86, 64},
        {8, 9, 1536, 24, 100, 99, 1024, 128, kCarveouts86, 64},
        {9, 0, 2048, 32, 228, 227, 1024, 256, kCarveouts90, 128},
    };
    for (const Limits& limits : kLimits) {
        if (limits.major != major || limits.minor != minor) continue;
        chip.device.computeCapabilityMajor = major;
        chip.device.computeCapabilityMinor = minor;
        chip.device.maxThreadsPerSm = limits.threads;
        chip.device.maxBlocksPerSm = limits.blocks;
        chip.device.sharedBytesPerSm = limits.sharedKiB * kKiB;
        chip.device.sharedBytesPerBlockOptin = limits.optinKiB * kKiB;
        chip.device.reservedSharedBytesPerBlock = limits.reserved;
        chip.device.registersPerSm = 65536;
        chip.maxWarpsPerSm = limits.threads / 32;
        chip.unifiedL1Bytes = limits.unifiedKiB * kKiB;
        chip.carveoutsKiB = limits.carveouts;
        chip.lsuBytesPerClock = limits.lsuBytes;
    }
}

struct Identity {
    std::string_view key, name, cuptiName;
    int major, minor, smCount;
    double smClockMaxHz, memoryClockMaxHz;
    std::int32_t memoryBusBits;
    std::uint64_t memoryBytes, l2Bytes;
};

Chip chipOf(const Identity& identity) {
    Chip chip;
    chip.key = identity.key;
    chip.device.name = std::string(identity.name) + " (emulated)";
    chip.device.chip = identity.cuptiName;
    chip.device.smCount = identity.smCount;
    chip.device.smClockMaxHz = identity.smClockMaxHz;
    chip.device.memoryClockMaxHz = identity.memoryClockMaxHz;
    chip.device.memoryBusBits = identity.memoryBusBits;
    chip.device.memoryBytes = identity.memoryBytes;
    chip.device.l2Bytes = identity.l2Bytes;
    chip.l2ClockHz = identity.smClockMaxHz;
    setArchitecture(chip, identity.major, identity.minor);
    return chip;
}

Chip v100() {
    Chip chip = chipOf(
        {"V100", "Tesla V100-SXM2-16GB", "GV100", 7, 0, 80, 1.53e9, 0.877e9, 4096, 16384 * kMiB, 6 * kMiB});
    chip.l1HitCycles = 28, chip.sharedCycles = 19, chip.l2HitCycles = 193, chip.dramCycles = 430;
    chip.l2BytesPerClock = 1768, chip.l2TagsPerClock = 64;
    chip.dramEfficiency = 0.91;
    chip.sources =
        "deviceQuery; NVIDIA V100 whitepaper (64 L2 slices of 32 bytes per clock); latencies by arXiv "
        "1804.06826; L2 1768 bytes per clock and DRAM 866 (read), 814 GB/s (triad) by gpu-benches";
    chip.assumptions = "L2 clock as the SM clock; memory size nominal";
    return chip;
}

Chip t4() {
    Chip chip = chipOf({"T4", "Tesla T4", "TU104", 7, 5, 40, 1.59e9, 5.001e9, 256, 16384 * kMiB, 4 * kMiB});
    chip.l1HitCycles = 32, chip.sharedCycles = 26, chip.l2HitCycles = 234, chip.dramCycles = 500;
    chip.l2BytesPerClock = 884, chip.l2TagsPerClock = 32;
    chip.dramEfficiency = 0.72;
    chip.fp64Latency = 50;
    chip.sources =
        "deviceQuery; L1 latency and DRAM 220 GB/s by arXiv 1903.07486, 240 GB/s by bandwidthTest; "
        "shared 23-30 and L2 231-236 cycles measured on other TU10x; FP64 by Mesa's latency tables";
    chip.assumptions =
        "L2 bytes per clock per SM as V100's; 32 L2 slices; DRAM 500 cycles; L2 clock as the SM "
        "clock; memory size nominal. The chip rarely holds its maximum clock under 70 W";
    return chip;
}

Chip a100(std::string_view key, std::string_view name, double memoryClockHz, std::uint64_t memoryBytes,
          double dramEfficiency) {
    Chip chip = chipOf({key, name, "GA100", 8, 0, 108, 1.41e9, memoryClockHz, 5120, memoryBytes, 40 * kMiB});
    chip.l1HitCycles = 33, chip.sharedCycles = 29, chip.l2HitCycles = 208, chip.l2FarCycles = 410;
    chip.dramCycles = 570;
    chip.l2BytesPerClock = 3830, chip.l2TagsPerClock = 80, chip.l2Partitions = 2;
    chip.dramEfficiency = dramEfficiency;
    chip.sources = "deviceQuery; NVIDIA A100 whitepaper (80 L2 slices of 64 bytes per clock); latencies by "
                   "Nvidia-Hopper-Benchmark and gpu-benches; L2 5400 GB/s and DRAM (40 GB: read 1490, triad "
                   "1360; 80 GB: read 1769, triad 1759 GB/s) by gpu-benches";
    chip.assumptions = "L2 clock as the SM clock; memory size nominal";
    return chip;
}

Chip rtx3090() {
    Chip chip = chipOf({"RTX3090", "NVIDIA GeForce RTX 3090", "GA102", 8, 6, 82, 1.695e9, 9.751e9, 384,
                        24576 * kMiB, 6 * kMiB});
    chip.l1HitCycles = 34, chip.sharedCycles = 26, chip.l2HitCycles = 285, chip.dramCycles = 571;
    chip.l2BytesPerClock = 1102, chip.l2TagsPerClock = 48;
    chip.dramEfficiency = 0.91;
    chip.fp64Latency = 50;
    chip.sources = "NVIDIA GA102 whitepaper; L1 29-39 and shared 23-29 cycles by arXiv 2503.20481 and "
                   "Accel-Sim's RTX 3070";
    chip.assumptions =
        "L2 and DRAM latency, L2 bytes per clock per SM and DRAM efficiency as RTX 4090's; 48 L2 "
        "slices; FP64 latency as Turing's; L2 clock as the SM clock; boost clock as maximum";
    return chip;
}

Chip rtx4090() {
    Chip chip = chipOf({"RTX4090", "NVIDIA GeForce RTX 4090", "AD102", 8, 9, 128, 2.52e9, 10.501e9, 384,
                        24576 * kMiB, 72 * kMiB});
    chip.l1HitCycles = 34, chip.sharedCycles = 30, chip.l2HitCycles = 285, chip.dramCycles = 571;
    chip.l2BytesPerClock = 1720, chip.l2TagsPerClock = 96;
    chip.dramEfficiency = 0.91;
    chip.fp64Latency = 50;
    chip.sources =
        "NVIDIA Ada whitepaper; latencies by Nvidia-Hopper-Benchmark and arXiv 2501.12084; L2 1720 "
        "bytes per clock and DRAM 930 GB/s by arXiv 2402.13499, copy 918-924 GB/s";
    chip.assumptions = "96 L2 slices; FP64 latency as Turing's; L2 clock as the SM clock; boost clock as "
                       "maximum";
    return chip;
}

/// H100 and H200 differ in memory and L2 only.
Chip hopper(const Identity& identity) {
    Chip chip = chipOf(identity);
    chip.l1HitCycles = 40, chip.sharedCycles = 29, chip.l2HitCycles = 276, chip.l2FarCycles = 540;
    chip.dramCycles = 635;
    chip.l2BytesPerClock = 3960, chip.l2Partitions = 2;
    chip.l2ClockHz = 1.707e9;
    return chip;
}

Chip h100() {
    Chip chip = hopper(
        {"H100", "NVIDIA H100 80GB HBM3", "GH100", 9, 0, 132, 1.98e9, 2.619e9, 5120, 85017493504, 50 * kMiB});
    chip.l2TagsPerClock = 80, chip.l2SectorsPerClock = 240;
    chip.dramEfficiency = 0.93;
    chip.sources =
        "attributes, L2 clock and L2 peaks recorded on one (samples/h100-basics.dormer), DRAM 3.11 "
        "TB/s there; L1, L2 and DRAM latency by markdewing/AI_kernels, shared by "
        "Nvidia-Hopper-Benchmark; L2 3960 bytes per clock measured on H100 PCIe by gpu-benches";
    chip.assumptions = "L2 bytes per clock as H100 PCIe's";
    return chip;
}

Chip h200() {
    Chip chip =
        hopper({"H200", "NVIDIA H200", "GH100", 9, 0, 132, 1.98e9, 3.201e9, 6016, 141000000000, 60 * kMiB});
    chip.l2TagsPerClock = 94, chip.l2SectorsPerClock = 282;
    chip.dramEfficiency = 0.91;
    chip.sources =
        "attributes, L2 clock and L2 peaks from Nsight Compute reports of one; DRAM triad 4.18, dot "
        "4.57 TB/s by the Azure AI benchmarking guide";
    chip.assumptions = "latencies and L2 bytes per clock as H100's; memory size nominal";
    return chip;
}

bool sameKey(std::string_view a, std::string_view b) {
    const auto plain = [](std::string_view text) {
        std::string result;
        for (const char c : text)
            if (c != ' ' && c != '-' && c != '_')
                result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return result;
    };
    return plain(a) == plain(b);
}

} // namespace

std::span<const Chip> chips() {
    static const std::vector<Chip> all = {
        v100(),
        t4(),
        a100("A100", "NVIDIA A100-SXM4-40GB", 1.215e9, 40960 * kMiB, 0.87),
        a100("A100-80", "NVIDIA A100-SXM4-80GB", 1.593e9, 81920 * kMiB, 0.86),
        rtx3090(),
        rtx4090(),
        h100(),
        h200(),
    };
    return all;
}

const Chip* findChip(std::string_view key) {
    const auto found =
        std::ranges::find_if(chips(), [&](const Chip& chip) { return sameKey(chip.key, key); });
    return found == chips().end() ? nullptr : &*found;
}

std::uint64_t carveoutBytes(const Chip& chip, std::uint64_t sharedBytes) {
    for (const std::uint32_t size : chip.carveoutsKiB)
        if (size * kKiB >= sharedBytes) return size * kKiB;
    return chip.carveoutsKiB.empty() ? 0 : chip.carveoutsKiB.back() * kKiB;
}

std::uint64_t l1Bytes(const Chip& chip, std::uint64_t sharedBytes) {
    return chip.unifiedL1Bytes - carveoutBytes(chip, sharedBytes);
}

} // namespace dormer::device
