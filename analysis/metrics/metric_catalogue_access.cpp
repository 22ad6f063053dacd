// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_topics.h"

#include <array>

namespace dormer::metrics {

namespace {

// The ideal is what the same useful bytes take when neighbouring threads touch neighbouring bytes: bytes / 32
// sectors, at least one per request (a broadcast is ideal with one), never more than were moved.
constexpr auto kGlobal = std::to_array<Metric>({
    {"global_load_requests", "loads", Unit::Count,
     "first(smsp__sass_inst_executed_op_global_ld.sum, l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum)",
     "Warp-level load instructions from global memory that reached L1.", "Global Load: Requests"},
    {"global_store_requests", "stores", Unit::Count,
     "first(smsp__sass_inst_executed_op_global_st.sum, l1tex__t_requests_pipe_lsu_mem_global_op_st.sum)",
     "Warp-level store instructions to global memory that reached L1.", "Global Store: Requests"},
    {"global_load_sectors", "load sectors", Unit::Count,
     "first(smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum, "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum)",
     "32-byte sectors the global loads touched; exact when counted by patching.", "Global Load: Sectors"},
    {"global_store_sectors", "store sectors", Unit::Count,
     "first(smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum, "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum)",
     "32-byte sectors the global stores touched; exact when counted by patching.", "Global Store: Sectors"},
    {"global_load_sectors_per_request", "sectors/load", Unit::None,
     "global_load_sectors / global_load_requests",
     "Sectors an average load touches: 4, 8 or 16 is ideal for 4-, 8- or 16-byte accesses of a full warp; 32 "
     "means "
     "that every thread touches a sector of its own.",
     "Global Load: Sectors/Req"},
    {"global_store_sectors_per_request", "sectors/store", Unit::None,
     "global_store_sectors / global_store_requests", "The same for stores.", "Global Store: Sectors/Req"},
    {"global_load_bytes_requested", "load bytes requested", Unit::Bytes,
     "times(global_load_sectors, smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio)",
     "Bytes the threads requested in global loads.", ""},
    {"global_store_bytes_requested", "store bytes requested", Unit::Bytes,
     "times(global_store_sectors, smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio)",
     "Bytes the threads wrote in global stores.", ""},
    {"global_load_sectors_ideal", "load sectors ideal", Unit::Count,
     "min(global_load_sectors, max(global_load_requests, global_load_bytes_requested / 32))",
     "Sectors the same bytes would take if neighbouring threads read neighbouring bytes; one per request at "
     "least.",
     "derived__memory_l2_theoretical_sectors_global_ideal (nearly)"},
    {"global_store_sectors_ideal", "store sectors ideal", Unit::Count,
     "min(global_store_sectors, max(global_store_requests, global_store_bytes_requested / 32))",
     "The same for stores.", ""},
    {"global_load_sectors_ideal_per_request", "ideal/load", Unit::None,
     "global_load_sectors_ideal / global_load_requests", "Ideal sectors of an average load.", ""},
    {"global_store_sectors_ideal_per_request", "ideal/store", Unit::None,
     "global_store_sectors_ideal / global_store_requests", "Ideal sectors of an average store.", ""},
    {"global_wasted_bytes", "wasted", Unit::Bytes,
     "(global_load_sectors - global_load_sectors_ideal + global_store_sectors - global_store_sectors_ideal) "
     "* 32",
     "Bytes moved through L1 in excess of the ideal: accesses were scattered or misaligned.", ""},
    {"global_access_efficiency", "access eff.", Unit::Ratio,
     "(global_load_sectors_ideal + global_store_sectors_ideal) / (global_load_sectors + "
     "global_store_sectors)",
     "Ideal sectors against sectors, loads and stores together.", ""},
    {"local_load_sectors", "local ld", Unit::Count, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum",
     "Sectors read from local memory: register spills, or arrays indexed by a variable.",
     "Local Load: Sectors"},
    {"local_store_sectors", "local st", Unit::Count,
     "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", "Sectors written to local memory.",
     "Local Store: Sectors"},
    {"local_sectors", "local", Unit::Count, "local_load_sectors + local_store_sectors",
     "Sectors of local memory, both ways.", ""},
    {"atomic_instructions", "atomics", Unit::Count,
     "smsp__sass_inst_executed_op_global_atom.sum + smsp__sass_inst_executed_op_global_red.sum",
     "Warp-level atomic and reduction instructions on global memory.", ""},
    {"atomic_sectors", "atomic sectors", Unit::Count,
     "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum + "
     "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
     "Sectors the global atomics and reductions touched.", ""},
    {"l2_atomic_sectors", "L2 atomics", Unit::Count, "lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum",
     "Sectors L2 worked on for atomics and reductions.", ""},
    {"l2_atomic_share", "atomic share", Unit::Ratio, "l2_atomic_sectors * 32 / l2_bytes",
     "Atomics' share of the L2 sector accesses.", ""},
});

