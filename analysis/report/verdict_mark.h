// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict.h"

namespace dormer::analysis {

/// How a verdict looks in every report: colour and shape always together, so that neither is needed alone.
struct VerdictMark {
    std::string_view word;   ///< "memory"
    std::string_view symbol; ///< "●", one column wide
    std::string_view cssClass;
    std::string_view light; ///< colour on a light ground
};

[[nodiscard]] const VerdictMark& markOf(Bound bound);

} // namespace dormer::analysis
