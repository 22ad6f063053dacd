// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sample_kernels.h"

namespace dormer::tests {

namespace {

constexpr double kSms = 132;
constexpr double kSmHz = 1.755e9;
constexpr double kL2Hz = 1.6e9;
constexpr double kDramHz = 2.619e9;
// What CUPTI reports for GH100.
constexpr double kL2SectorsPerCycle = 282;
constexpr double kL2LookUpsPerCycle = 94;

using Counters = std::map<std::string, double>;

void addTraffic(Counters& c, const SampleKernel& k, double scale) {
    c["dram__bytes_read.sum"] = k.dramReadBytes * scale;
    c["dram__bytes_write.sum"] = k.dramWriteBytes * scale;

    // Nothing is found in L1, so L2 sees every sector; reads that DRAM served are its misses.
    const double sectors = (k.loadSectors + k.storeSectors + k.redSectors) * scale;
    c["lts__t_sectors_op_read.sum"] = k.loadSectors * scale;
    c["lts__t_sectors_op_write.sum"] = k.storeSectors * scale;
    c["lts__t_sectors_op_atom.sum"] = 0;
    c["lts__t_sectors_op_red.sum"] = k.redSectors * scale;
    c["lts__t_sectors.sum"] = sectors;
    c["lts__t_sectors_lookup_miss.sum"] = k.dramReadBytes / 32 * scale;
    c["lts__t_sectors_lookup_hit.sum"] = sectors - k.dramReadBytes / 32 * scale;
    c["lts__t_sectors.sum.peak_sustained"] = kL2SectorsPerCycle;
    // A tag lookup serves a 128-byte line: four sectors of a full request, one of a scattered one.
    const auto lookUps = [](double lineSectors, double requests) {
        return lineSectors > 4 * requests ? lineSectors : lineSectors / 4;
    };
    c["lts__t_tag_requests.sum"] =
        (lookUps(k.loadSectors, k.loadRequests) + lookUps(k.storeSectors, k.storeRequests) + k.redSectors) *
        scale;
    c["lts__t_tag_requests.sum.peak_sustained"] = kL2LookUpsPerCycle;

    const double l1Sectors = (k.loadSectors + k.storeSectors) * scale;
    c["l1tex__t_bytes.sum"] = l1Sectors * 32;
    c["l1tex__t_sectors_lookup_hit.sum"] = 0;
    c["l1tex__t_sectors_lookup_miss.sum"] = l1Sectors;
}

void addPatched(Counters& c, const SampleKernel& k, double scale) {
    const auto threads = [&](const char* op, double value) {
        c[std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum"] = value * scale;
    };
    threads("fadd", k.fadd);
    threads("fmul", k.fmul);
    threads("ffma", k.ffma);
    threads("dadd", k.dadd);
    threads("dmul", k.dmul);
    threads("dfma", k.dfma);
    threads("hadd", 0);
    threads("hmul", 0);
    threads("hfma", 0);
    threads("integer", k.integer);

    const auto executed = [&](const char* op, double value) {
        c[std::string("smsp__sass_inst_executed_op_") + op + ".sum"] = value * scale;
    };
    executed("shared_ld", k.sharedLoads);
    executed("shared_st", k.sharedStores);
    executed("shared_atom", k.sharedAtomics);
    executed("global_ld", k.loadRequests);
    executed("global_st", k.storeRequests);
    executed("global_atom", 0);
    executed("global_red", k.redInstructions);

    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum"] = 0;
    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum"] = 0;
    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"] = k.loadSectors * scale;
    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"] = k.storeSectors * scale;
    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"] = 0;
    c["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum"] = k.redSectors * scale;
    c["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = k.sharedLoadWavefronts * scale;
    c["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = k.sharedStoreWavefronts * scale;
    // A ratio over nothing is not a number and so is not reported.
    const auto ratio = [&](const char* name, double numerator, double denominator) {
        if (denominator > 0) c[name] = numerator / denominator;
    };
    ratio("smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", 128 * k.sharedLoads,
          k.sharedLoadWavefronts);
    ratio("smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", 128 * k.sharedStores,
          k.sharedStoreWavefronts);
    ratio("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", k.loadBytes, k.loadSectors);
    ratio("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", k.storeBytes, k.storeSectors);
}

} // namespace

std::map<std::string, double> countersOf(const SampleKernel& k, double scale, double durationNs) {
    Counters c;
    const double cycles = durationNs * 1e-9 * kSmHz;
    const double warps = k.warpInstructions * scale;
    c["gpu__time_duration.sum"] = durationNs;
    c["sm__cycles_elapsed.max"] = cycles;
    c["sm__cycles_elapsed.avg.per_second"] = kSmHz;
    c["dram__cycles_elapsed.avg.per_second"] = kDramHz;
    c["lts__cycles_elapsed.avg.per_second"] = kL2Hz;
    c["sm__warps_active.avg.pct_of_peak_sustained_active"] = k.warpsActivePercent;
    c["smsp__inst_executed.sum"] = warps;
    c["smsp__inst_issued.sum"] = warps;
    // Four schedulers a SM, one instruction a cycle each.
    c["smsp__issue_active.avg.pct_of_peak_sustained_active"] = 100 * warps / (4 * kSms * cycles);
    c["smsp__thread_inst_executed.sum"] = warps * 32;
    c["smsp__thread_inst_executed_pred_on.sum"] = warps * 32;
    c["sm__inst_executed_pipe_tensor.sum"] = 0;
    c["sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"] = 0;
    addTraffic(c, k, scale);
    addPatched(c, k, scale);
    return c;
}

} // namespace dormer::tests
