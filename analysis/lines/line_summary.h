// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <span>
#include <string>

namespace dormer::lines {

/// What the accesses and branches of one source line did: "load: 32 sectors/request (ideal 4), stride of 8
/// elements; store: coalesced", "2 shared loads: 32 wavefronts/request (ideal 1)", "branch: 12 % of its
/// executions diverge". Equal kinds appear once. Empty when there is nothing to say.
[[nodiscard]] std::string lineSummary(std::span<const session::LineCounts* const> accesses);

} // namespace dormer::lines
