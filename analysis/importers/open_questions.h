// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/importers/parts/session_builder.h"

namespace dormer::importers {

/// Code of the notes that openQuestions adds.
inline constexpr std::string_view kNotConcluded = "not-concluded";

/// Adds a note for each conclusion that the session's counters don't allow for some launch: which one, of how
/// many launches, and the first input that is missing.
void addOpenQuestions(SessionBuilder& builder);

} // namespace dormer::importers
