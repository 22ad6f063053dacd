// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sampling/sample_source.h"

#include <functional>

namespace dormer::instrument::cupti::sampling {

/// Sorts what sampling wants to know, most important first, into groups that the chip reads at once. DRAM and
/// L2 traffic is in every group. `offers` tells whether the chip has a metric, `onePass` whether it reads
/// these in one pass. What the chip does not have is left out; no group at all where it has no counter of
/// DRAM.
[[nodiscard]] std::vector<SampleGroup>
planGroups(const std::function<bool(const std::string&)>& offers,
           const std::function<bool(const std::vector<std::string>&)>& onePass);

} // namespace dormer::instrument::cupti::sampling
