// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/counter_sets.h"

#include <algorithm>
#include <array>

namespace dormer::metrics {

namespace {

// Every set begins with the cheaper one's counters, so one list and four lengths describe all of them.
// Blackwell's consumer chips (GB20x) name the DRAM counters differently; integrated chips have none.
constexpr auto kCounters = std::to_array<CounterName>({
    // live: one pass of hardware counters
    {"gpu__time_duration.sum", {}},
    {"sm__cycles_elapsed.max", {}},
    {"sm__cycles_elapsed.avg.per_second", {}},
    {"dram__bytes_read.sum", "dram__bytes_op_read.sum"},
    {"dram__bytes_write.sum", "dram__bytes_op_write.sum"},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", {}},
    {"smsp__inst_executed.sum", {}},
    {"smsp__inst_issued.sum", {}},
    // roofline: what every level moved, what it could move, and the work done. L2 has two ceilings: sectors
    // (bytes) and tag lookups; scattered accesses reach the second first.
    {"dram__cycles_elapsed.avg.per_second", {}},
    {"lts__cycles_elapsed.avg.per_second", {}},
    {"lts__t_sectors_op_read.sum", {}},
    {"lts__t_sectors_op_write.sum", {}},
    {"lts__t_sectors_op_atom.sum", {}},
    {"lts__t_sectors_op_red.sum", {}},
    {"lts__t_sectors.sum.peak_sustained", {}},
    {"lts__t_tag_requests.sum", {}},
    {"lts__t_tag_requests.sum.peak_sustained", {}},
    {"l1tex__t_bytes.sum", {}},
    {"sm__inst_executed_pipe_tensor.sum", {}, true},
    // GA100 and GH100 run paired FP16 instructions in the tensor pipe; compilers build constants with them.
    {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", {}, true},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_integer_pred_on.sum", {}},
    // memory: how it was requested. smsp__sass_ counters come from one patched pass and are exact; hardware
    // counters of the same thing include replays and arbitration, and need two more passes over the SMs'
    // counter registers, the dearest ones (docs/collector.md).
    {"lts__t_sectors.sum", {}},
    {"lts__t_sectors_lookup_hit.sum", {}},
    {"lts__t_sectors_lookup_miss.sum", {}},
    {"l1tex__t_sectors_lookup_hit.sum", {}},
    {"l1tex__t_sectors_lookup_miss.sum", {}},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", {}},
    {"smsp__thread_inst_executed.sum", {}},
    {"smsp__thread_inst_executed_pred_on.sum", {}},
    {"smsp__sass_inst_executed_op_shared_ld.sum", {}},
    {"smsp__sass_inst_executed_op_shared_st.sum", {}},
    {"smsp__sass_inst_executed_op_shared_atom.sum", {}},
    {"smsp__sass_inst_executed_op_global_ld.sum", {}},
    {"smsp__sass_inst_executed_op_global_st.sum", {}},
    {"smsp__sass_inst_executed_op_global_atom.sum", {}},
    {"smsp__sass_inst_executed_op_global_red.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum", {}},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum", {}},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", {}},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", {}},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", {}},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", {}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", {}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", {}},
    // tensor: what matrix instructions compute, by the format of A and B. Each chip has its own few of these.
    // They take registers of the SMs' counters by the dozen (7 passes on Hopper), so no cheaper set has them.
    {"sm__ops_path_tensor_src_fp16.sum", {}, true},                    // Hopper
    {"sm__ops_path_tensor_src_fp16_dst_fp16.sum", {}, true},           // all others
    {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", {}, true},           // all others but Turing
    {"sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum", {}, true}, // Turing, which has FP16 only
    {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", {}, true},           // Ampere and newer
    {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", {}, true},
    {"sm__ops_path_tensor_src_fp64.sum", {}, true},
    {"sm__ops_path_tensor_src_fp8.sum", {}, true},                  // Ada, Hopper
    {"sm__ops_path_tensor_src_fp4_dst_fp32.sum", {}, true},         // Blackwell
    {"sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp16.sum", {}, true}, // GB100, GB102, GB10B
    {"sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum", {}, true},
    {"sm__ops_path_tensor_src_fp4_fp6_dst_fp16.sum", {}, true}, // GB110, GB20x
    {"sm__ops_path_tensor_src_fp4_fp6_dst_fp32.sum", {}, true},
    {"sm__ops_path_tensor_src_fp8_dst_fp16.sum", {}, true},
    {"sm__ops_path_tensor_src_fp8_dst_fp32.sum", {}, true},
    {"sm__ops_path_tensor_src_int8.sum", {}, true}, // Turing and newer
    {"sm__ops_path_tensor_src_int4.sum", {}, true}, // Turing, Ampere, Ada
    {"sm__ops_path_tensor_src_int1.sum", {}, true}, // and Hopper
});
constexpr std::size_t kLiveCount = 8;
constexpr std::size_t kRooflineCount = 30;
constexpr std::size_t kMemoryCount = 57;

constexpr std::span kAll(kCounters);

constexpr std::array kSets = {
    CounterSet{"live", "time, DRAM traffic, issued instructions, occupancy", kAll.first(kLiveCount), 1, 1},
    CounterSet{"roofline", "traffic of DRAM, L2 and L1, floating-point and integer work, tensor instructions",
               kAll.first(kRooflineCount), 3, 6},
    CounterSet{"memory",
               "requests and sectors by kind, hit rates, shared-memory wavefronts, local memory, atomics",
               kAll.first(kMemoryCount), 5, 9},
    CounterSet{"tensor", "the same, and the operations of the tensor cores by number format", kAll, 13, 13},
};

} // namespace

std::span<const CounterSet> counterSets() {
    return kSets;
}

std::optional<CounterSet> findCounterSet(std::string_view name) {
    const auto found = std::ranges::find(kSets, name, &CounterSet::name);
    return found == kSets.end() ? std::nullopt : std::optional(*found);
}

std::string_view alternativeCounterName(std::string_view name) {
    const auto found = std::ranges::find(kCounters, name, &CounterName::name);
    return found == kCounters.end() ? std::string_view{} : found->alternative;
}

} // namespace dormer::metrics
