// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sample_session.h"

#include "tests/support/sample_kernels.h"

#include <algorithm>
#include <cmath>

namespace dormer::tests {

using namespace session;

using namespace store;

namespace {

constexpr std::int64_t kStartUnixNs = 1'767'225'600'000'000'000; // 2026-01-01 00:00 UTC

Device h100() {
    Device device;
    device.name = "NVIDIA H100 80GB HBM3";
    device.chip = "GH100";
    device.uuid = "GPU-00000000-0000-0000-0000-000000000100";
    device.computeCapabilityMajor = 9;
    device.smCount = 132;
    device.smClockMaxHz = 1.98e9;
    device.memoryClockMaxHz = 2.619e9;
    device.memoryBusBits = 5120;
    device.memoryBytes = 85'017'493'504;
    device.l2Bytes = 52'428'800;
    device.sharedBytesPerSm = 233'472;
    device.sharedBytesPerBlockOptin = 232'448;
    device.reservedSharedBytesPerBlock = 1024;
    device.registersPerSm = 65'536;
    device.maxThreadsPerSm = 2048;
    device.maxBlocksPerSm = 32;
    device.driverVersion = "580.95.05";
    device.cudaDriverVersion = 13'000;
    return device;
}

void applyStart(Session& session) {
    Process process;
    process.pid = 4242;
    process.host = "gpu-node";
    process.program = "dormer-workloads";
    process.arguments = {"roofline/*", "vector_sum/*", "transpose/*", "histogram/*", "device_wide/*"};
    process.toolVersion = "0.1.0";
    process.startUnixNs = kStartUnixNs;
    process.counterSet = "memory";
    for (const auto& [name, value] : countersOf(sampleKernels().front(), 1, 1))
        process.counters.push_back(name);
    process.passes = 5;
    process.cacheControl = "flush";
    session.apply(ProcessStart{process});
    session.apply(h100());
    for (std::size_t i = 0; i < sampleKernels().size(); ++i) {
        const SampleKernel& from = sampleKernels()[i];
        Kernel kernel;
        kernel.id = i;
        kernel.name = from.name;
        kernel.mangledName = "_Z6kernel" + std::to_string(i);
        kernel.registersPerThread = from.registers;
        kernel.staticSharedBytes = from.staticSharedBytes;
        kernel.maxThreadsPerBlock = 1024;
        session.apply(kernel);
    }
}

Launch launchOf(const SampleKernel& from, std::uint64_t id, std::size_t kernel, std::int64_t startNs) {
    Launch launch;
    launch.id = id;
    launch.kernel = kernel;
    launch.grid = from.grid;
    launch.block = from.block;
    launch.stream = 7;
    launch.workload = from.workload;
    launch.nvtx = from.workload;
    launch.startNs = startNs;
    launch.blocksPerSm = from.blocksPerSm;
    return launch;
}

} // namespace

Session sampleSession() {
    Session session;
    applyStart(session);
    std::uint64_t id = 0;
    std::int64_t now = kStartUnixNs + 1'000'000'000;
    for (std::size_t i = 0; i < sampleKernels().size(); ++i) {
        const SampleKernel& from = sampleKernels()[i];
        const std::int64_t rangeStart = now;
        for (int k = 0; k < from.launches; ++k) {
            Launch launch = launchOf(from, id, i, now);
            launch.durationNs = from.durationNs * (1 + k / 100.0);
            const bool counted = !launch.workload.empty();
            if (!counted) launch.notCounted = "excluded by --kernels";
            session.apply(launch);
            if (counted) session.apply(LaunchCounters{id, countersOf(from, 1, *launch.durationNs), true});
            now += static_cast<std::int64_t>(*launch.durationNs) + 5000;
            ++id;
        }
        if (*from.workload != '\0') session.apply(NvtxRange{0, from.workload, rangeStart, now});
    }
    const auto expect = [&](const char* workload, const char* metric, const char* relation, double value,
                            double tolerance, const char* text, const char* why, bool gpuOnly) {
        session.apply(Expectation{workload, "", metric, relation, value, tolerance, text, why, gpuOnly});
    };
    expect("roofline/vector_add", "flops_fp32", "==", 1 << 24, 0, "", "one addition an element", false);
    expect("roofline/vector_add", "arithmetic_intensity_dram_fp32", "~", 1.0 / 12, 0.02, "",
           "1 FLOP for 12 bytes", true);
    expect("vector_sum/coalesced", "global_load_sectors_per_request", "==", 4, 0, "",
           "32 neighbouring floats fill 4 sectors", false);
    expect("vector_sum/uncoalesced", "global_load_sectors_per_request", "==", 32, 0, "",
           "each lane touches a sector of its own", false);
    expect("transpose/tiled_padded", "verdict", "verdict", 0, 0, "memory", "a copy is bound by DRAM", true);
    session.apply(Check{"roofline/vector_add", true, "16777216 sums equal"});
    session.apply(Check{"transpose/tiled", true, "16777216 elements equal"});
    session.apply(Note{0, "clocks-not-locked", "clocks were not locked: compare times with care"});
    session.apply(ProcessEnd{0, std::nullopt});
    return session;
}

Session generatedSession(std::size_t launches) {
    Session session;
    applyStart(session);
    std::uint64_t state =
        88172645463325252ULL; // xorshift64: the same everywhere, unlike <random>'s distributions
    const auto random = [&] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    std::int64_t now = kStartUnixNs + 1'000'000'000;
    for (std::size_t id = 0; id < launches; ++id) {
        const std::size_t i = id % sampleKernels().size();
        const SampleKernel& from = sampleKernels()[i];
        // A sixteenth to four times the work, in steps of two as sizes are; time follows, with some noise.
        const double scale = std::exp2(std::floor(random() * 7) - 4);
        Launch launch = launchOf(from, id, i, now);
        launch.grid.x = std::max(1U, static_cast<std::uint32_t>(from.grid.x * scale));
        launch.durationNs = std::round(2000 + from.durationNs * scale * (1 + 0.1 * random()));
        session.apply(launch);
        session.apply(LaunchCounters{id, countersOf(from, scale, *launch.durationNs), true});
        now += static_cast<std::int64_t>(*launch.durationNs) + 5000;
    }
    session.apply(ProcessEnd{0, std::nullopt});
    return session;
}

} // namespace dormer::tests
