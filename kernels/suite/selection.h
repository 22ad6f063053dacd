// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "kernels/suite/registry.h"

namespace dormer::kernels {

/// Variants whose path matches one of the patterns, in registry order; all when there are none. A pattern is
/// a glob over the path ("transpose/*", "*/tiled*") or a family's name. ErrorKind::Usage names the first
/// pattern that matches nothing and the nearest paths.
[[nodiscard]] Result<std::vector<Selected>> select(const std::vector<std::string>& patterns);

} // namespace dormer::kernels
