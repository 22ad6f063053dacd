// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/predict.h"

#include "analysis/device/architecture.h"
#include "analysis/device/occupancy.h"
#include "instrument/emulator/timing/parameters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dormer::emulator::timing {

namespace {

using device::Architecture;

double warps(const counts::LaunchCounts& counts, instructions::Work work) {
    return counts.warpsByWork[static_cast<std::size_t>(work)];
}

double number(std::uint64_t value) {
    return static_cast<double>(value);
}

/// Adds the times; a resource without a rate or without work has none.
class Times {
public:
    Times(const device::Chip& chip, double blocks, const counts::LaunchCounts& counts,
          const counts::Traffic& traffic, Prediction& result)
        : m_chip(chip)
        , m_blocks(blocks)
        , m_counts(counts)
        , m_traffic(traffic)
        , m_result(result)
        , m_architecture(device::architectureOf(chip.device)) {}

    void addAll() {
        if (m_architecture != nullptr) arithmetic(*m_architecture);
        nearMemory();
        farMemory();
        latency();
    }

private:
    void add(std::string_view name, Part part, double ns) {
        if (ns > 0) m_result.resources.push_back({name, part, ns});
    }
    /// Cycles of all SMs together: the SM that gets most blocks decides.
    void addSm(std::string_view name, Part part, double cycles) {
        const double sms = m_chip.device.smCount;
        const double most = std::ceil(m_blocks / sms) / m_blocks;
        add(name, part, cycles * most / m_result.smClockHz * 1e9);
    }
    /// Warp instructions of a pipe that gives `lanes` results a clock.
    void addPipe(std::string_view name, double warpInstructions, double lanes) {
        if (lanes > 0) addSm(name, Part::Arithmetic, warpInstructions * 32 / lanes);
    }

    void arithmetic(const device::Architecture& a) {
        const double fp32 = warps(m_counts, instructions::Work::Fp32Add) +
                            warps(m_counts, instructions::Work::Fp32Mul) +
                            warps(m_counts, instructions::Work::Fp32Fma);
        const double integer =
            warps(m_counts, instructions::Work::Int) + warps(m_counts, instructions::Work::Fp32Other);
        const double heavy = warps(m_counts, instructions::Work::IntMul);
        addSm("issue slots", Part::Arithmetic, m_counts.instructions / a.warpIssues);
        addPipe("FP32", fp32, a.fp32);
        // Multiply-adds of integers take half of the FMA pipe; additions may go there or to the ALU.
        addPipe("integer", integer + heavy, a.int32Add + a.int32Mad);
        addPipe("integer multiply", heavy, a.int32Mad);
        // From compute capability 8.6 to 8.9 half of the FP32 lanes are the integer lanes.
        const bool sharedLanes = a.computeCapabilityMajor == 8 && a.computeCapabilityMinor >= 6;
        if (sharedLanes) addPipe("FP32 and integer", fp32 + integer + heavy, a.fp32);
        addPipe("FP64",
                warps(m_counts, instructions::Work::Fp64Add) + warps(m_counts, instructions::Work::Fp64Mul) +
                    warps(m_counts, instructions::Work::Fp64Fma) +
                    warps(m_counts, instructions::Work::Fp64Other),
                a.fp64);
        addPipe("FP16",
                warps(m_counts, instructions::Work::Fp16Add) + warps(m_counts, instructions::Work::Fp16Mul) +
                    warps(m_counts, instructions::Work::Fp16Fma) +
                    warps(m_counts, instructions::Work::Fp16Other),
                a.fp16 / 2);
        addPipe("special functions", warps(m_counts, instructions::Work::Special), kSpecialLanes);
        addPipe("conversion", warps(m_counts, instructions::Work::Conversion),
                a.computeCapabilityMajor >= 9 ? kConversionLanes90 : kConversionLanes);
        addPipe("bit counting", warps(m_counts, instructions::Work::Bits), kBitLanes);
        addPipe("shuffle", warps(m_counts, instructions::Work::Exchange), kExchangeLanes);
        addTensor(a);
    }

    /// Dense matrices, each format at its own rate, at the clock chips sustain for it.
    void addTensor(const device::Architecture& a) {
        static_assert(instructions::kTensorFormats == device::kTensorFormatCount);
        double cycles = 0;
        for (std::size_t format = 0; format < instructions::kTensorFormats; ++format)
            if (a.tensor.perClock[format] > 0)
                cycles += m_counts.tensorMacs[format] / a.tensor.perClock[format];
        addSm("tensor", Part::Arithmetic, cycles / a.tensor.clock);
    }

