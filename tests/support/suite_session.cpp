// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite_session.h"

#include "tests/support/sample_kernels.h"
#include "tests/support/sample_session.h"

#include <array>
#include <cmath>

namespace dormer::tests {

using namespace session;

namespace {

/// Adds launches of one more kernel to a session.
class Adder {
public:
    explicit Adder(Session& session) : m_session(session) {
        Kernel kernel;
        kernel.id = kKernel;
        kernel.name = "void madeUpKernel(float const*, float*)";
        kernel.registersPerThread = 24;
        session.apply(kernel);
    }

    void workload(const std::string& path, const std::string& title, const std::string& shows,
                  std::vector<std::string> parameters, const std::string& sweep) {
        Workload told;
        told.workload = path;
        told.title = title;
        told.shows = shows;
        told.parameters = std::move(parameters);
        told.sweep = sweep;
        m_session.apply(told);
    }

    void launch(const std::string& path, double durationNs, double sectorsPerRequest,
                std::optional<std::uint64_t> graphNode = {}) {
        Launch launch;
        launch.id = m_session.launches().size();
        launch.kernel = kKernel;
        launch.grid = {1024, 1, 1};
        launch.block = {256, 1, 1};
        launch.stream = 7;
        launch.workload = path;
        launch.nvtx = path;
        launch.startNs = 1'767'225'602'000'000'000 + static_cast<std::int64_t>(launch.id) * 1'000'000;
        launch.durationNs = durationNs;
        launch.blocksPerSm = 8;
        launch.graphNode = graphNode;
        m_session.apply(launch);
        SampleKernel counted{};
        constexpr double kRequests = 8192;
        counted.loadRequests = counted.storeRequests = kRequests;
        counted.loadSectors = kRequests * sectorsPerRequest;
        counted.storeSectors = kRequests * 4;
        counted.loadBytes = counted.storeBytes = kRequests * 128;
        counted.dramReadBytes = counted.loadSectors * 32;
        counted.dramWriteBytes = counted.storeSectors * 32;
        counted.fadd = kRequests * 32;
        counted.warpInstructions = kRequests * 12;
        counted.warpsActivePercent = 80;
        m_session.apply(LaunchCounters{launch.id, countersOf(counted, 1, durationNs), true});
    }

private:
    static constexpr std::uint64_t kKernel = 1000;
    Session& m_session;
};

void addOffsets(Session& session, Adder& add) {
    session.apply(Sweep{.name = "access/offset",
                        .title = "Loads that begin K elements off",
                        .parameters = {"offset"},
                        .metrics = {"global_load_sectors_per_request", "duration_ns"},
                        .best = "lowest"});
    for (int k = 0; k <= 32; ++k) {
        const std::string path = "access/offset/" + std::to_string(k);
        const double sectors = k % 8 == 0 ? 4 : 5;
        add.workload(path, "One warp, one pattern", "loads begin " + std::to_string(k) + " elements off",
                     {"size=262144", "offset=" + std::to_string(k)}, "access/offset");
        add.launch(path, 5000 * sectors, sectors);
    }
}

void addTuning(Session& session, Adder& add) {
    session.apply(Sweep{.name = "tile_scan/tuning",
                        .title = "Tile scan: block, items and load",
                        .parameters = {"threads", "items", "load"},
                        .metrics = {"duration_ns", "dram_bytes_per_second"},
                        .best = "lowest"});
    const std::array loads{"direct", "transpose", "vectorize", "warp"};
    for (const int threads : {64, 128, 256})
        for (int log = 0; log <= 5; ++log)
            for (std::size_t load = 0; load < loads.size(); ++load) {
                const int items = 1 << log;
                const std::string name =
                    std::to_string(threads) + "x" + std::to_string(items) + "x" + loads[load];
                add.workload("tile_scan/" + name, "Tiled prefix sum", "one point of the tuning",
                             {"threads=" + std::to_string(threads), "items=" + std::to_string(items),
                              std::string("load=") + loads[load]},
                             "tile_scan/tuning");
                add.launch("tile_scan/" + name,
                           10000 * (256.0 / threads + std::abs(log - 3) + static_cast<double>(load)), 4);
            }
}

void addZeroCopy(Session& session, Adder& add) {
    session.apply(Sweep{.name = "zero_copy/elements",
                        .title = "Vector sum over mapped host memory",
                        .parameters = {"memory", "elements"},
                        .metrics = {"duration_ns"},
                        .best = ""});
    for (const std::string memory : {"device", "mapped"})
        for (int log = 10; log <= 25; log += 3) {
            const std::string elements = std::to_string(1 << log);
            const std::string path = "zero_copy/" + memory + "/" + elements;
            add.workload(path, "Kernels that reach into host memory", "vector sum",
                         {"memory=" + memory, "elements=" + elements}, "zero_copy/elements");
            add.launch(path, 1000 + (memory == "device" ? 0.001 : 0.02) * (1 << log), 4);
        }
}

void addTransfers(Session& session, bool timed) {
    constexpr std::uint64_t kBytes = 64'000'000;
    const auto copy = [&](const char* workload, MemoryKind memory, bool toDevice, std::uint64_t count,
                          std::uint64_t bytes, double durationNs, double callNs) {
        Transfer transfer;
        transfer.kind = TransferKind::Copy;
        transfer.direction = toDevice ? TransferDirection::HostToDevice : TransferDirection::DeviceToHost;
        transfer.source = toDevice ? memory : MemoryKind::Device;
        transfer.destination = toDevice ? MemoryKind::Device : memory;
        transfer.count = count;
        transfer.bytes = bytes;
        if (timed) {
            transfer.durationNs = durationNs;
            transfer.callNs = callNs;
        }
        transfer.workload = workload;
        transfer.nvtx = workload;
        session.apply(transfer);
    };
    for (int repeat = 0; repeat < 2; ++repeat) {
        copy("transfer/pageable", MemoryKind::Pageable, true, 1, kBytes, 8e6, 9e6);
        copy("transfer/pinned", MemoryKind::Pinned, true, 1, kBytes, 64e6 / 24, 3e6);
    }
    copy("transfer/pinned", MemoryKind::Pinned, false, 1, kBytes, 64e6 / 20, 4e6);
    copy("transfer/fragmented/1000", MemoryKind::Pageable, true, 1000, kBytes, 16e6, 64e6);
    const auto moved = [&](TransferKind kind, TransferDirection direction, std::uint64_t count,
                           std::uint64_t bytes, std::optional<double> durationNs) {
        Transfer transfer;
        transfer.kind = kind;
        transfer.direction = direction;
        transfer.source = transfer.destination = MemoryKind::Managed;
        transfer.count = count;
        transfer.bytes = bytes;
        transfer.durationNs = durationNs;
        transfer.workload = "managed/on_demand";
        session.apply(transfer);
    };
    if (timed) {
        moved(TransferKind::Migration, TransferDirection::HostToDevice, 128, 16'000'000, 4e6);
        moved(TransferKind::GpuFault, TransferDirection::None, 300, 0, std::nullopt);
    }
    const auto call = [&](const char* name, MemoryKind memory, std::uint64_t count, std::uint64_t bytes,
                          double durationNs) {
        MemoryCall made;
        made.call = name;
        made.memory = memory;
        made.count = count;
        made.bytes = bytes;
        if (timed) made.durationNs = durationNs;
        made.workload = "transfer/pinned";
        session.apply(made);
    };
    call("cuMemAlloc", MemoryKind::Device, 2, 2 * kBytes, 600e3);
    call("cuMemHostAlloc", MemoryKind::Pinned, 1, kBytes, 21e6);
    call("cuMemFree", MemoryKind::Device, 2, 0, 300e3);
}

void addSpecialCases(Session& session, Adder& add) {
    Workload racy;
    racy.workload = "histogram/racy";
    racy.title = "Counting into bins";
    racy.shows = "a plain read, add and write loses counts";
    racy.wrongByDesign = true;
    racy.better = "histogram/shared";
    session.apply(racy);
    session.apply(Check{"histogram/racy", true, "counts 1023 of 4194304 cells: lost, as it should"});
    add.launch("histogram/racy", 80000, 4);
    Workload uncoalesced;
    uncoalesced.workload = "vector_sum/uncoalesced";
    uncoalesced.title = "Sum of two vectors";
    uncoalesced.shows = "neighbouring threads are a whole grid apart: 32 sectors per request";
    uncoalesced.parameters = {"size=16777216", "block=256"};
    uncoalesced.better = "vector_sum/coalesced";
    session.apply(uncoalesced);
    Workload alone;
    alone.workload = "vector_sum/coalesced";
    alone.better = "vector_sum/elsewhere"; // which no session has
    session.apply(alone);
    add.launch("graphs/replayed", 12000, 4, 2);
}

} // namespace

Session suiteSession() {
    Session session = sampleSession();
    Adder add(session);
    addOffsets(session, add);
    addTuning(session, add);
    addZeroCopy(session, add);
    addTransfers(session, true);
    addSpecialCases(session, add);
    return session;
}

Session emulatedTransfers() {
    Session session;
    Process process;
    process.pid = 4243;
    process.program = "dormer-workloads";
    process.origin = Origin::Emulated;
    session.apply(ProcessStart{process});
    addTransfers(session, false);
    return session;
}

} // namespace dormer::tests
