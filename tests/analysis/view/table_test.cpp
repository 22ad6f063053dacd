// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/table.h"

#include "tests/support/catch.h"

using namespace dormer::view;

TEST_CASE("a head folds into two lines of about one length", "[view]") {
    CHECK(headText({.title = "est. savings", .unit = "ms"}) == "est. savings, ms");
    CHECK(headText({.title = "kernel"}) == "kernel");
    CHECK(foldedHead({.title = "est. savings", .unit = "ms"}) == "est.\nsavings, ms");
    CHECK(foldedHead({.title = "DRAM", .unit = "% of roof"}) == "DRAM, %\nof roof");
    CHECK(foldedHead({.title = "time", .unit = "µs"}) == "time\nµs");
    CHECK(foldedHead({.title = "achieved occ.", .unit = "%"}) == "achieved\nocc., %");
    CHECK(foldedHead({.title = "kernel"}) == "kernel\n");
}
