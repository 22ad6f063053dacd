// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"
#include "tests/support/recommendation_rules.h"

using namespace dormer;

TEST_CASE("Every finding of the cases is about something that is there, and saves what can be saved") {
    CHECK(tests::checkRecommendations(tests::collectCase("dormer_cases", "", "memory")) > 20);
    CHECK(tests::checkRecommendations(tests::collectCase("dormer_planted", "", "memory")) > 1);
}
