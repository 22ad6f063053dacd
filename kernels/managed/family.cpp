// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/managed/groups.h"

namespace dormer::kernels {

Family managedFamily() {
    return {
        .name = "managed",
        .title = "Managed memory",
        .shows = "What it costs when the driver moves pages between host and device, and how to spare it",
        .groups = {managedGroup(), staticManagedGroup()},
        .lookAt = "In each variant the host writes an array and a kernel adds one to it. duration_ns of "
                  "on_demand holds "
                  "the migrations: each page the kernel touches first raises a fault (gpu_page_faults), "
                  "waits for the "
                  "driver, and comes over the bus (migration_bytes_to_device). prefetch asks for the pages "
                  "beforehand, so "
                  "that the kernel runs as fast as on the device's own memory. With advise the pages stay on "
                  "the host "
                  "and every access crosses the bus, which pays for data that is touched seldom. A "
                  "__managed__ variable "
                  "behaves like on_demand.",
        .figures = {"duration_ns", "elapsed_ns", "migration_bytes_to_device", "migration_bytes_to_host",
                    "gpu_page_faults", "cpu_page_faults"},
    };
}

} // namespace dormer::kernels
