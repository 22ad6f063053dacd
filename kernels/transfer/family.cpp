// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transfer/groups.h"

namespace dormer::kernels {

Family transferFamily() {
    return {
        .name = "transfer",
        .title = "Copies between host and device",
        .shows =
            "What it costs to bring data to the device and back: kinds of host memory, numbers of calls, "
            "allocation, overlap",
        .groups = {transferCopiesGroup(), transferFragmentedGroup(), transferAllocationGroup(),
                   transferOverlapGroup()},
        .lookAt =
            "transfer_bytes_per_second is what the copy engines reached, effective_bytes_per_second what the "
            "program got in all: where the second is much lower, calls cost more than bytes. Page-locked "
            "(pinned) memory is copied directly, ordinary memory through a buffer of the driver's. Along "
            "fragmented/N the bytes stay the same and only the number of calls grows: below some tens of "
            "kilobytes a piece, copies are as good as free of charge per byte and cost per call, so gather "
            "data before copying it. memory_call_ns tells what taking and giving back memory costs: "
            "page-locked "
            "memory is worth it when it is taken once and used often. async_overlap does the work of "
            "async_one_stream in less elapsed_ns, because the copy engines and the kernels work side by "
            "side.",
        .sweeps = {{.name = "fragmented",
                    .title = "The same bytes copied in N pieces",
                    .parameters = {"pieces"},
                    .metrics = {"effective_bytes_per_second", "transfer_count", "transfer_bytes_per_second",
                                "transfer_call_ns", "elapsed_ns"},
                    .best = "highest"}},
        .reference = {{"fragmented, 100 MB in 1, 10, 100, 1k, 10k, 100k pieces, RTX 3090 Ti",
                       "9.47, 8.20, 4.47, 2.35, 0.90, 0.10 GB/s"},
                      {"pinned against pageable, host to device, RTX 3090 Ti", "23 % faster"},
                      {"pinned against pageable, device to host, RTX 3090 Ti", "14 % faster"}},
        .figures = {"effective_bytes_per_second", "transfer_bytes_per_second", "transfer_count", "elapsed_ns",
                    "memory_call_ns"},
    };
}

} // namespace dormer::kernels
