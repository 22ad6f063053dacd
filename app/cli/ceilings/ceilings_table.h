// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/ceiling.h"
#include "instrument/ceilings/measured_roofs.h"

#include <optional>
#include <string>
#include <vector>

namespace dormer::cli {

/// One line of `dormer ceilings`: a rate of the device, measured, theoretical or both.
struct CeilingRow {
    std::string resource; ///< "dram", "dram_copy", "tensor_fp16", "launches"
    std::string title;    ///< "DRAM", "copy", "FP16 tensor"
    std::string unit;     ///< "B/s", "FLOP/s", "op/s", "launches/s"
    bool part = false;    ///< one of several ways to get at the row above
    const instrument::ceilings::MeasuredRoof* measured = nullptr;
    std::optional<device::Ceiling> theoretical{};

    /// Theoretical rate at the SM clock seen while it was measured; at the maximum clock where none was.
    [[nodiscard]] std::optional<double> theoreticalAtClock(const session::Device& device) const;
    /// Measured over theoreticalAtClock().
    [[nodiscard]] std::optional<double> share(const session::Device& device) const;
};

/// All rows with anything to say, in the order of the catalogue. `roofs` may be null, and must outlive them.
[[nodiscard]] std::vector<CeilingRow> ceilingRows(const session::Device& device,
                                                  const instrument::ceilings::MeasuredRoofs* roofs);

/// "4.62 TB/s"; of events that take longer than a few ns the time of one: "746 ns".
[[nodiscard]] std::string rateText(const CeilingRow& row, double perSecond);

/// The table for people; `explain` adds a line or two below each row: how it was measured, how it is
/// computed.
[[nodiscard]] std::string ceilingsText(const session::Device& device,
                                       const instrument::ceilings::MeasuredRoofs* roofs, bool explain);
[[nodiscard]] std::string ceilingsJson(const session::Device& device,
                                       const instrument::ceilings::MeasuredRoofs* roofs);

} // namespace dormer::cli
