// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/glob.h"

#include "tests/support/catch.h"

using dormer::base::globMatches;

TEST_CASE("Globs match whole paths") {
    CHECK(globMatches("transpose/*", "transpose/tiled"));
    CHECK(globMatches("*", ""));
    CHECK(globMatches("a?c*", "abcd"));
    CHECK_FALSE(globMatches("transpose", "transpose/tiled"));
    CHECK_FALSE(globMatches("a?c", "ac"));
    CHECK(globMatches("*fwd*attn", "model > fwd > layers.0.attn"));
    CHECK(globMatches("layers.[0-2]", "layers.1"));
    CHECK_FALSE(globMatches("layers[1]", "layers[1]"));
    CHECK(globMatches("layers\\[1]", "layers[1]"));
}
