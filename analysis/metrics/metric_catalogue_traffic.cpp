// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_topics.h"

#include <array>

namespace dormer::metrics {

namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"dram_bytes_read", "DRAM read", Unit::Bytes, "dram__bytes_read.sum", "Bytes read from device memory.",
     "dram__bytes_read.sum"},
    {"dram_bytes_write", "DRAM write", Unit::Bytes, "dram__bytes_write.sum",
     "Bytes written to device memory. What L2 still holds when the kernel ends is not counted.",
     "dram__bytes_write.sum"},
    {"dram_bytes", "DRAM bytes", Unit::Bytes, "dram_bytes_read + dram_bytes_write",
     "Bytes moved between L2 and device memory, both ways.", "dram__bytes.sum"},
    {"dram_bytes_per_second", "DRAM", Unit::BytesPerSecond, "dram_bytes / duration_ns * 1e9",
     "Rate of device memory traffic over the uninstrumented duration.", "Memory Throughput"},
    {"l2_bytes", "L2 bytes", Unit::Bytes,
     "first(lts__t_sectors_op_read.sum + lts__t_sectors_op_write.sum + lts__t_sectors_op_atom.sum + "
     "lts__t_sectors_op_red.sum, lts__t_sectors.sum) * 32",
     "Bytes of the 32-byte sectors accessed in L2: reads, writes and atomics, and on chips with two "
     "L2 "
     "halves the transfers between them. Nsight Compute's L2 roofline counts only what L2 returns.",
     "lts__t_bytes.sum (nearly)"},
    {"l2_bytes_per_second", "L2", Unit::BytesPerSecond, "l2_bytes / duration_ns * 1e9",
     "Rate of L2 traffic over the uninstrumented duration.", "L2 Cache Throughput (as a rate)"},
    {"l2_peak_bytes_per_second", "L2 peak", Unit::BytesPerSecond,
     "lts__t_sectors.sum.peak_sustained * 32 * l2_clock_hz",
     "What L2 could have moved at the clock seen: the chip's own peak of sectors per clock. No figure is "
     "published for most chips.",
     ""},
    {"l2_hit_rate", "L2 hit", Unit::Ratio,
     "first(lts__t_sectors_lookup_hit.sum / (lts__t_sectors_lookup_hit.sum + "
     "lts__t_sectors_lookup_miss.sum), "
     "lts__t_sector_hit_rate.pct / 100)",
     "Share of sectors looked up in L2 that were there. Writes usually hit.", "L2 Hit Rate"},
    {"l2_sectors_per_lookup", "L2 sectors/lookup", Unit::None, "lts__t_sectors.sum / lts__t_tag_requests.sum",
     "Sectors per L2 tag lookup: 4 when whole lines are requested, 1 when accesses are "
     "scattered.",
     ""},
    {"l2_lookup_utilization", "L2 lookups", Unit::Ratio,
     "first(lts__t_tag_requests.sum * 1e9 / (duration_ns * lts__t_tag_requests.sum.peak_sustained * "
     "l2_clock_hz), lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed / 100)",
     "Tag lookups, % of peak. Scattered accesses exhaust lookups long before bytes.",
     "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed"},
    {"l1_bytes", "L1 bytes", Unit::Bytes, "l1tex__t_bytes.sum",
     "Bytes of the sectors accessed in L1, both directions. Shared memory is not part of it. Nsight "
     "Compute's L1 roofline counts only the return path.",
     "l1tex__t_bytes.sum"},
    {"l1_bytes_per_second", "L1", Unit::BytesPerSecond, "l1_bytes / duration_ns * 1e9",
     "Rate of L1 traffic over the uninstrumented duration.", ""},
    {"l1_hit_rate", "L1 hit", Unit::Ratio,
     "first(l1tex__t_sectors_lookup_hit.sum / (l1tex__t_sectors_lookup_hit.sum + "
     "l1tex__t_sectors_lookup_miss.sum), l1tex__t_sector_hit_rate.pct / 100)",
     "Share of sectors looked up in L1 that were there. Stores write through and mostly count as misses.",
     "L1/TEX Hit Rate"},
    {"shared_bytes", "shared bytes", Unit::Bytes,
     "first(shared_load_wavefronts + shared_store_wavefronts, "
     "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum) "
     "* 128",
     "Bytes shared memory could have moved in the wavefronts it spent: 32 banks of 4 bytes each. Conflicts "
     "are in "
     "it.",
     ""},
    {"shared_bytes_per_second", "shared", Unit::BytesPerSecond, "shared_bytes / duration_ns * 1e9",
     "Rate of shared-memory wavefronts in bytes, over the uninstrumented duration.", ""},
});

} // namespace

std::span<const Metric> trafficMetrics() {
    return kMetrics;
}

} // namespace dormer::metrics
