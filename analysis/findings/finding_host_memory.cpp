// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

namespace dormer::findings {

void checkHostMemory(const FindingContext& c) {
    const auto foreign = gains::foreignBytes(c.metrics, c.launch);
    const auto duration = c.value("duration_ns");
    if (!foreign || !duration) return;
    c.add(FindingKind::HostMemory,
          fmt::format("{} of L2 load misses were not served by DRAM: {} over PCIe or NVLink",
                      metrics::forPeople(foreign, metrics::Unit::Bytes),
                      metrics::forPeople(*foreign / *duration * 1e9, metrics::Unit::BytesPerSecond)),
          c.gain().fromDeviceMemory());
}

} // namespace dormer::findings
