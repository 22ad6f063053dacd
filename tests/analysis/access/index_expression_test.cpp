// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/index_expression.h"
#include "tests/support/catch.h"

#include <string>

using namespace dormer;
using namespace dormer::access;

namespace {

constexpr std::int64_t tid = 37, bid = 5, bdim = 96, gdim = 7, lane = 5, warp = 1;

IndexValues values() {
    IndexValues v{};
    v[static_cast<std::size_t>(IndexName::TidX)] = tid;
    v[static_cast<std::size_t>(IndexName::TidY)] = 3;
    v[static_cast<std::size_t>(IndexName::TidZ)] = 2;
    v[static_cast<std::size_t>(IndexName::BidX)] = bid;
    v[static_cast<std::size_t>(IndexName::BdimX)] = bdim;
    v[static_cast<std::size_t>(IndexName::GdimX)] = gdim;
    v[static_cast<std::size_t>(IndexName::Lane)] = lane;
    v[static_cast<std::size_t>(IndexName::Warp)] = warp;
    return v;
}

std::int64_t valueOf(std::string_view text, std::int64_t row = 0) {
    const auto parsed = IndexExpression::parse(text, row);
    INFO(text << (parsed ? "" : ": " + parsed.error().message));
    REQUIRE(parsed);
    const auto value = parsed->evaluate(values());
    INFO((value ? "" : value.error().message));
    REQUIRE(value);
    return *value;
}

std::string problemOf(std::string_view text, std::int64_t row = 0) {
    const auto parsed = IndexExpression::parse(text, row);
    if (!parsed) {
        CHECK(parsed.error().kind == ErrorKind::Usage);
        return parsed.error().message;
    }
    const auto value = parsed->evaluate(values());
    if (value) return "no problem";
    CHECK(value.error().kind == ErrorKind::Usage);
    return value.error().message;
}

} // namespace

// What the compiler warns of is what is tested: precedence without parentheses.
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
/// The compiler is the judge of precedence, associativity and division.
#define SAME_AS_COMPILED(...) CHECK(valueOf(#__VA_ARGS__) == static_cast<std::int64_t>(__VA_ARGS__))

TEST_CASE("An index expression means what C++ makes of it") {
    SAME_AS_COMPILED(tid);
    SAME_AS_COMPILED((tid));
    SAME_AS_COMPILED(bid * bdim + tid);
    SAME_AS_COMPILED(bid + gdim * tid - 2);
    SAME_AS_COMPILED(10 - 4 - 3);
    SAME_AS_COMPILED(100 / 7 / 2 * 3 % 5);
    SAME_AS_COMPILED(-tid / 5);
    SAME_AS_COMPILED(-tid % 5);
    SAME_AS_COMPILED(- -tid + +3);
    SAME_AS_COMPILED(lane ^ 5 | 8 & 12);
    SAME_AS_COMPILED(~lane & 31);
    SAME_AS_COMPILED(1 << 3 + 1);
    SAME_AS_COMPILED(256 >> 2 >> 1);
    SAME_AS_COMPILED(tid < 40 == 1);
    SAME_AS_COMPILED(tid <= 37 && !(lane > 5) || warp == 7);
    SAME_AS_COMPILED(lane < 8 ? 1 : lane < 16 ? 2 : 3);
    SAME_AS_COMPILED(tid >= 37 ? lane != 5 ? 10 : 20 : 30);
    SAME_AS_COMPILED(0x1F + 010 + 32U + 1ULL);
    SAME_AS_COMPILED(tid % 32 * 33 + tid / 32);
}

TEST_CASE("CUDA's own names are understood, and subscripts") {
    CHECK(valueOf("threadIdx.x + threadIdx.y * 100 + tid.z * 10000") == 20337);
    CHECK(valueOf("blockIdx.x * blockDim.x + threadIdx.x") == bid * bdim + tid);
    CHECK(valueOf("gridDim.x") == gdim);
    CHECK(valueOf("a[tid - 2]") == 35);
    CHECK(valueOf("tile[lane][3]", 33) == lane * 33 + 3);
    CHECK(valueOf("tile[ threadIdx.y ][ lane ^ 1 ]", 32) == 3 * 32 + 4);
}

TEST_CASE("What is no expression is told with its place") {
    CHECK(problemOf("") == "in '' at character 1: it ends too early");
    CHECK(problemOf("tid +") == "in 'tid +' at character 6: it ends too early");
    CHECK(problemOf("tid + i") == "in 'tid + i' at character 7: there is no 'i': use tid, lane, warp, bid, "
                                  "bdim, gdim (or threadIdx.x and "
                                  "so on) and numbers");
    CHECK(problemOf("(tid") == "in '(tid' at character 5: ')' is missing");
    CHECK(problemOf("tid)") == "in 'tid)' at character 4: ')' is not expected here");
    CHECK(problemOf("tid 2").find("'2' is not expected here") != std::string::npos);
    CHECK(problemOf("1.5*tid").find("a whole number is expected") != std::string::npos);
    CHECK(problemOf("99999999999999999999").find("too large") != std::string::npos);
    CHECK(problemOf("tile[lane][3]").find("--row N") != std::string::npos);
    CHECK(problemOf(std::string(1000, '(')).find("nested too deeply") != std::string::npos);
    CHECK(problemOf(std::string(1000, '-') + "1").find("nested too deeply") != std::string::npos);
    CHECK(problemOf(std::string(4000, '1')).find("too large") != std::string::npos);
}

TEST_CASE("Arithmetic that C++ leaves undefined is refused") {
    CHECK(problemOf("tid / (lane - 5)") == "the expression divides by zero");
    CHECK(problemOf("tid % 0") == "the expression divides by zero");
    CHECK(problemOf("1 << 64").find("shifts") != std::string::npos);
    CHECK(problemOf("1 << -1").find("shifts") != std::string::npos);
    CHECK(problemOf("1 << 63") == "the expression overflows 64 bits");
    CHECK(problemOf("9223372036854775807 + tid") == "the expression overflows 64 bits");
    CHECK(problemOf("(-9223372036854775807 - 1) / -1") == "the expression overflows 64 bits");
    CHECK(valueOf("(-9223372036854775807 - 1) % -1") == 0);
    // What isn't reached is not computed.
    CHECK(valueOf("lane == 5 ? 1 : 1 / 0") == 1);
    CHECK(valueOf("lane == 5 || 1 / 0") == 1);
    CHECK(valueOf("lane != 5 && 1 / 0") == 0);
}

TEST_CASE("A long chain of operators is no danger to the stack") {
    std::string sum = "tid";
    for (int i = 0; i < 1000; ++i)
        sum += "+1";
    CHECK(valueOf(sum) == tid + 1000);
    for (int i = 0; i < 100'000; ++i)
        sum += "+1";
    CHECK(problemOf(sum).find("too long") != std::string::npos);
}
