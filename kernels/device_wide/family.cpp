// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"

namespace dormer::kernels {

Family deviceWideFamily() {
    return {
        .name = "device_wide",
        .title = "Device-wide algorithms of CUB",
        .shows = "A tuned library's kernels, under the NVTX ranges that CUB opens itself",
        .groups = {deviceReduceGroup(), deviceScanGroup(), deviceRadixSortGroup(), deviceThrustSortGroup(),
                   deviceSelectGroup(), deviceUniqueGroup(), devicePartitionGroup(), deviceRunLengthGroup(),
                   deviceReduceByKeyGroup(), deviceArgReduceGroup(), deviceHistogramEvenGroup(),
                   deviceHistogramRangeGroup(), deviceTransformGroup()},
        .lookAt =
            "One call of a library is several kernels. The NVTX path of each, such as 'device_wide/scan > "
            "cub::DeviceScan::InclusiveSum', tells which call launched it. Then compare global_load_sectors "
            "and "
            "global_store_sectors with the arithmetic: one sector for each eight elements is the least, and "
            "what a "
            "kernel moves beyond it is the price of working in one pass (states of tiles that look back at "
            "each "
            "other) or of scattering (a radix sort's digits begin anywhere). dram_bytes_per_second tells how "
            "near to "
            "the roof a tuned kernel gets, and kernel_ns what the passes of a sort add up to.",
        .figures = {"kernel_count", "kernel_ns", "dram_bytes_per_second", "achieved_occupancy"}};
}

} // namespace dormer::kernels
