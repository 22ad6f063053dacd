// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// A counted launch whose kernel, workload, NVTX path, program and note all try to break out of every output
/// format: markup, quotes, separators, line breaks, terminal escapes, broken UTF-8.
[[nodiscard]] session::Session hostileSession();

inline constexpr const char* kHostileName =
    "<script>alert(1)</script>\"'&`|,;\n\x1b[31m]]>--><img src=x onerror=alert(2)>\xff\xe2\x80\xae";

} // namespace dormer::tests
