// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/filter/where.h"
#include "analysis/session/names/name_filter.h"
#include "analysis/session/session.h"

namespace dormer::cli {

/// The session with only the launches whose workload or kernel matches; everything else stays.
[[nodiscard]] session::Session keepKernels(const session::Session& session,
                                           const session::NameFilter& filter);
/// The same with the launches that an expression holds for. What belongs to no launch and no workload of
/// theirs goes.
[[nodiscard]] session::Session keepWhere(const session::Session& session, const filter::Where& where);

} // namespace dormer::cli
