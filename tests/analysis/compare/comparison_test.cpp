// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/compare_report.h"
#include "analysis/compare/page/compare_html.h"
#include "tests/analysis/compare/side.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

using namespace dormer;
using namespace dormer::tests;

namespace {

compare::Comparison compared(Side& base, Side& fresh) {
    const diagnosis::Diagnosis before{base.session()}, after{fresh.session()};
    return compare::compareSessions(before, after);
}

compare::Change changeOf(const std::vector<double>& base, const std::vector<double>& fresh) {
    Side before, after;
    before.kernel("k()", base);
    after.kernel("k()", fresh);
    const compare::Comparison comparison = compared(before, after);
    REQUIRE(comparison.kernels.size() == 1);
    return comparison.kernels.front().change;
}

} // namespace

TEST_CASE("kernels are faster, slower, the same, or unsure", "[compare]") {
    CHECK(changeOf(spread(1e5), spread(0.8e5)) == compare::Change::Faster);
    CHECK(changeOf(spread(1e5), spread(1.3e5)) == compare::Change::Slower);
    CHECK(changeOf(spread(1e5), spread(1e5)) == compare::Change::Same);
    CHECK(changeOf(spread(1e5), spread(1.005e5)) == compare::Change::Same);
    // Too few launches, and times that overlap.
    CHECK(changeOf(spread(1e5, 3), spread(0.5e5, 3)) == compare::Change::Unsure);
    CHECK(changeOf({80, 90, 100, 110, 120}, {76, 86, 96, 106, 116}) == compare::Change::Unsure);
    // An end before a start is no duration.
    CHECK(changeOf({0, 0, 0, 0, 0}, spread(1e5)) == compare::Change::Unsure);
}

TEST_CASE("equal kernels are called different less than once in fifty", "[compare]") {
    std::mt19937_64 generator(7);
    std::normal_distribution<double> noise(0, 0.05);
    const auto run = [&] {
        std::vector<double> all;
        for (int i = 0; i < 5; ++i)
            all.push_back(std::exp(noise(generator)));
        return all;
    };
    int wrong = 0;
    for (int i = 0; i < 200; ++i) {
        const compare::Interval interval = compare::ratioInterval({run()}, {run()});
        wrong += interval.low > 1 || interval.high < 1;
    }
    CHECK(wrong <= 8); // 4 are expected at most; twice that is chance
}

TEST_CASE("intervals are the same on every run and hold the ratio", "[compare]") {
    const compare::Runs base{spread(100)}, fresh{spread(150)};
    const compare::Interval one = compare::ratioInterval(base, fresh),
                            two = compare::ratioInterval(base, fresh);
    CHECK(one.low == two.low);
    CHECK(one.high == two.high);
    CHECK(one.low <= 1.5);
    CHECK(one.high >= 1.5);
    CHECK(one.low > 1.45);
    CHECK(one.high < 1.55);
    // Runs that differ among themselves widen it.
    const compare::Interval runs = compare::ratioInterval({spread(100), spread(110), spread(90)},
                                                          {spread(150), spread(165), spread(135)});
    CHECK(runs.high - runs.low > one.high - one.low);
}

