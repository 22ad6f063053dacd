// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/excess.h"

#include "tests/support/catch.h"

#include <cstdint>

using namespace dormer::access;

TEST_CASE("More than a tenth of the actual amount is excess") {
    CHECK_FALSE(isExcess(10, 9)); // a tenth
    CHECK(isExcess(10, 8.999));
    CHECK(isExcess(32, 4));
    CHECK_FALSE(isExcess(4, 4));
    CHECK_FALSE(isExcess(3, 4));
    CHECK_FALSE(isExcess(0, 0));
}

TEST_CASE("A 1.105-way conflict is none, a 1.12-way one is") {
    CHECK_FALSE(isExcess(1.105, 1));
    CHECK_FALSE(isExcess(1.111, 1));
    CHECK(isExcess(1.112, 1));
    CHECK(isExcess(1.12, 1));
}

TEST_CASE("What is not known is no excess") {
    CHECK_FALSE(isExcess(std::nullopt, 1.0));
    CHECK_FALSE(isExcess(std::optional(2.0), std::nullopt));
    CHECK(isExcess(std::optional(2.0), 1.0));
    const std::optional<std::uint64_t> actual = 320, ideal = 40;
    CHECK(isExcess(actual, ideal));
}
