// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Accesses that a helper makes stand at the line that can be changed; how it got there is kept.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

findings::FindingPlace placeOf(const char* workload) {
    const Case c = caseOf("dormer_cases", "inlined", workload);
    // 67,584 rows of 64 floats: each lane's first element lies in a sector of its own.
    const auto loads = c.all("global", "load");
    CHECK(loads.sectors == 1056 * 64);
    CHECK(loads.sectorsIdeal == 1056 * 64 / 8);
    CHECK(c.codes() == std::vector<std::string>{"uncoalesced-global-access"});
    const findings::Finding& finding = *c.find("uncoalesced-global-access");
    REQUIRE(finding.places.size() == 1);
    CHECK(finding.places[0].share == Approx(1));
    return finding.places[0];
}

} // namespace

TEST_CASE("A load in a helper of one's own is at the helper's line, with its caller") {
    const std::string helper = "row_walk.h:" + std::to_string(lineOf("row_walk.h", "helper: load"));
    const std::string caller = "inlined.cu:" + std::to_string(lineOf("inlined.cu", "call: own helper"));
    const findings::FindingPlace place = placeOf("case/own_helper");
    CHECK(place.file.ends_with("row_walk.h"));
    CHECK(place.place == helper);
    CHECK(place.chain == helper + " < " + caller);
}

TEST_CASE("A load in a helper of CUDA's is at the line that calls it") {
    const std::string caller = "inlined.cu:" + std::to_string(lineOf("inlined.cu", "call: CUDA's helper"));
    const findings::FindingPlace place = placeOf("case/cuda_helper");
    CHECK(place.file.ends_with("inlined.cu"));
    CHECK(place.place == caller);
    CHECK(place.chain.find("intrinsics.hpp:") != std::string::npos);
    CHECK(place.chain.ends_with(" < " + caller));
}
