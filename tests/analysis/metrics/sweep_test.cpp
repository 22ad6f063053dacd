// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/sweep.h"

#include "tests/support/catch.h"
#include "tests/support/sweep_session.h"

using namespace dormer::metrics;

using namespace dormer::session;
using namespace dormer::tests;

namespace {

SweepTable onlyTable(const Session& session) {
    const auto tables = sweepTables(MetricEvaluator(session));
    REQUIRE(tables.size() == 1);
    return tables.front();
}

std::vector<std::string> names(const SweepTable& table) {
    std::vector<std::string> result;
    for (const SweepPoint& point : table.points)
        result.push_back(point.workload);
    return result;
}

} // namespace

TEST_CASE("One number that varies is an axis, and its points stand in its order") {
    const Session session =
        sweepSession({"offset", "block"}, {{{"2", "64"}, 30}, {{"0", "64"}, 10}, {{"10", "64"}, 20}});
    const SweepTable table = onlyTable(session);
    CHECK(table.numeric);
    CHECK(table.axis == 0);
    CHECK_FALSE(table.logarithmic); // 0 has no logarithm
    CHECK(names(table) == std::vector<std::string>{"s/1", "s/0", "s/2"});
    CHECK(table.points[2].x == 10);
    CHECK(table.points[2].values == std::vector<std::optional<double>>{20, std::nullopt});
    CHECK(table.points[2].parameters == std::vector<std::string>{"10", "64"});
    CHECK_FALSE(table.best); // the sweep does not say what is
    CHECK_FALSE(gainOfBest(table));
    CHECK(parameterEffects(table).empty());
}

TEST_CASE("Positive numbers a factor of more than 30 apart make a logarithmic axis") {
    CHECK(onlyTable(sweepSession({"n"}, {{{"1"}, 1}, {{"31"}, 1}})).logarithmic);
    CHECK_FALSE(onlyTable(sweepSession({"n"}, {{{"1"}, 1}, {{"30"}, 1}})).logarithmic);
    CHECK_FALSE(onlyTable(sweepSession({"n"}, {{{"-1"}, 1}, {{"31"}, 1}})).logarithmic);
}

TEST_CASE("Several parameters, or words, are no axis: points stay as declared") {
    const SweepTable two = onlyTable(sweepSession({"a", "b"}, {{{"2", "1"}, 1}, {{"1", "2"}, 1}}));
    CHECK_FALSE(two.numeric);
    CHECK_FALSE(two.points[0].x);
    CHECK(names(two) == std::vector<std::string>{"s/0", "s/1"});
    CHECK_FALSE(onlyTable(sweepSession({"a"}, {{{"ldg"}, 1}, {{"cg"}, 1}})).numeric);
    CHECK_FALSE(onlyTable(sweepSession({"a"}, {{{"16"}, 1}, {{"16x"}, 1}})).numeric);
    CHECK_FALSE(onlyTable(sweepSession({"a"}, {{{"1"}, 1}, {{"inf"}, 1}})).numeric);
    CHECK_FALSE(onlyTable(sweepSession({"a"}, {{{"1"}, 1}, {{""}, 1}})).numeric);
}

TEST_CASE("A number and a word that vary are a line a word") {
    const SweepTable table = onlyTable(sweepSession(
        {"memory", "n"},
        {{{"mapped", "4"}, 9}, {{"device", "2"}, 1}, {{"mapped", "2"}, 5}, {{"device", "4"}, 2}}));
    CHECK(table.numeric);
    CHECK(table.axis == 1);
    CHECK(table.series == std::vector<std::string>{"mapped", "device"});
    CHECK(names(table) == std::vector<std::string>{"s/2", "s/0", "s/1", "s/3"});
    CHECK(table.points[2].series == 1);
    // Two values at one place of a line are no line.
    const SweepTable twice = onlyTable(
        sweepSession({"memory", "n"}, {{{"mapped", "4"}, 9}, {{"device", "2"}, 1}, {{"mapped", "4"}, 5}}));
    CHECK_FALSE(twice.numeric);
    CHECK(twice.series.empty());
    std::vector<SweepGiven> many;
    for (int i = 0; i < 14; ++i)
        many.push_back({{"word" + std::to_string(i / 2), std::to_string(i % 2)}, 1});
    CHECK_FALSE(
        onlyTable(sweepSession({"memory", "n"}, many)).numeric); // seven lines: too many to tell apart
}

TEST_CASE("The best point, and by how much") {
    const std::vector<SweepGiven> points{
        {{"1", "x"}, 40}, {{"2", "x"}, 10}, {{"1", "y"}, 20}, {{"2", "y"}, 30}};
    const SweepTable lowest = onlyTable(sweepSession({"a", "b"}, points, "lowest"));
    REQUIRE(lowest.best);
    CHECK(lowest.points[*lowest.best].workload == "s/1");
    const auto gain = gainOfBest(lowest);
    REQUIRE(gain);
    CHECK(gain->overWorst == 4);
    CHECK(gain->overMedian == 2.5); // the median of 10, 20, 30, 40 is 25
    const auto effects = parameterEffects(lowest);
    REQUIRE(effects.size() == 2);
    CHECK(effects[0].choices[0].best == 20); // a=1
    CHECK(effects[0].choices[1].best == 10);
    CHECK(effects[1].choices[1].value == "y");
    CHECK(effects[1].choices[1].best == 20);

    const SweepTable highest = onlyTable(sweepSession({"a", "b"}, points, "highest"));
    REQUIRE(highest.best);
    CHECK(highest.points[*highest.best].values.front() == 40);
    CHECK(gainOfBest(highest)->overMedian == 40.0 / 25);
    CHECK(gainOfBest(highest)->overWorst == 4);
}

TEST_CASE("Points without a value are told, and never the best") {
    const SweepTable table =
        onlyTable(sweepSession({"n"}, {{{"1"}, std::nullopt}, {{"2"}, 5}, {{"3"}, 6}}, "lowest"));
    CHECK(table.points.size() == 3);
    CHECK_FALSE(table.points[0].values.front());
    CHECK(table.points[*table.best].x == 2);
    const SweepTable none =
        onlyTable(sweepSession({"n"}, {{{"1"}, std::nullopt}, {{"2"}, std::nullopt}}, "lowest"));
    CHECK_FALSE(none.best);
    CHECK_FALSE(gainOfBest(none));
}

TEST_CASE("A sweep of one point, or of none, is no table") {
    CHECK(sweepTables(MetricEvaluator(sweepSession({"n"}, {{{"1"}, 1}}))).empty());
    CHECK(sweepTables(MetricEvaluator(Session{})).empty());
}
