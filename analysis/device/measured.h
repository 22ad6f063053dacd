// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/architecture.h"

namespace dormer::device {

/// What a measurement of a ceiling is called in records: toString() of its resource, of tensor cores
/// "tensor_fp16" and so on. The SM clock seen meanwhile is another record, "fp32_clock".
[[nodiscard]] std::string measuredName(Resource resource, TensorFormat format = TensorFormat::Fp16);

/// The best of what was measured of a device by this name, per second: also of what bounds no kernel, such as
/// "launches", "atomics_one" or "host_to_device". 0 when nothing was. `device` is Device::id.
[[nodiscard]] double measuredRate(const session::Session& session, std::int32_t device,
                                  std::string_view name);

/// A measured ceiling as it applies at these clocks: what belongs to an SM scales with the SM clock, DRAM and
/// L2 do not. 0 when the session has none.
[[nodiscard]] double measuredPeakPerSecond(const session::Session& session, const session::Device& device,
                                           Resource resource, const Clocks& clocks,
                                           TensorFormat format = TensorFormat::Fp16);

} // namespace dormer::device
