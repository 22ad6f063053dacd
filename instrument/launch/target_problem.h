// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "instrument/launch/target.h"

namespace dormer::instrument::launch {

/// How a run of the target ended, in terms of our exit codes: nothing when all is well. `kept` says, as the
/// end of a sentence, what became of what it finished.
[[nodiscard]] std::optional<Error> targetProblem(const Target& target, const TargetEnd& end,
                                                 const session::Session& session, const std::string& kept);

} // namespace dormer::instrument::launch