    /// Cycles of L1's stages for requests of one kind: the lookup takes 4 lines per clock, the data go by
    /// lsuBytesPerClock, and each request takes one clock at least.
    [[nodiscard]] double l1Cycles(const counts::MemoryCounts& memory) const {
        return std::max({number(memory.requests), number(memory.lines) / kL1LinesPerClock,
                         number(memory.bytes) / m_chip.lsuBytesPerClock});
    }

    void nearMemory() {
        double l1 = 0;
        for (const counts::MemorySpace space :
             {counts::MemorySpace::Global, counts::MemorySpace::Local, counts::MemorySpace::Texture})
            for (const counts::MemoryOp op : {counts::MemoryOp::Load, counts::MemoryOp::Store,
                                              counts::MemoryOp::Atomic, counts::MemoryOp::Reduce})
                l1 += l1Cycles(m_counts.of(space, op));
        double shared = 0;
        for (const counts::MemoryOp op : {counts::MemoryOp::Load, counts::MemoryOp::Store,
                                          counts::MemoryOp::Atomic, counts::MemoryOp::Reduce})
            shared += number(m_counts.of(counts::MemorySpace::Shared, op).wavefronts);
        // One data path serves both.
        addSm(shared > l1 ? "shared memory" : "L1", Part::NearMemory, l1 + shared);
    }

    void farMemory() {
        const double l1Misses =
            number(m_traffic.l1LookupMisses + m_traffic.l1StoreSectorHits + m_traffic.bulkSectors);
        add("L2", Part::FarMemory, l1Misses * 32 / (m_chip.l2BytesPerClock * m_result.smClockHz) * 1e9);
        const double reads = number(m_traffic.l2Tags - m_traffic.l2WriteTags);
        add("L2 lookups", Part::FarMemory,
            (reads + kWriteTagCost * number(m_traffic.l2WriteTags)) /
                (m_chip.l2TagsPerClock * m_result.l2ClockHz) * 1e9);
        add("atomics on one line", Part::FarMemory,
            number(m_traffic.hottestAtomicPasses) * kAtomicPassCycles / m_result.l2ClockHz * 1e9);
        // What L2 keeps when a launch ends, the next one has to write; in a row of launches each does both.
        const std::uint64_t sectors = m_traffic.dramReadSectors + m_traffic.dramWriteSectors +
                                      std::min(m_traffic.dirtySectorsLeft, m_traffic.dramWriteSectors);
        const double peak = 2 * m_result.memoryClockHz * m_chip.device.memoryBusBits / 8;
        add("DRAM", Part::FarMemory, number(sectors) * 32 / (peak * m_chip.dramEfficiency) * 1e9);
        // Both ways at once.
        const std::uint64_t host = std::max(m_traffic.hostReadSectors, m_traffic.hostWriteSectors);
        add("bus to the host", Part::FarMemory, number(host) * 32 / (busRate() * kBusEfficiency) * 1e9);
    }

    [[nodiscard]] double busRate() const {
        const int major = m_chip.device.computeCapabilityMajor;
        return major >= 9 ? kBusBytesPerSecond5 : major == 8 ? kBusBytesPerSecond4 : kBusBytesPerSecond3;
    }

    /// Cycles until a load's data are there, by where the launch's loads found them.
    [[nodiscard]] double loadCycles() const {
        const double sectors = number(m_traffic.l1LoadSectors);
        const double l1 = sectors > 0 ? number(m_traffic.l1LoadSectorHits) / sectors : 0;
        const double lookups = number(m_traffic.l2Hits + m_traffic.l2Misses);
        // Writes hit always, which tells nothing about loads.
        const double writes = number(m_traffic.l2Writes);
        const double l2 = lookups > writes ? (number(m_traffic.l2Hits) - writes) / (lookups - writes) : 1;
        const double near =
            m_chip.l2FarCycles > 0 ? (m_chip.l2HitCycles + m_chip.l2FarCycles) / 2 : m_chip.l2HitCycles;
        return l1 * m_chip.l1HitCycles +
               (1 - l1) * (std::max(l2, 0.0) * near + (1 - std::max(l2, 0.0)) * m_chip.dramCycles);
    }

