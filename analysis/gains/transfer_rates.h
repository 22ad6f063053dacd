// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace dormer::gains {

/// Time of one copy between host and device, call and all, of one size.
struct TransferRate {
    double bytes = 0;
    double ns = 0;
    std::string_view source; ///< workload of samples/h100-suite.dormer that it was recorded with
};

/// From ordinary memory, by size, smallest first.
[[nodiscard]] std::span<const TransferRate> pageableRates();
/// From page-locked memory.
[[nodiscard]] std::span<const TransferRate> pinnedRates();
/// Whose they are, for people: "an H100 SXM".
[[nodiscard]] std::string_view transferRatesOf();

/// Time of a copy of `bytes` by such a table, in ns: on a line between two sizes, no less than the smallest
/// takes, in proportion beyond the largest.
[[nodiscard]] double copyNs(std::span<const TransferRate> rates, double bytes);

/// How long a copy between host and one device takes, call and all: by the rates measured of that device
/// where the session has them (dormer ceilings), else by the tables above.
class CopyTimes {
public:
    /// `device` is Device::id.
    CopyTimes(const session::Session& session, std::int32_t device);

    /// In ns. Measured: the time of a call, and that of the bytes at the rate of the direction and memory.
    [[nodiscard]] double ns(double bytes, bool toDevice, bool pageable) const;
    /// Where such times are from, for people: "from rates measured on this machine", "from copies recorded on
    /// an H100 SXM".
    [[nodiscard]] std::string source(bool toDevice, bool pageable) const;

private:
    [[nodiscard]] double rate(bool toDevice, bool pageable) const;
    std::array<double, 4> m_bytesPerSecond{}; ///< 0 where it was not measured
    double m_callNs = 0;
};

} // namespace dormer::gains
