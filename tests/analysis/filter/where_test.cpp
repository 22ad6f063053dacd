// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/filter/where.h"

#include "tests/analysis/compare/side.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using filter::Where;

namespace {

/// "gemm" twice, 2 ms in all, with an achieved occupancy of 0.5; "copy" once, 0.4 ms, not counted.
session::Session twoKernels() {
    tests::Side side;
    side.kernel("void gemm<float>(int)", {0.8e6, 1.2e6},
                {{"sm__warps_active.avg.pct_of_peak_sustained_active", 50}}, "train/forward");
    side.kernel("copy(int*)", {0.4e6}, {}, "load");
    return std::move(side.session());
}

/// Letters of the kernels that an expression lets through.
std::string matched(std::string_view text) {
    const session::Session session = twoKernels();
    const diagnosis::Diagnosis diagnosis{session};
    const Result<Where> where = Where::parse(text);
    if (!where) return "! " + where.error().message;
    std::string all;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (where->accepts(diagnosis, session::LaunchIndex{i})) all += i < 2 ? 'g' : 'c';
    return all;
}

std::vector<std::string> offered(std::string_view text) {
    std::vector<std::string> all;
    for (const filter::Completion& each : filter::completions(text))
        all.push_back(each.text);
    return all;
}

} // namespace

TEST_CASE("numbers are compared in their units", "[where]") {
    CHECK(matched("time > 1ms") == "gg"); // of all launches like it
    CHECK(matched("time >= 0.4ms") == "ggc");
    CHECK(matched("time>400us") == "gg");
    CHECK(matched("duration_ns > 1ms") == "g"); // of the launch itself
    CHECK(matched("calls = 2") == "gg");
    CHECK(matched("calls != 2") == "c");
    CHECK(matched("achieved_occupancy = 50%") == "gg");
    CHECK(matched("achieved_occupancy < 0.6") == "gg"); // what is not known is not below anything
    CHECK(matched("not achieved_occupancy < 0.6") == "c");
}

TEST_CASE("names are equal, or have a pattern in them", "[where]") {
    CHECK(matched("kernel = gemm") == "gg");
    CHECK(matched("kernel = GEMM") == "gg");
    CHECK(matched("kernel ~ ^c") == "c");
    CHECK(matched("kernel !~ copy") == "gg");
    CHECK(matched("kernel = \"void gemm<float>(int)\"") == "gg");
    CHECK(matched("nvtx ~ forward") == "gg");
    CHECK(matched("verdict = undetermined") == "ggc"); // too little was counted
    CHECK(matched("verdict = unknown") == "ggc");      // the word of the JSON
    CHECK(matched("verdict ~ ^undet") == "ggc");
    CHECK(matched("verdict != memory") == "ggc");
}

TEST_CASE("and binds closer than or, brackets closest", "[where]") {
    CHECK(matched("kernel = copy or kernel = gemm and duration_ns > 1ms") == "gc");
    CHECK(matched("(kernel = copy or kernel = gemm) and duration_ns > 1ms") == "g");
    CHECK(matched("not (kernel = copy or calls = 3)") == "gg");
    CHECK(matched("NOT kernel = copy AND time > 1 or calls = 1") == "ggc");
}

TEST_CASE("what is wrong with an expression is said in one line", "[where]") {
    for (const auto& [text, what] : {std::pair{"time >", "a value is missing at the end"},
                                     {"time > soon", "a number is expected at 'soon'"},
                                     {"time > 3 parsecs", "'and' or 'or' expected at 'parsecs'"},
                                     {"speed > 3", "unknown field at 'speed'"},
                                     {"time ~ 3", "numbers are compared by"},
                                     {"kernel < 3", "names by = != ~ !~"},
                                     {"verdict = fast", "memory, compute, latency, balanced or undetermined"},
                                     {"(time > 1", "')' expected at the end"},
                                     {"time > 1 and", "a field is missing at the end"},
                                     {"", "a field is missing"}}) {
        CAPTURE(text);
        const std::string message = matched(text);
        CHECK(message.starts_with("! "));
        CHECK(message.find(what) != std::string::npos);
        CHECK(message.find('\n') == std::string::npos);
    }
    CHECK(matched(std::string(100000, '(')).starts_with("! "));
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "not ";
    CHECK(matched(deep).starts_with("! "));
}

TEST_CASE("words are no expression, whatever letters they have", "[where]") {
    CHECK(filter::isExpression("time > 1ms"));
    CHECK(filter::isExpression("verdict=memory"));
    CHECK_FALSE(filter::isExpression("gemm float"));
    CHECK_FALSE(filter::isExpression("gemm<float>"));
    CHECK_FALSE(filter::isExpression("(scale|add)"));
    CHECK_FALSE(filter::isExpression("time"));
}

TEST_CASE("what may come next is offered", "[where]") {
    CHECK(offered("verd") == std::vector<std::string>{"verdict "});
    CHECK(offered("verdict ") ==
          std::vector<std::string>{"verdict = ", "verdict != ", "verdict ~ ", "verdict !~ "});
    CHECK(offered("time > 1ms and verdict = me") ==
          std::vector<std::string>{"time > 1ms and verdict = memory "});
    CHECK(offered("time > 1ms a") == std::vector<std::string>{"time > 1ms and "});
    CHECK(offered("time > 1ms ") == std::vector<std::string>{"time > 1ms and ", "time > 1ms or "});
    CHECK(offered("time <").empty());
    const auto metrics = offered("l2_");
    CHECK(std::ranges::find(metrics, "l2_hit_rate ") != metrics.end());
}
