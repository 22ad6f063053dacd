// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What the kernel table has columns for.
#include "analysis/view/kernel_table.h"

#include <cassert>
#include <numeric>

namespace dormer::view {

const Column& kernelColumn(KernelColumn column) {
    static const std::string kShare = "99999"; // above 100 is shown as it is
    static const std::array<Column, kKernelColumns> kColumns{{
        {.title = "verdict",
         .tooltip =
             "What bounds the kernel: circle memory, square compute, triangle latency, diamond balanced."},
        {.title = "kernel", .tooltip = "The workload of the built-in suite, else the kernel's short name."},
        {.title = "calls",
         .tooltip = "Launches of the same kernel with the same grid, block and shared memory.",
         .numeric = true},
        {.title = "time",
         .tooltip =
             "GPU time of all launches of the row, from an uninstrumented run; predicted where emulated.",
         .numeric = true,
         .metric = "duration_ns"},
        {.title = "share",
         .unit = "%",
         .tooltip = "Share of the GPU time of all kernels.",
         .numeric = true,
         .widest = kShare},
        {.title = "DRAM",
         .unit = "% of roof",
         .tooltip = "Time the DRAM traffic needs at the memory's peak rate, as a share of the kernel's time.",
         .numeric = true,
         .metric = "dram_bytes_per_second",
         .widest = kShare},
        {.title = "L2 hit",
         .unit = "%",
         .tooltip = "Share of L2 sector lookups that hit.",
         .numeric = true,
         .metric = "l2_hit_rate",
         .widest = kShare},
        {.title = "sectors/req",
         .tooltip =
             "32-byte sectors per request of a warp: actual / ideal. Of global loads (ld) or stores (st), "
             "whichever are farther from their ideal.",
         .numeric = true,
         .metric = "global_load_sectors_per_request",
         .widest = "99.9 / 99.9 ld"},
        {.title = "conflicts",
         .tooltip =
             "Shared-memory wavefronts per ideal wavefront: n-way bank conflicts. The worse of loads and "
             "stores.",
         .numeric = true,
         .metric = "shared_load_ways",
         .widest = "1024-way"},
        {.title = "achieved occ.",
         .unit = "%",
         .tooltip = "Achieved occupancy: resident warps on average, as a share of what an SM holds.",
         .numeric = true,
         .metric = "achieved_occupancy",
         .widest = kShare},
        {.title = "est. savings",
         .tooltip =
             "Estimated time saved over all launches of the row by fixing what its largest finding names.",
         .numeric = true},
    }};
    return kColumns[raw(column)];
}

std::array<bool, kKernelColumns> kernelColumnsWithin(std::span<const int> widths, int available) {
    assert(widths.size() == kKernelColumns);
    using enum KernelColumn;
    static constexpr std::array kLeastTelling{Share, Calls, L2Hit, Occupancy, Conflicts, Dram, Sectors};
    std::array<bool, kKernelColumns> shown;
    shown.fill(true);
    int needed = std::accumulate(widths.begin(), widths.end(), 0);
    for (const KernelColumn column : kLeastTelling) {
        if (needed <= available) break;
        shown[raw(column)] = false;
        needed -= widths[raw(column)];
    }
    return shown;
}

} // namespace dormer::view
