// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Two faults planted in a kernel that is no workload of the suite. The program is known here by its launch
// size and by the comments that mark the faults.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::uint64_t kBlocks = 132 * 8 * 4, kWarps = kBlocks * 256 / 32;
constexpr std::uint64_t kParts = 4; ///< loads of each thread

bool says(const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
}

/// What holds wherever the faults are said to be.
void checkFindings(const Case& c) {
    // 33,792 warps load 4 x 32 floats, starting 4 bytes into a sector: the 128 bytes touch 5 sectors.
    const auto loads = c.all("global", "load");
    CHECK(loads.executions == kWarps * kParts);
    CHECK(loads.threads == kWarps * kParts * 32);
    CHECK(loads.sectors == 675'840);
    CHECK(loads.sectorsIdeal == 540'672);
    // One load per warp of words 4 apart: 32 words in 8 banks.
    const auto column = c.all("shared", "load");
    CHECK(column.executions == kWarps);
    CHECK(column.wavefronts == 135'168);
    CHECK(column.wavefrontsIdeal == 33'792);
    // All else is ideal.
    const auto staged = c.all("shared", "store"), kept = c.all("global", "store");
    CHECK(staged.wavefronts == kWarps * kParts);
    CHECK(staged.wavefrontsIdeal == staged.wavefronts);
    CHECK(kept.sectors == kWarps * 4);
    CHECK(kept.sectorsIdeal == kept.sectors);

    CHECK(c.codes() == std::vector<std::string>{"misaligned-global-access", "shared-bank-conflicts"});
    REQUIRE(c.find("misaligned-global-access") != nullptr);
    REQUIRE(c.find("shared-bank-conflicts") != nullptr);
    const findings::Finding &shifted = *c.find("misaligned-global-access"),
                            &conflict = *c.find("shared-bank-conflicts");
    const Numbers sectors = numbersIn(shifted.evidence);
    REQUIRE(sectors.size() > 2);
    CHECK((sectors[0] == 5 && sectors[1] == 4)); // per request, ideal
    CHECK(says(conflict.evidence, "4-way"));
    CHECK(shifted.advice.starts_with(adviceOf(findings::FindingKind::MisalignedAccess)));
    CHECK(conflict.advice.starts_with(adviceOf(findings::FindingKind::BankConflicts)));
    const double duration = c.metric("duration_ns");
    for (const findings::Finding& finding : c.findings) {
        CAPTURE(finding.code);
        if (&finding != &shifted && &finding != &conflict)
            CHECK(finding.gainNs.value_or(0) <= 0.05 * duration);
    }
}

} // namespace

TEST_CASE("Two planted faults are found at their lines, with the numbers of the launch") {
    const Case c = caseOf("dormer_planted", "", "planted/two_faults");
    checkFindings(c);
    const int shiftedLine = lineOf("planted.cu", "planted: misaligned"),
              conflictLine = lineOf("planted.cu", "planted: conflict");
    for (const auto& [code, line, number, ideal, kind, array, remedy] :
         {std::tuple("misaligned-global-access", shiftedLine, "5 sectors", "4", "misaligned",
                     "signal[first + i + 1]", "multiple of 8 elements"),
          std::tuple("shared-bank-conflicts", conflictLine, "4", "1", "4-way", "staged[threadIdx.x * kStep]",
                     "make the stride odd")}) {
        CAPTURE(code);
        const findings::Finding& finding = *c.find(code);
        checkPlaces(finding, {line});
        const findings::FindingPlace& place = finding.places.at(0);
        CHECK(place.file.ends_with("planted.cu"));
        CHECK(place.place == "planted.cu:" + std::to_string(line));
        CHECK(place.chain.empty());
        for (const char* word : {number, ideal, kind})
            CHECK(says(place.what, word));
        if (emulated()) { // the session has the source, and the lanes
            CHECK(says(place.change, array));
            CHECK(says(place.change, remedy));
        }
    }
}

TEST_CASE("Without line information the faults have positions, and the flag to add is named") {
    const Case c = caseOf("dormer_planted_no_lines", "", "planted/two_faults");
    checkFindings(c);
    for (const char* code : {"misaligned-global-access", "shared-bank-conflicts"}) {
        CAPTURE(code);
        const findings::Finding& finding = *c.find(code);
        // The loop is unrolled: four loads, each by itself.
        CHECK(finding.places.size() == (std::string(code) == "shared-bank-conflicts" ? 1 : kParts));
        double share = 0;
        for (const findings::FindingPlace& place : finding.places) {
            CHECK(place.file.empty());
            CHECK(place.line == 0);
            CHECK(place.place.starts_with("pc 0x"));
            CHECK(std::ranges::any_of(c.session.lines(c.launch), [&](const session::LineCounts& each) {
                return each.pc == place.pc && each.file.empty();
            }));
            share += place.share;
        }
        CHECK(share == Approx(1));
        CHECK(says(finding.advice, "-lineinfo"));
    }
}
