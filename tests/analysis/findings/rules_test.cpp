// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/recommendation_rules.h"

using namespace dormer;

TEST_CASE("Every finding of the recordings is about something that is there, and saves what can be saved") {
    const char* sample = GENERATE("h100-basics", "h100-lines", "h100-suite", "h200-source");
    CAPTURE(sample);
    const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/" + std::string(sample) + ".dormer");
    REQUIRE(session);
    CHECK(tests::checkRecommendations(*session) > 10);
}
