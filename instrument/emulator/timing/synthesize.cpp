// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/synthesize.h"

#include "analysis/device/architecture.h"

namespace dormer::emulator::timing {

namespace {

double number(std::uint64_t value) {
    return static_cast<double>(value);
}

/// A counter of a launch without such accesses reads 0, as on hardware.
double ratio(std::uint64_t numerator, std::uint64_t denominator) {
    return denominator == 0 ? 0 : number(numerator) / number(denominator);
}

class Counters {
public:
    Counters(const metrics::CounterSet& set, std::map<std::string, double>& values)
        : m_set(set), m_values(values) {}
    void give(std::string_view name, double value) {
        for (const metrics::CounterName& wanted : m_set.counters)
            if (wanted.name == name) m_values.emplace(name, value);
    }
    /// Also when the set does not have it.
    void giveAlways(std::string_view name, double value) { m_values.emplace(name, value); }

private:
    const metrics::CounterSet& m_set;
    std::map<std::string, double>& m_values;
};

/// Counted per instruction: what a GPU's patched counters give.
void giveExact(Counters& out, const counts::LaunchCounts& counts) {
    const auto threads = [&](instructions::Work work) {
        return number(counts.threadsByWork[static_cast<std::size_t>(work)]);
    };
    out.give("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", threads(instructions::Work::Fp32Add));
    out.give("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", threads(instructions::Work::Fp32Mul));
    out.give("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", threads(instructions::Work::Fp32Fma));
    out.give("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", threads(instructions::Work::Fp64Add));
    out.give("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", threads(instructions::Work::Fp64Mul));
    out.give("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", threads(instructions::Work::Fp64Fma));
    out.give("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", threads(instructions::Work::Fp16Add));
    out.give("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", threads(instructions::Work::Fp16Mul));
    out.give("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", threads(instructions::Work::Fp16Fma));

    const auto of = [&](counts::MemorySpace space, counts::MemoryOp op) -> const counts::MemoryCounts& {
        return counts.of(space, op);
    };
    const counts::MemoryCounts& globalLoad = of(counts::MemorySpace::Global, counts::MemoryOp::Load);
    const counts::MemoryCounts& globalStore = of(counts::MemorySpace::Global, counts::MemoryOp::Store);
    const counts::MemoryCounts& globalAtomic = of(counts::MemorySpace::Global, counts::MemoryOp::Atomic);
    const counts::MemoryCounts& globalReduce = of(counts::MemorySpace::Global, counts::MemoryOp::Reduce);
    const counts::MemoryCounts& sharedLoad = of(counts::MemorySpace::Shared, counts::MemoryOp::Load);
    const counts::MemoryCounts& sharedStore = of(counts::MemorySpace::Shared, counts::MemoryOp::Store);
    out.give("smsp__sass_inst_executed_op_global_ld.sum", number(globalLoad.requests));
    out.give("smsp__sass_inst_executed_op_global_st.sum", number(globalStore.requests));
    out.give("smsp__sass_inst_executed_op_global_atom.sum", number(globalAtomic.requests));
    out.give("smsp__sass_inst_executed_op_global_red.sum", number(globalReduce.requests));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", number(globalLoad.sectors));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", number(globalStore.sectors));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum", number(globalAtomic.sectors));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum", number(globalReduce.sectors));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum",
             number(of(counts::MemorySpace::Local, counts::MemoryOp::Load).sectors));
    out.give("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum",
             number(of(counts::MemorySpace::Local, counts::MemoryOp::Store).sectors));
    out.give("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
             ratio(globalLoad.bytes, globalLoad.sectors));
    out.give("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
             ratio(globalStore.bytes, globalStore.sectors));
    out.give("smsp__sass_inst_executed_op_shared_ld.sum", number(sharedLoad.requests));
    out.give("smsp__sass_inst_executed_op_shared_st.sum", number(sharedStore.requests));
    out.give("smsp__sass_inst_executed_op_shared_atom.sum",
             number(of(counts::MemorySpace::Shared, counts::MemoryOp::Atomic).requests +
                    of(counts::MemorySpace::Shared, counts::MemoryOp::Reduce).requests));
    out.give("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", number(sharedLoad.wavefronts));
    out.give("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
             number(sharedStore.wavefronts));
    out.give("smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio",
             ratio(sharedLoad.bytes, sharedLoad.wavefronts));
    out.give("smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio",
             ratio(sharedStore.bytes, sharedStore.wavefronts));
}

/// Hardware instructions: estimated from the PTX ones, thread counts in proportion.
void giveInstructions(Counters& out, const counts::LaunchCounts& counts) {
    const auto threads = [&](instructions::Work work) {
        return number(counts.threadsByWork[static_cast<std::size_t>(work)]);
    };
    out.give("smsp__inst_executed.sum", counts.instructions);
    out.give("smsp__inst_issued.sum", counts.instructions); // replays are not modelled
    if (counts.ptxInstructions > 0) {
        const double perPtx = counts.instructions / number(counts.ptxInstructions);
        out.give("smsp__thread_inst_executed.sum", number(counts.ptxThreadInstructions) * perPtx);
        out.give("smsp__thread_inst_executed_pred_on.sum", number(counts.ptxThreadInstructionsOn) * perPtx);
    }
    out.give("smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
             threads(instructions::Work::Int) + threads(instructions::Work::IntMul) +
                 threads(instructions::Work::Bits));
}