TEST_CASE("kernels are found again by name, template, configuration and place", "[compare]") {
    Side base, fresh;
    base.kernel("void scale<float>(float *)", {1}).kernel("gone()", {1}, {}, "", 7);
    base.kernel("grows()", {1}, {}, "", 64).kernel("old_name()", {1}, {}, "step", 5);
    base.kernel("same()", {1}, {}, "forward").kernel("same()", {1}, {}, "backward");
    fresh.kernel("same()", {1}, {}, "backward").kernel("same()", {1}, {}, "forward");
    fresh.kernel("void scale<double>(double *)", {1}).kernel("grows()", {1}, {}, "", 128);
    fresh.kernel("new_name()", {1}, {}, "step", 5).kernel("more()", {1}, {}, "", 9);
    const compare::Comparison comparison = compared(base, fresh);
    REQUIRE(comparison.kernels.size() == 5);
    std::map<std::string, compare::MatchedBy> how;
    for (const compare::KernelComparison& kernel : comparison.kernels) {
        const compare::KernelLaunches& before = comparison.base[kernel.match.base];
        const compare::KernelLaunches& after = comparison.fresh[kernel.match.fresh];
        CHECK(before.nvtx == after.nvtx);
        how[before.shortName + before.nvtx] = kernel.match.by;
    }
    CHECK(how.at("scale") == compare::MatchedBy::ShortName);
    CHECK(how.at("grows") == compare::MatchedBy::Configuration);
    CHECK(how.at("old_namestep") == compare::MatchedBy::Renamed);
    CHECK(how.at("sameforward") == compare::MatchedBy::Name);
    REQUIRE(comparison.onlyBase.size() == 1);
    CHECK(comparison.base[comparison.onlyBase.front()].fullName == "gone()");
    REQUIRE(comparison.onlyFresh.size() == 1);
    CHECK(comparison.fresh[comparison.onlyFresh.front()].fullName == "more()");
}

TEST_CASE("counters are compared exactly", "[compare]") {
    Side base(session::Origin::Emulated), fresh(session::Origin::Emulated);
    base.kernel("k()", {100, 100}, {{"a.sum", 524288}, {"b.sum", 7}});
    fresh.kernel("k()", {98.5, 98.5}, {{"a.sum", 524289}, {"b.sum", 7}, {"c.sum", 1}});
    const compare::Comparison comparison = compared(base, fresh);
    const compare::KernelComparison& kernel = comparison.kernels.front();
    CHECK(kernel.countersCompared == 2);
    REQUIRE(kernel.counters.size() == 1);
    CHECK(kernel.counters.front().counter == "a.sum");
    CHECK(kernel.counters.front().exact);
    // Predicted times are exact: two launches are enough.
    CHECK(kernel.change == compare::Change::Same);
    CHECK_FALSE(kernel.interval);
    const nlohmann::json json = compare::compareJson(comparison);
    CHECK(json.at("kernels")[0].at("counters_changed")[0].at("new") == 524289);
    CHECK(compare::compareTableText(comparison).find("a.sum 524288 → 524289") != std::string::npos);
}

TEST_CASE("times of other devices, origins and clocks are not compared", "[compare]") {
    Side base, other(session::Origin::Measured, "NVIDIA A100"), emulated(session::Origin::Emulated);
    for (Side* side : {&base, &other, &emulated})
        side->kernel("k()", spread(side == &base ? 1e5 : 0.5e5));
    for (Side* side : {&other, &emulated}) {
        CHECK(compare::incomparable(base.session(), side->session()).size() == 1);
        const compare::Comparison comparison = compared(base, *side);
        CHECK(comparison.kernels.front().change == compare::Change::Unsure);
        CHECK(comparison.warnings.size() == 1);
    }
    Side slow, fast;
    slow.kernel("k()", spread(1e5), {{"sm__cycles_elapsed.avg.per_second", 1.2e9}});
    fast.kernel("k()", spread(0.6e5), {{"sm__cycles_elapsed.avg.per_second", 1.98e9}});
    const compare::Comparison comparison = compared(slow, fast);
    CHECK(comparison.kernels.front().change == compare::Change::Unsure);
    REQUIRE(comparison.warnings.size() == 1);
    CHECK(comparison.warnings.front().find("1.20 GHz") != std::string::npos);
}

TEST_CASE("names in a comparison can't leave their place", "[compare]") {
    const std::string name = "evil<script>alert(1)</script>|`\x1b[2J\n";
    Side base, fresh;
    base.kernel(name, spread(100));
    fresh.kernel(name, spread(50));
    const compare::Comparison comparison = compared(base, fresh);
    CHECK(compare::compareHtml(comparison, name).find("<script>") == std::string::npos);
    CHECK(compare::compareTableText(comparison).find('\x1b') == std::string::npos);
    CHECK(compare::compareMarkdownText(comparison).find("<script>") == std::string::npos);
}
