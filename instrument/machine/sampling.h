// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <string>

namespace dormer::instrument::machine {

/// Whether a GPU's counters can be sampled while programs run at their own speed (CUPTI's PM sampling).
struct Sampling {
    bool available = false;
    std::string text; ///< how its intervals are counted, or what is missing
};

/// By compute capability: 7.5 or newer (cupti_pmsampling.h), from 8.6 on at intervals of time, before of SM
/// clock cycles.
[[nodiscard]] Sampling samplingOf(const session::Device& device);

} // namespace dormer::instrument::machine
