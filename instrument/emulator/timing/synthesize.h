// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/counter_sets.h"
#include "instrument/emulator/timing/predict.h"

#include <map>
#include <string>

namespace dormer::emulator {

/// The counters of a set that the emulator can give: exact ones counted by instruction, modelled ones of the
/// caches, and predicted ones that follow from the time. Counters it can't give are absent.
[[nodiscard]] std::map<std::string, double>
synthesizeCounters(const analysis::CounterSet& set, const analysis::Chip& chip, const LaunchCounts& counts,
                   const Traffic& traffic, const Prediction& prediction);

} // namespace dormer::emulator
