// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/importers/ncu/result.h"

namespace dormer::importers {

/// Reads what ncu prints for people (--page details without --csv, a log of a run): kernels' heads and the
/// tables below them. False when no kernel is in it; nothing is added then.
[[nodiscard]] bool importNcuText(std::string_view text, SessionBuilder& builder);

} // namespace dormer::importers
