// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_topics.h"

#include <array>

namespace dormer::metrics {

namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"duration_ns", "time", Unit::Nanoseconds, "launch.duration_ns",
     "Time the kernel ran, from a pass without counters. Counter passes run longer, so their own time is "
     "never used "
     "for a rate. Where emulated it is a prediction.",
     "Duration (of a counter pass)"},
    {"sm_clock_hz", "SM clock", Unit::Hertz, "sm__cycles_elapsed.avg.per_second",
     "SM clock seen while counting. Dormer records clocks and does not lock them.", "SM Frequency"},
    {"l2_clock_hz", "L2 clock", Unit::Hertz, "lts__cycles_elapsed.avg.per_second",
     "L2 clock seen while counting.", ""},
    {"memory_clock_hz", "DRAM clock", Unit::Hertz, "dram__cycles_elapsed.avg.per_second",
     "DRAM clock seen while counting. How it relates to the driver's memory clock differs by chip.",
     "DRAM Frequency"},
    {"grid_blocks", "blocks", Unit::Count, "launch.grid_blocks", "Blocks of the grid.", "Grid Size"},
    {"block_threads", "threads", Unit::Count, "launch.block_threads", "Threads of a block.", "Block Size"},
    {"registers_per_thread", "regs", Unit::Count, "kernel.registers_per_thread",
     "Registers the compiler gave a thread.", "Registers Per Thread"},
    {"shared_bytes_per_block", "smem/block", Unit::Bytes,
     "kernel.static_shared_bytes + launch.dynamic_shared_bytes",
     "Shared memory a block asks for, static and dynamic, without what the driver reserves.",
     "Static + Dynamic Shared Memory Per Block"},
    {"blocks_per_sm", "blocks/SM", Unit::Count, "launch.blocks_per_sm",
     "Blocks an SM can hold at once, by registers, shared memory, threads and block slots.", "Block Limit"},
    {"theoretical_occupancy", "occ. max", Unit::Ratio,
     "launch.blocks_per_sm * launch.warps_per_block / device.max_warps_per_sm",
     "Share of an SM's warp slots that the launch configuration can fill.", "Theoretical Occupancy"},
    {"achieved_occupancy", "occ.", Unit::Ratio,
     "first(sm__warps_active.avg.pct_of_peak_sustained_active / 100, "
     "sm__warps_active.sum / (sm__cycles_active.sum * device.max_warps_per_sm))",
     "Share of an SM's warp slots that were filled, averaged over the cycles in which the SM had work.",
     "Achieved Occupancy"},
    {"waves", "waves", Unit::None, "launch.grid_blocks / (device.sm_count * launch.blocks_per_sm)",
     "How many times the grid fills the device. Below 1 the device is not full even once; a little above a "
     "whole "
     "number leaves a tail.",
     "Waves Per SM"},
    {"threads_per_warp", "threads/warp", Unit::None,
     "smsp__thread_inst_executed.sum / smsp__inst_executed.sum",
     "Threads that took part in an average warp instruction. Below the warp size, warps diverge or are not "
     "full.",
     "Avg. Active Threads Per Warp"},
    {"threads_per_warp_predicated", "threads/warp on", Unit::None,
     "smsp__thread_inst_executed_pred_on.sum / smsp__inst_executed.sum",
     "The same, counting only threads whose predicate was on.", "Avg. Not Predicated Off Threads Per Warp"},
    {"issue_utilization", "issue", Unit::Ratio,
     "first(smsp__issue_active.avg.pct_of_peak_sustained_active / 100, "
     "smsp__issue_active.sum / (4 * sm__cycles_active.sum))",
     "Share of active cycles in which a scheduler issued an instruction.", "Issue Slots Busy"},
    {"ipc", "IPC", Unit::None,
     "smsp__inst_executed.sum / first(sm__cycles_elapsed.max, sm_clock_hz * duration_ns * 1e-9) / "
     "device.sm_count",
     "Warp instructions an SM executed per elapsed cycle; 4 is the most.", "Executed Ipc Elapsed"},
});

} // namespace

std::span<const Metric> launchMetrics() {
    return kMetrics;
}

} // namespace dormer::metrics
