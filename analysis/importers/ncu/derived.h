// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace dormer::importers {

/// Adds counters that Dormer's metrics read and that Nsight Compute's metrics hold in another form. Counters
/// that are there stay. What can't be worked out stays absent.
void addDerivedCounters(std::map<std::string, double>& values);

} // namespace dormer::importers
