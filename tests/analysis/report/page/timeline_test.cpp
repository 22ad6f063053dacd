// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "tests/analysis/view/timeline/ran.h"
#include "tests/support/catch.h"
#include "tests/support/markup_check.h"

using namespace dormer;
using dormer::tests::Ran;

namespace {

std::string pageOf(const session::Session& session) {
    return report::htmlReport(diagnosis::Diagnosis(session), "run");
}

std::string timelineOf(const std::string& page) {
    const std::size_t begin = page.find("<svg class=\"timeline\"");
    return begin == std::string::npos ? std::string()
                                      : page.substr(begin, page.find("</svg>", begin) - begin);
}

} // namespace

TEST_CASE("the page draws each launch where there is room, with what it is", "[report]") {
    Ran ran;
    ran.launch(0, 10'000);
    ran.launch(40'000, 10'000, Ran::called(35'000));
    ran.session.apply(session::NvtxRange{0, "<step>", Ran::kBegin, Ran::kBegin + 50'000});
    const std::string page = pageOf(ran.session);
    const std::string timeline = timelineOf(page);
    CHECK(tests::malformed(timeline + "</svg>").empty());
    CHECK(tests::occurrences(timeline, "<rect class=\"kernels ") == 2);
    CHECK(tests::occurrences(timeline, "<rect class=\"gaps ") == 1);
    CHECK(timeline.find("&lt;step&gt;") != std::string::npos);
    CHECK(page.find("idle: host") != std::string::npos);
    // A bar leads to the kernel's row.
    CHECK(tests::occurrences(timeline, "data-row=\"0\"") == 2);
}

TEST_CASE("a hundred thousand launches make a small picture", "[report]") {
    Ran ran;
    for (int i = 0; i < 100'000; ++i)
        ran.launch(10'000 * i, 5'000 + 1'000 * (i % 4));
    const std::string timeline = timelineOf(pageOf(ran.session));
    CHECK(!timeline.empty());
    CHECK(timeline.size() < 100'000);
}

TEST_CASE("a page of an emulated run has no timeline", "[report]") {
    Ran ran(session::Origin::Emulated);
    ran.launch(0, 10'000);
    CHECK(timelineOf(pageOf(ran.session)).empty());
}
