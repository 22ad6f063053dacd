// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Loads of 16 bytes from shared memory: four wavefronts of a full warp are no conflict.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::uint64_t kWarps = 8; // blocks of one warp

struct Load {
    const char* workload;
    std::uint64_t wavefronts, ideal; ///< of one warp
};

void checkLoad(const Load& load, const std::string& argument, const std::string& marker) {
    CAPTURE(load.workload);
    const Case c = caseOf("dormer_cases", argument, load.workload);
    const int line = lineOf("wide_shared.cu", marker);
    const auto counts = c.at(line, "shared", "load");
    CHECK(counts.executions == kWarps);
    CHECK(counts.wavefronts == load.wavefronts * kWarps);
    CHECK(counts.wavefrontsIdeal == load.ideal * kWarps);
    if (load.wavefronts == load.ideal) {
        CHECK(c.codes() == kNoCodes);
        return;
    }
    CHECK(c.codes() == std::vector<std::string>{"shared-bank-conflicts"});
    checkPlaces(*c.find("shared-bank-conflicts"), {line});
}

} // namespace

TEST_CASE("16 bytes per lane take 4 wavefronts side by side and 32 when they lie 128 bytes apart") {
    // 35,377,920 and 283,023,360 of 8,844,480 instructions were measured: 4 and 32 of each.
    checkLoad({"case/wide_together", 4, 4}, "wide_shared", "wide: load");
    checkLoad({"case/wide_apart", 32, 4}, "wide_shared", "wide: load");
}

TEST_CASE("Lanes that share 64 bytes cause no conflict, in 4 wavefronts or in 2") {
    checkLoad({"case/wide_four", 4, 4}, "wide_shared", "wide: load");
    // Neighbours in pairs share an address: two quarters of the warp are served at once.
    checkLoad({"case/wide_pairs", 2, 2}, "wide_shared", "wide: load");
}

TEST_CASE("ldmatrix takes a wavefront for each 8 x 8 matrix unless its rows meet in banks") {
    for (const Load& load :
         {Load{"case/rows_64", 16, 4}, Load{"case/rows_128", 32, 4}, Load{"case/rows_80", 4, 4},
          Load{"case/rows_144", 4, 4}, Load{"case/rows_swizzled", 4, 4}})
        checkLoad(load, "matrix_rows", "// rows: load");
}
