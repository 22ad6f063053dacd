// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/lane_pattern.h"

#include <string>

namespace dormer::report {

/// A picture of its own, lanes above, the bytes they touch below; light and dark by the reader's choice.
[[nodiscard]] std::string patternSvg(const access::LanePattern& pattern);

} // namespace dormer::report
