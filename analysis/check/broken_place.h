// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/session/user_line.h"

namespace dormer::check {

/// Source line behind the metrics of a rule that a launch breaks: of those of shared memory the one with the
/// most excessive wavefronts, of global memory the one with the most excessive sectors, of local memory the
/// one with the most sectors, of divergence the one that splits most warps; without excess the one that moved
/// most. Empty without counts per line, and for metrics of other things.
[[nodiscard]] session::SourceFrame brokenPlace(const diagnosis::Diagnosis& diagnosis,
                                               session::LaunchIndex launch,
                                               const std::vector<std::string>& names);

} // namespace dormer::check
