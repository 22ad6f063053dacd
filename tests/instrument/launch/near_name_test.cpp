// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/near_name.h"
#include "tests/support/catch.h"

using namespace dormer::instrument::launch;

TEST_CASE("edit distance agrees with textbook pairs", "[near_name]") {
    CHECK(editDistance("kitten", "sitting") == 3); // Levenshtein's classic
    CHECK(editDistance("saturday", "sunday") == 3);
    CHECK(editDistance("flaw", "lawn") == 2);
    CHECK(editDistance("ca", "abc") == 3);      // optimal string alignment; full Damerau would say 2
    CHECK(editDistance("tiled", "tield") == 1); // a swap of neighbours
    CHECK(editDistance("", "abc") == 3);
    CHECK(editDistance("same", "SAME") == 0);
}

TEST_CASE("near names are ordered by distance and far ones left out", "[near_name]") {
    const std::vector<std::string> names{"run", "report", "show", "metrics", "doctor", "list"};
    CHECK(nearNames("shwo", names) == std::vector<std::string>{"show"});
    CHECK(nearNames("reprot", names) == std::vector<std::string>{"report"});
    CHECK(nearNames("zebra", names).empty());
    CHECK(nearNames("metric", names) == std::vector<std::string>{"metrics"});
    CHECK(didYouMean("lst", names) == "; did you mean list?");
    CHECK(didYouMean("zebra", names).empty());
}