    void latency() {
        if (m_counts.warps == 0) return;
        const double near =
            m_chip.l2FarCycles > 0 ? (m_chip.l2HitCycles + m_chip.l2FarCycles) / 2 : m_chip.l2HitCycles;
        const double cycles = (m_counts.chainCycles + m_counts.chainGlobalLoads * loadCycles() +
                               m_counts.chainSharedLoads * m_chip.sharedCycles +
                               m_counts.chainAtomics * near + m_counts.chainBarriers * kBarrierCycles) /
                                  number(m_counts.warps) +
                              kBlockStartCycles;
        // Each wave waits for one warp's path through the code.
        add("latency", Part::Latency, std::ceil(m_result.waves) * cycles / m_result.smClockHz * 1e9);
    }

    const device::Chip& m_chip;
    double m_blocks; ///< of the grid, at least one
    const counts::LaunchCounts& m_counts;
    const counts::Traffic& m_traffic;
    Prediction& m_result;
    const device::Architecture* m_architecture;
};

/// Longest of each part; parts that take equally long overlap imperfectly.
double combined(const std::vector<ResourceTime>& resources) {
    double longest[4] = {};
    for (const ResourceTime& each : resources) {
        double& part = longest[static_cast<int>(each.part)];
        part = std::max(part, each.ns);
    }
    double sum = 0;
    for (const double part : longest)
        sum += std::pow(part, kOverlapExponent);
    return std::pow(sum, 1 / kOverlapExponent);
}

/// The SM's own time is the played one; what all SMs share overlaps with it. Arithmetic and near memory are
/// in the played time, and stay as what explains it.
double withReplay(Prediction& result, double cycles) {
    const double sm = cycles / result.smClockHz * 1e9;
    double far = 0, near = 0;
    for (const ResourceTime& each : result.resources) {
        if (each.part == Part::FarMemory) far = std::max(far, each.ns);
        if (each.part == Part::Arithmetic || each.part == Part::NearMemory) near = std::max(near, each.ns);
    }
    std::erase_if(result.resources, [](const ResourceTime& each) { return each.part == Part::Latency; });
    if (std::max(near, far) < kExplained * sm) result.resources.push_back({"latency", Part::Latency, sm});
    return std::pow(std::pow(sm, kReplayOverlap) + std::pow(far, kReplayOverlap), 1 / kReplayOverlap);
}

} // namespace

Prediction predict(const device::Chip& chip, const LaunchShape& shape, const counts::LaunchCounts& counts,
                   const counts::Traffic& traffic, const counts::Replayed& replayed) {
    Prediction result;
    result.smClockHz = chip.device.smClockMaxHz;
    result.l2ClockHz = chip.l2ClockHz;
    result.memoryClockHz = chip.device.memoryClockMaxHz;

    session::Kernel kernel;
    kernel.registersPerThread = shape.registersPerThread;
    kernel.staticSharedBytes = shape.staticSharedBytes;
    const auto occupancy =
        device::theoreticalOccupancy(chip.device, kernel, shape.block, shape.dynamicSharedBytes);
    result.blocksPerSm = occupancy ? std::max(occupancy->blocksPerSm, 1U) : 1;
    const double blocks = std::max(number(shape.grid.count()), 1.0);
    const double sms = chip.device.smCount;
    result.activeSms = static_cast<std::uint32_t>(std::min(blocks, sms));
    result.waves = blocks / (sms * result.blocksPerSm);

    Times(chip, blocks, counts, traffic, result).addAll();
    double busy = combined(result.resources);
    if (replayed.cycles > 0) busy = withReplay(result, replayed.cycles);
    const auto longest = std::ranges::max_element(result.resources, {}, &ResourceTime::ns);
    result.durationNs = kLaunchNs + busy;
    result.limiter = longest == result.resources.end() || longest->ns < kLaunchNs ? "launch" : longest->name;

    const double resident = result.waves > 1 ? result.blocksPerSm * result.waves / std::ceil(result.waves)
                                             : blocks / result.activeSms;
    const double warpsPerBlock = std::ceil(number(shape.block.count()) / 32);
    // With barriers the warps of a block end together; without, early ones leave their slots empty until
    // the block's last has ended.
    const double kept = counts.barriers > 0 ? kSlotsKeptWithBarriers : kSlotsKept;
    result.achievedOccupancy = resident * warpsPerBlock / chip.maxWarpsPerSm * kept;
    result.issueSlotUtilization =
        counts.instructions / (4.0 * result.activeSms * result.durationNs * 1e-9 * result.smClockHz);
    return result;
}

} // namespace dormer::emulator::timing
