// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Literals that make arithmetic double, on a chip that has a double pipe for every 64 single ones.

#include "tests/cases/case_session.h"
#include "tests/cases/collect.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("On a consumer's chip a missing f is a finding when its pipe is what the launch waits for") {
    const session::Session session = collectEmulated("dormer_cases", "precision", "RTX4090");
    const Case polynomial = caseIn(session, "case/double_polynomial");
    CHECK(polynomial.metric("flops_fp64") == 2048 * 256 * (2 * 7 + 1)); // seven steps of Horner, and times x
    REQUIRE(polynomial.find("fp64-on-weak-chip") != nullptr);
    const findings::Finding& finding = *polynomial.find("fp64-on-weak-chip");
    CHECK(finding.advice.starts_with(adviceOf(findings::FindingKind::WeakFp64)));
    CHECK(finding.gainNs.value_or(0) > 0);
    // One multiply-add an element: memory takes longer than the arithmetic, even so.
    CHECK(caseIn(session, "case/double_by_accident").find("fp64-on-weak-chip") == nullptr);
    CHECK(caseIn(session, "case/double_mended").find("fp64-on-weak-chip") == nullptr);
}
