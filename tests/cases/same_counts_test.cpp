// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A GPU and the emulator count the same on each line of the cases, to the last digit.

#include "tests/cases/case_session.h"
#include "tests/cases/collect.h"
#include "tests/support/catch.h"

#include <map>

using namespace dormer;
using namespace dormer::lines;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::tests;

namespace {

/// Where, and what kind: "case/grid tiles.cu:17 global load". Branches and constants are left out: machine
/// code has others than PTX.
std::map<std::string, LineCounts> countsOf(const Session& session) {
    std::map<std::string, LineCounts> counts;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex launch{i};
        for (const LineCounts& each : session.lines(launch)) {
            if (each.space != MemorySpace::Global && each.space != MemorySpace::Shared &&
                each.space != MemorySpace::Local)
                continue;
            const std::string place = each.line == 0 ? "" : placeText(each);
            addCounts(counts[session.launch(launch).workload + ' ' + place + ' ' + accessText(each)], each);
        }
    }
    return counts;
}

void compare(const std::string& program, const std::string& argument) {
    CAPTURE(program, argument);
    const auto measured = countsOf(collectMeasured(program, argument));
    const auto counted = countsOf(collectEmulated(program, argument));
    CHECK_FALSE(measured.empty());
    for (const auto& [key, counts] : measured) {
        CAPTURE(key);
        const auto same = counted.find(key);
        CHECK((same != counted.end()));
        if (same != counted.end()) CHECK(Counts(counts) == Counts(same->second));
    }
    for (const auto& [key, counts] : counted) {
        CAPTURE(key);
        CHECK(measured.contains(key));
    }
}

} // namespace

TEST_CASE("The planted faults have the same counts on a GPU and on the emulator") {
    compare("dormer_planted", "");
    compare("dormer_planted_no_lines", "");
}

TEST_CASE("The cases' memory accesses have the same counts on a GPU and on the emulator") {
    compare("dormer_cases", "double_transpose padded_tile column_conflict wide_shared matrix_rows "
                            "sixteen_bytes sgemv grid branches inlined");
}
