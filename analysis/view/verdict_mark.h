// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verdict.h"

namespace dormer::view {

/// How a verdict looks in every report: colour and shape always together, so that neither is needed alone.
struct VerdictMark {
    std::string_view word;   ///< "memory"
    std::string_view symbol; ///< "●", one column wide
    std::string_view cssClass;
    std::string_view light; ///< colour on a light ground
};

[[nodiscard]] const VerdictMark& markOf(verdict::Bound bound);

} // namespace dormer::view
