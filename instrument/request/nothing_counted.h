// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::instrument::request {

/// Why a collection has no counters although it should: what was launched, and what turned each away. One
/// line per kernel and reason, the first for the whole; empty when some launch was counted.
[[nodiscard]] std::vector<std::string> whyNothingWasCounted(const session::Session& session);

} // namespace dormer::instrument::request
