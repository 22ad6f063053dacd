// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare/comparison.h"

namespace dormer::compare {

/// One self-contained page in the style of the report, no network and no scripts.
[[nodiscard]] std::string compareHtml(const Comparison& comparison, std::string_view title);

} // namespace dormer::compare
