// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/gains/transfer_rates.h"

#include "analysis/device/measured.h"

#include <fmt/format.h>

namespace dormer::gains {

namespace {

/// Means over the copies of a workload; the time of a call that returns when the copy is done. Copies in one
/// piece (transfer/fragmented/1, transfer/pageable_*, transfer/pinned_*) are left out: docs/diagnosis.md
/// checks predictions with them.
constexpr auto kPageable = std::to_array<TransferRate>({
    {1e3, 6996, "transfer/fragmented/100000"},
    {1e4, 8337, "transfer/fragmented/10000"},
    {1e5, 22041, "transfer/fragmented/1000"},
    {1e6, 145256, "transfer/fragmented/100"},
    {1e7, 1244898, "transfer/fragmented/10"},
});

/// What is small costs its call, from whatever memory; what is large that and the copy engine's time,
/// recorded where copies don't wait for the host: 12 copies of 8 MiB in 1848677 ns.
constexpr auto kPinned = std::to_array<TransferRate>({
    {1e3, 6996, "transfer/fragmented/100000"},
    {8388608, 6996 + 1848677 / 12.0, "transfer/async_one_stream"},
});

} // namespace

std::span<const TransferRate> pageableRates() {
    return kPageable;
}

std::span<const TransferRate> pinnedRates() {
    return kPinned;
}

std::string_view transferRatesOf() {
    return "an H100 SXM";
}

double copyNs(std::span<const TransferRate> rates, double bytes) {
    if (bytes <= rates.front().bytes) return rates.front().ns;
    for (std::size_t i = 1; i < rates.size(); ++i) {
        const TransferRate &low = rates[i - 1], &high = rates[i];
        if (bytes <= high.bytes)
            return low.ns + (high.ns - low.ns) * (bytes - low.bytes) / (high.bytes - low.bytes);
    }
    return rates.back().ns * bytes / rates.back().bytes;
}

CopyTimes::CopyTimes(const session::Session& session, std::int32_t device) : m_callNs(kPinned.front().ns) {
    constexpr std::array<std::string_view, 4> kNames{"device_to_host", "device_to_host_pageable",
                                                     "host_to_device", "host_to_device_pageable"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
        m_bytesPerSecond[i] = device::measuredRate(session, device, kNames[i]);
    // Of 1 kB, whose bytes take no time to speak of.
    if (const double calls = device::measuredRate(session, device, "small_copies"); calls > 0)
        m_callNs = 1e9 / calls;
}

double CopyTimes::rate(bool toDevice, bool pageable) const {
    return m_bytesPerSecond[(toDevice ? 2U : 0U) + (pageable ? 1U : 0U)];
}

double CopyTimes::ns(double bytes, bool toDevice, bool pageable) const {
    const double perSecond = rate(toDevice, pageable);
    if (perSecond > 0) return m_callNs + bytes / perSecond * 1e9;
    return copyNs(pageable ? pageableRates() : pinnedRates(), bytes);
}

std::string CopyTimes::source(bool toDevice, bool pageable) const {
    return rate(toDevice, pageable) > 0 ? "from rates measured on this machine"
                                        : fmt::format("from copies recorded on {}", transferRatesOf());
}

} // namespace dormer::gains
