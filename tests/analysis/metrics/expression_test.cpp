// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/expression.h"

#include "tests/support/catch.h"

#include <map>

using namespace dormer;
using namespace dormer::metrics;

namespace {

/// Value of a formula; names not in `values` are absent.
double evaluate(std::string_view formula, const std::map<std::string, double>& values = {}) {
    const auto expression = Expression::parse(formula);
    REQUIRE(expression);
    return expression->evaluate([&](std::uint32_t input) {
        const auto found = values.find(expression->inputs()[input]);
        return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    });
}

} // namespace

TEST_CASE("Formulas follow the usual precedence") {
    CHECK(evaluate("1 + 2 * 3") == 7);
    CHECK(evaluate("(1 + 2) * 3") == 9);
    CHECK(evaluate("8 / 4 / 2") == 1);
    CHECK(evaluate("10 - 4 - 3") == 3);
    CHECK(evaluate("-2 * -3 - -1") == 7);
    CHECK(evaluate("2.5e1 / 5") == 5);
    CHECK(evaluate("1e9") == 1e9);
}

TEST_CASE("Names are counters, facts and metrics") {
    CHECK(evaluate("dram__bytes_read.sum + launch.grid_blocks * l2_bytes",
                   {{"dram__bytes_read.sum", 1}, {"launch.grid_blocks", 2}, {"l2_bytes", 3}}) == 7);
    const auto expression = Expression::parse("a.sum + b + a.sum");
    REQUIRE(expression);
    CHECK(expression->inputs() == std::vector<std::string>{"a.sum", "b"});
}

TEST_CASE("An absent input makes the result absent") {
    CHECK(std::isnan(evaluate("a + 1")));
    CHECK(std::isnan(evaluate("0 * a")));
    CHECK(std::isnan(evaluate("min(1, a)")));
    CHECK(std::isnan(evaluate("max(a, 1)")));
    CHECK(std::isnan(evaluate("times(a, 2)")));
    CHECK(std::isnan(evaluate("times(2, a)")));
    CHECK(std::isnan(evaluate("first(a, b)")));
    CHECK(std::isnan(evaluate("0 / 0")));
}

TEST_CASE("Functions") {
    CHECK(evaluate("min(3, 1, 2)") == 1);
    CHECK(evaluate("max(3, 1 + 4, 2)") == 5);
    CHECK(evaluate("first(a, b, 3)", {{"b", 2}}) == 2);
    CHECK(evaluate("first(a, b)", {{"a", 0}, {"b", 2}}) == 0);
    // A mean over nothing is undefined; the total is known.
    CHECK(evaluate("times(n, mean)", {{"n", 0}}) == 0);
    CHECK(evaluate("times(n, mean)", {{"n", 3}, {"mean", 4}}) == 12);
}

TEST_CASE("What is no formula is refused with its place") {
    for (const char* wrong : {"", "1 +", "(1", "1)", "1 2", "foo(1, 2)", "min(1)", "times(1, 2, 3)", "a b",
                              "1..2", "a @ b", "min(1,)", "*3"}) {
        INFO(wrong);
        const auto expression = Expression::parse(wrong);
        REQUIRE_FALSE(expression);
        CHECK(expression.error().message.find("column") != std::string::npos);
    }
    CHECK_FALSE(Expression::parse(std::string(1000, '(') + "1"));
    std::string right = "1";
    for (int i = 0; i < 40; ++i)
        right = "1 - (" + right + ")";
    CHECK_FALSE(Expression::parse(right)); // deeper than the stack it may use
}
