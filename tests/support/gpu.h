// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/catch.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace dormer::tests {

/// Ends the whole program as skipped (CTest is told that 77 means that), because no GPU can be used; fails
/// instead where DORMER_REQUIRE_GPU=1 says that there is one.
inline void skipWithoutGpu(const std::string& why) {
    const char* required = std::getenv("DORMER_REQUIRE_GPU");
    if (required != nullptr && std::string_view(required) == "1") FAIL("DORMER_REQUIRE_GPU=1, but " << why);
    std::fprintf(stderr, "skipped: %s\n", why.c_str());
    std::_Exit(77);
}

} // namespace dormer::tests
