// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model.h"
#include "instrument/collector_abi.h"

namespace dormer::instrument {

/// What an instrumented program declares, as records.
[[nodiscard]] analysis::Expectation recordOf(const DormerExpectation& expectation);
[[nodiscard]] analysis::Workload recordOf(const DormerWorkload& workload);
[[nodiscard]] analysis::Sweep recordOf(const DormerSweep& sweep);

} // namespace dormer::instrument
