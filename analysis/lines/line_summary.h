// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <span>
#include <string>

namespace dormer::lines {

/// What the accesses and branches of one source line did, for people: "load: 32 sectors where 4 would do,
/// strided by 8; store: coalesced", "2 shared loads: 32 wavefronts where 1 would do", "branch: 12 % of its
/// executions split the warp". Per warp; equal kinds are told once. Empty when there is nothing to say.
[[nodiscard]] std::string lineSummary(std::span<const session::LineCounts* const> accesses);

} // namespace dormer::lines
