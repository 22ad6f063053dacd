// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/collector_abi.h"

namespace dormer::instrument::collect {

/// What an instrumented program declares, as records.
[[nodiscard]] session::Expectation recordOf(const DormerExpectation& expectation);
[[nodiscard]] session::Workload recordOf(const DormerWorkload& workload);
[[nodiscard]] session::Sweep recordOf(const DormerSweep& sweep);

} // namespace dormer::instrument::collect
