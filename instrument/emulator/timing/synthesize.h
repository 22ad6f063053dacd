// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/counter_sets.h"
#include "instrument/emulator/timing/predict.h"

#include <map>
#include <string>

namespace dormer::emulator::timing {

/// The counters of a set that the emulator can give: exact ones counted by instruction, modelled ones of the
/// caches, and predicted ones that follow from the time. Counters it can't give are absent.
[[nodiscard]] std::map<std::string, double> synthesizeCounters(const metrics::CounterSet& set,
                                                               const device::Chip& chip,
                                                               const counts::LaunchCounts& counts,
                                                               const counts::Traffic& traffic,
                                                               const Prediction& prediction);

} // namespace dormer::emulator::timing
