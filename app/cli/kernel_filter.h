// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/names/name_filter.h"
#include "analysis/session/session.h"

namespace dormer::cli {

/// The session with only the launches whose workload or kernel matches; everything else stays.
[[nodiscard]] session::Session keepKernels(const session::Session& session,
                                           const session::NameFilter& filter);

} // namespace dormer::cli
