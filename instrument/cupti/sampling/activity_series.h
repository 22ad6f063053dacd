// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/cupti/sampling/sample_source.h"

namespace dormer::instrument::cupti::sampling {

/// A value of a sample that is a sum, whatever the chip gives. `sectors` is the column of
/// "lts__t_sectors.sum"; beyond the group when it has none.
[[nodiscard]] double valueOf(const Burst& burst, std::size_t sample, std::size_t column,
                             const SampleGroup& group, std::size_t sectors);
/// The column of "lts__t_sectors.sum"; the group's size when it has none.
[[nodiscard]] std::size_t sectorsColumn(const SampleGroup& group);

/// What a burst says of the device as a whole, counter by counter, in at most `steps` steps of equally many
/// samples: sums per second, means weighted by time. `offsetNs` is added to the samples' times.
[[nodiscard]] std::vector<session::DeviceActivity> activityOf(const Burst& burst, const SampleGroup& group,
                                                              std::int64_t offsetNs, std::size_t steps);

/// How many steps are told of a burst, so that a run of hours makes a session of bounded growth: 64 at first,
/// half of that each time that the number of bursts doubles; at least one.
[[nodiscard]] std::size_t activitySteps(std::size_t burstsBefore);

} // namespace dormer::instrument::cupti::sampling
