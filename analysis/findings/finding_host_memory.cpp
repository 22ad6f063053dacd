// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

namespace dormer::findings {

void checkHostMemory(const FindingContext& c) {
    const auto foreign = foreignBytes(c.metrics, c.launch);
    const auto duration = c.value("duration_ns");
    if (!foreign || !duration) return;
    c.out.push_back(
        {"host-memory-access", "Reads memory that is not the device's",
         fmt::format("{} that loads missed in L2 did not come from DRAM: over the bus, {} in all",
                     metrics::forPeople(foreign, metrics::Unit::Bytes),
                     metrics::forPeople(*foreign / *duration * 1e9, metrics::Unit::BytesPerSecond)),
         "Copy to device memory what is read more than once or by most threads; leave in the "
         "host's memory what "
         "is touched once and sparsely. Managed memory: cudaMemPrefetchAsync before the launch.",
         c.gain().fromDeviceMemory()});
}

} // namespace dormer::findings
