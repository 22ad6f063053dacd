// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/labels.h"

#include <algorithm>
#include <array>

namespace dormer::importers {

namespace {

struct Label {
    std::string_view label;
    std::string_view metric;
};

// Labels of the section files of Nsight Compute 2019 to 2025.
constexpr auto kLabels = std::to_array<Label>({
    {"Duration", "gpu__time_duration.sum"},
    {"Elapsed Cycles", "gpc__cycles_elapsed.max"},
    {"SM Active Cycles", "sm__cycles_active.avg"},
    {"SM Frequency", "sm__cycles_elapsed.avg.per_second"},
    {"DRAM Frequency", "dram__cycles_elapsed.avg.per_second"},
    {"DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) [%]", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM [%]", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL SM", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL Memory", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory [%]", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL L2 Cache", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"L1 Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    {"Registers Per Thread", "launch__registers_per_thread"},
    {"Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
    {"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"},
    {"Driver Shared Memory Per Block", "launch__shared_mem_per_block_driver"},
    {"Shared Memory Configuration Size", "launch__shared_mem_config_size"},
    {"# SMs", "launch__sm_count"},
    {"Waves Per SM", "launch__waves_per_multiprocessor"},
    {"Threads", "launch__thread_count"},
    {"Block Limit SM", "launch__occupancy_limit_blocks"},
    {"Block Limit Registers", "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", "launch__occupancy_limit_warps"},
    {"Block Limit Barriers", "launch__occupancy_limit_barriers"},
    {"Theoretical Active Warps per SM", "sm__maximum_warps_avg_per_active_cycle"},
    {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Achieved Active Warps Per SM", "sm__warps_active.avg.per_cycle_active"},
    {"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    {"Executed Ipc Elapsed", "sm__inst_executed.avg.per_cycle_elapsed"},
    {"Issued Ipc Active", "sm__inst_issued.avg.per_cycle_active"},
    {"SM Busy", "sm__instruction_throughput.avg.pct_of_peak_sustained_active"},
    {"Issue Slots Busy", "sm__inst_issued.avg.pct_of_peak_sustained_active"},
    {"One or More Eligible", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {"Executed Instructions", "smsp__inst_executed.sum"},
    {"Issued Instructions", "smsp__inst_issued.sum"},
    {"Avg. Active Threads Per Warp", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Avg. Not Predicated Off Threads Per Warp",
     "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
});

} // namespace

std::string metricOfLabel(std::string_view label, std::string_view unit) {
    if (label.find("__") != std::string_view::npos) return std::string(label);
    // Of the section Speed of Light, and of the memory workload analysis.
    if (label == "Memory Throughput")
        return unit == "%" ? "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
                           : "dram__bytes.sum.per_second";
    const auto found = std::ranges::find(kLabels, label, &Label::label);
    return found == kLabels.end() ? std::string() : std::string(found->metric);
}

} // namespace dormer::importers