// Excess uses the exact, patched counters only. The hardware's wavefront and conflict counters also count
// lost arbitration: thousands on conflict-free code.
constexpr auto kShared = std::to_array<Metric>({
    {"shared_load_instructions", "smem loads", Unit::Count, "smsp__sass_inst_executed_op_shared_ld.sum",
     "Warp-level loads from shared memory.", "Shared Load: Instructions"},
    {"shared_store_instructions", "smem stores", Unit::Count, "smsp__sass_inst_executed_op_shared_st.sum",
     "Warp-level stores to shared memory.", "Shared Store: Instructions"},
    {"shared_atomic_instructions", "smem atomics", Unit::Count, "smsp__sass_inst_executed_op_shared_atom.sum",
     "Warp-level atomics on shared memory.", "Shared Atomic: Instructions"},
    {"shared_load_wavefronts", "ld wavefronts", Unit::Count,
     "first(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, "
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum)",
     "Shared-memory wavefronts of loads. Exact when counted by patching; the hardware's count has lost "
     "arbitration in it.",
     "Shared Load: Wavefronts"},
    {"shared_store_wavefronts", "st wavefronts", Unit::Count,
     "first(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum, "
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum)",
     "Shared-memory wavefronts of stores.", "Shared Store: Wavefronts"},
    {"shared_load_wavefronts_ideal", "ld ideal", Unit::Count,
     "min(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, "
     "max(shared_load_instructions, times(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, "
     "smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio) / 128))",
     "Wavefronts of the same loads without bank conflicts: one per instruction, or one per 128 bytes for "
     "wider "
     "accesses.",
     ""},
    {"shared_store_wavefronts_ideal", "st ideal", Unit::Count,
     "min(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum, "
     "max(shared_store_instructions, times(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum, "
     "smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio) / 128))",
     "The same for stores.", ""},
    {"shared_load_wavefronts_excess", "ld conflicts", Unit::Count,
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum - shared_load_wavefronts_ideal",
     "Excessive wavefronts of loads: those due to bank conflicts.", ""},
    {"shared_store_wavefronts_excess", "st conflicts", Unit::Count,
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum - shared_store_wavefronts_ideal",
     "Excessive wavefronts of stores: those due to bank conflicts.", ""},
    {"shared_load_ways", "ld ways", Unit::None, "shared_load_wavefronts / shared_load_wavefronts_ideal",
     "Wavefronts of the loads against the ideal: a 32-way conflict reads 32.", ""},
    {"shared_store_ways", "st ways", Unit::None, "shared_store_wavefronts / shared_store_wavefronts_ideal",
     "The same for stores.", ""},
    {"shared_wavefronts", "wavefronts", Unit::Count,
     "first(smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum + "
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum, "
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum, shared_load_wavefronts + "
     "shared_store_wavefronts)",
     "Shared-memory wavefronts of loads and stores. Reports of Nsight Compute have the exact ones for both "
     "together.",
     "memory_l1_wavefronts_shared"},
    {"shared_wavefronts_ideal", "ideal", Unit::Count,
     "first(shared_load_wavefronts_ideal + shared_store_wavefronts_ideal, "
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum)",
     "Wavefronts without bank conflicts.", "memory_l1_wavefronts_shared_ideal"},
    {"shared_wavefronts_excess", "conflicts", Unit::Count,
     "first(shared_load_wavefronts_excess + shared_store_wavefronts_excess, "
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum - "
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum)",
     "Excessive wavefronts: those due to bank conflicts.", "derived__memory_l1_wavefronts_shared_excessive"},
    {"shared_ways", "ways", Unit::None, "shared_wavefronts / shared_wavefronts_ideal",
     "Wavefronts against the ideal, loads and stores together.", ""},
});

} // namespace

std::span<const Metric> globalAccessMetrics() {
    return kGlobal;
}

std::span<const Metric> sharedAccessMetrics() {
    return kShared;
}

} // namespace dormer::metrics
