// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Measured roofs of a device: what dormer-ceilings prints, how it is cached, and what of it sessions hold.
namespace dormer::instrument::ceilings {

/// One benchmark's figure.
struct MeasuredRoof {
    std::string resource;            ///< "dram", "dram_copy", "fp32", "tensor_fp16", "launches", ...
    std::optional<double> perSecond; ///< bytes, operations or events; absent: `problem` says why
    bool ofHost = false;             ///< the host sets the pace, not the device
    double spread = 0;               ///< (90th - 10th percentile) / median of the repetitions
    std::optional<double> clockHz;   ///< seen meanwhile: the SM clock, of DRAM the memory clock
    std::string method;              ///< what was done, with the configuration that won
    std::string problem;
};

struct MeasuredRoofs {
    std::string deviceName, uuid, driverVersion;
    std::int64_t measuredAtNs = 0; ///< since the epoch
    std::vector<MeasuredRoof> roofs;

    [[nodiscard]] const MeasuredRoof* find(std::string_view resource) const;
};

/// What dormer-ceilings prints: a JSON object per line. ErrorKind::Input for a line of another kind, or a
/// rate that is no positive number.
[[nodiscard]] Result<std::vector<MeasuredRoof>> parseMeasurements(std::string_view lines);

/// The cache's file, and back. ErrorKind::Input for text that is not one.
[[nodiscard]] std::string formatRoofs(const MeasuredRoofs& roofs);
[[nodiscard]] Result<MeasuredRoofs> parseRoofs(std::string_view text);

/// What a session keeps of it: a ceiling per figure, and for those that hang on the SM clock one more, named
/// "fp32_clock" and so on, of the cycles per second seen meanwhile.
[[nodiscard]] std::vector<session::MeasuredCeiling> recordsOf(const MeasuredRoofs& roofs,
                                                              std::int32_t device);

} // namespace dormer::instrument::ceilings
