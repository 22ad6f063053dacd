// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// What holds for every finding and recommendation of any session, as checks of the test at hand: savings are
/// positive, at most the time of their launches, and in order; what is named is there and has the condition
/// that the finding is about, by counts of its own line or of its launch. Returns how many findings there
/// were.
std::size_t checkRecommendations(const session::Session& session);

} // namespace dormer::tests