/// What matrix instructions computed. They cost nothing here, so a kernel that has some always tells.
void giveTensor(Counters& out, const counts::LaunchCounts& counts) {
    const double warps = counts.warpsByWork[static_cast<std::size_t>(instructions::Work::Tensor)];
    const auto give = [&](std::string_view name, double value) {
        warps > 0 ? out.giveAlways(name, value) : out.give(name, value);
    };
    // Under Hopper's names whatever the chip. The emulator runs no FP6, FP4, INT4 or INT1.
    const auto tensorOps = [&](instructions::TensorFormat format) {
        return 2 * counts.tensorMacs[static_cast<std::size_t>(format)];
    };
    give("sm__ops_path_tensor_src_fp16.sum", tensorOps(instructions::TensorFormat::Fp16));
    give("sm__ops_path_tensor_src_bf16_dst_fp32.sum", tensorOps(instructions::TensorFormat::Bf16));
    give("sm__ops_path_tensor_src_tf32_dst_fp32.sum", tensorOps(instructions::TensorFormat::Tf32));
    give("sm__ops_path_tensor_src_fp64.sum", tensorOps(instructions::TensorFormat::Fp64));
    give("sm__ops_path_tensor_src_fp8.sum", tensorOps(instructions::TensorFormat::Fp8));
    give("sm__ops_path_tensor_src_int8.sum", tensorOps(instructions::TensorFormat::Int8));
    give("sm__ops_path_tensor_src_int1.sum", 0);
    give("sm__inst_executed_pipe_tensor.sum", warps);
    give("sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 0);
}

void giveTraffic(Counters& out, const counts::Traffic& traffic) {
    constexpr double kSectorBytes = 32;
    out.give("dram__bytes_read.sum", number(traffic.dramReadSectors) * kSectorBytes);
    out.give("dram__bytes_write.sum", number(traffic.dramWriteSectors) * kSectorBytes);
    if (traffic.hostReadSectors + traffic.hostWriteSectors > 0) {
        out.giveAlways("emulator__host_bytes_read.sum", number(traffic.hostReadSectors) * kSectorBytes);
        out.giveAlways("emulator__host_bytes_write.sum", number(traffic.hostWriteSectors) * kSectorBytes);
    }
    out.give("lts__t_sectors_op_read.sum", number(traffic.l2Reads));
    out.give("lts__t_sectors_op_write.sum", number(traffic.l2Writes));
    out.give("lts__t_sectors_op_atom.sum", number(traffic.l2Atomics));
    out.give("lts__t_sectors_op_red.sum", number(traffic.l2Reductions));
    out.give("lts__t_sectors.sum",
             number(traffic.l2Reads + traffic.l2Writes + traffic.l2Atomics + traffic.l2Reductions));
    out.give("lts__t_sectors_lookup_hit.sum", number(traffic.l2Hits));
    out.give("lts__t_sectors_lookup_miss.sum", number(traffic.l2Misses));
    out.give("lts__t_tag_requests.sum", number(traffic.l2Tags));
    out.give("l1tex__t_sectors_lookup_hit.sum", number(traffic.l1LookupHits));
    out.give("l1tex__t_sectors_lookup_miss.sum", number(traffic.l1LookupMisses));
    out.give("l1tex__t_bytes.sum", number(traffic.l1LookupHits + traffic.l1LookupMisses) * kSectorBytes);
}

void givePredicted(Counters& out, const device::Chip& chip, const Prediction& prediction) {
    out.give("gpu__time_duration.sum", prediction.durationNs);
    out.give("sm__cycles_elapsed.max", prediction.durationNs * 1e-9 * prediction.smClockHz);
    out.give("sm__cycles_elapsed.avg.per_second", prediction.smClockHz);
    out.give("dram__cycles_elapsed.avg.per_second", prediction.memoryClockHz);
    out.give("lts__cycles_elapsed.avg.per_second", prediction.l2ClockHz);
    out.give("sm__warps_active.avg.pct_of_peak_sustained_active", prediction.achievedOccupancy * 100);
    out.give("smsp__issue_active.avg.pct_of_peak_sustained_active", prediction.issueSlotUtilization * 100);
    // Where no figure is published L2 has no ceiling, assumed slices notwithstanding.
    if (chip.l2SectorsPerClock > 0) out.give("lts__t_sectors.sum.peak_sustained", chip.l2SectorsPerClock);
    const device::Architecture* architecture = device::architectureOf(chip.device);
    if (chip.l2SectorsPerClock > 0 || (architecture != nullptr && architecture->l2SliceBytes > 0))
        out.give("lts__t_tag_requests.sum.peak_sustained", chip.l2TagsPerClock);
}

} // namespace

std::map<std::string, double> synthesizeCounters(const metrics::CounterSet& set, const device::Chip& chip,
                                                 const counts::LaunchCounts& counts,
                                                 const counts::Traffic& traffic,
                                                 const Prediction& prediction) {
    std::map<std::string, double> values;
    Counters out(set, values);
    giveExact(out, counts);
    giveTensor(out, counts);
    giveInstructions(out, counts);
    giveTraffic(out, traffic);
    givePredicted(out, chip, prediction);
    return values;
}

} // namespace dormer::emulator::timing
