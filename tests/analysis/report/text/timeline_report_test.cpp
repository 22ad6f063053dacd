// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/text.h"
#include "tests/analysis/view/timeline/ran.h"
#include "tests/support/catch.h"

#include <sstream>

using namespace dormer;
using dormer::tests::Ran;

TEST_CASE("the terminal's timeline draws rows of one width, and the table of what was waited for",
          "[report]") {
    Ran ran;
    ran.launch(0, 50'000);
    ran.launch(75'000, 25'000, Ran::called(60'000));
    session::DeviceActivity activity;
    activity.counter = "dram__bytes_read.sum";
    activity.startNs = Ran::kBegin;
    activity.stepNs = 50'000;
    activity.values.values = {3.3523e12};
    ran.session.apply(activity);
    const std::string text = report::timelineTableText(diagnosis::Diagnosis(ran.session), 80);
    std::istringstream lines(text);
    std::string stream, read;
    for (std::string line; std::getline(lines, line);) {
        CHECK(view::displayWidth(line) <= 80);
        if (line.find("stream 0  ") != std::string::npos) stream = line.substr(line.find("0  ") + 3);
        if (line.find("DRAM read  ") != std::string::npos) read = line.substr(line.find("read  ") + 6);
    }
    // Half of the time, then a quarter of nothing, then a quarter.
    const auto full = [](std::string_view row) {
        std::size_t columns = 0;
        for (std::size_t at = row.find("█"); at != std::string_view::npos; at = row.find("█", at + 1))
            ++columns;
        return columns;
    };
    const std::size_t wide = view::displayWidth(stream);
    REQUIRE(wide > 40);
    CHECK(static_cast<double>(full(stream)) == Approx(0.75 * static_cast<double>(wide)).margin(2));
    CHECK(static_cast<double>(full(read)) == Approx(0.5 * static_cast<double>(wide)).margin(1));
    CHECK(read.ends_with("·")); // not sampled
    CHECK(text.find("idle: host") != std::string::npos);
    CHECK(report::timelineMarkdownText(diagnosis::Diagnosis(ran.session)).find("| idle: host") !=
          std::string::npos);
    CHECK(report::timelineTableText(diagnosis::Diagnosis(session::Session{}), 80).empty());
}
