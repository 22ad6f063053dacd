// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/roofline_sheet.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/mixed_session.h"
#include "tests/support/sample_session.h"

#include <algorithm>
#include <cmath>

using namespace dormer::view::plot;
using namespace dormer::tests;
using dormer::diagnosis::Diagnosis;

TEST_CASE("a sheet has a letter and a row for each kernel on it, most time first") {
    const auto session = sampleSession();
    const RooflineSheet sheet = rooflineSheet(Diagnosis(session));
    REQUIRE(sheet.letters.size() == sheet.chart.points.size());
    REQUIRE(sheet.letters.size() > 3);
    CHECK(sheet.letters.front() == 'a');
    CHECK(sheet.table.rows.size() == sheet.letters.size()); // no kernel of it did tensor work
    CHECK(sheet.levels.stops.empty());
    double before = sheet.rows.totalNs;
    for (const auto& point : sheet.chart.points) {
        CHECK(sheet.rows.rows[point.row].totalNs <= before);
        before = sheet.rows.rows[point.row].totalNs;
        CHECK(sheet.range.x.holds(std::log10(point.intensity)));
        CHECK(sheet.range.y.holds(std::log10(point.rate)));
    }
}

TEST_CASE("a kernel alone is on the sheet at every level, and its work that the chart is not about") {
    const auto session = mixedSession();
    const RooflineSheet sheet = rooflineSheet(Diagnosis(session));
    CHECK(sheet.chart.roofs.work == dormer::verdict::Work::Tensor);
    REQUIRE(sheet.letters.size() == 1);
    REQUIRE(sheet.levels.stops.size() == 2); // L2 and DRAM
    CHECK(sheet.levels.stops[0].intensity == Approx(100));
    REQUIRE(sheet.table.rows.size() == 2);
    const auto& own = sheet.table.rows[0];
    CHECK(own[0] == "a");
    CHECK(own[2] == "400 T");
    CHECK(own[4] == "200"); // FLOP per DRAM byte
    CHECK(own[5] == "100");
    CHECK(own[7] == "–"); // no shared memory
    const auto& part = sheet.table.rows[1];
    CHECK(part[0] == "A");
    CHECK(part[1].find("FP32") != std::string::npos);
    CHECK(part[2] == "20.0 T");
    CHECK(part[3] == "30 %"); // of 66.9 TFLOP/s
    CHECK(part[4] == "10");
}

TEST_CASE("A session that was sampled has a roofline of what samples tell") {
    const auto training = dormer::store::loadSession(DORMER_SOURCE_DIR "/samples/h100-pytorch.dormer");
    REQUIRE(training);
    const RooflineSheet sheet = rooflineSheet(Diagnosis(*training));
    CHECK(sheet.chart.roofs.work != dormer::verdict::Work::IntegerAndFp); // which takes counting
    CHECK(sheet.chart.points.size() > 20);
}
