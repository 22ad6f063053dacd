// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/lane_pattern.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::access;
using namespace dormer::session;

namespace {

LanePattern patternOf(PatternQuestion question) {
    const auto pattern = lanePattern(question);
    INFO(question.expression << (pattern ? "" : ": " + pattern.error().message));
    REQUIRE(pattern);
    return *pattern;
}

std::string problemOf(const PatternQuestion& question) {
    const auto pattern = lanePattern(question);
    REQUIRE_FALSE(pattern);
    CHECK(pattern.error().kind == ErrorKind::Usage);
    return pattern.error().message;
}

unsigned wavefronts(const std::string& expression, unsigned width, AccessOp op = AccessOp::Load,
                    std::int64_t row = 0) {
    return patternOf(
               {.expression = expression, .rowElements = row, .widthBytes = width, .shared = true, .op = op})
        .wavefronts;
}

} // namespace

TEST_CASE("Global accesses move the sectors and lines of the published table") {
    struct Row {
        const char* expression;
        unsigned sectors;
        double sectorUse;
        unsigned lines;
        double lineUse;
        AccessShape shape;
    };
    // CUDA's programming and best-practices guides; a warp of 32 x 4 bytes.
    constexpr Row kTable[] = {
        {"tid", 4, 1.0, 1, 1.0, AccessShape::Coalesced},
        {"lane ^ 5", 4, 1.0, 1, 1.0, AccessShape::Coalesced}, // permuted within the 128 bytes
        {"tid - 2", 5, 0.8, 2, 0.5, AccessShape::Misaligned},
        {"tid - 16", 4, 1.0, 2, 0.5, AccessShape::Coalesced},
        {"0", 1, 0.125, 1, 0.03125, AccessShape::Broadcast},
        {"lane * lane * 32 + lane * 64", 32, 0.125, 32, 0.03125, AccessShape::Scattered},
    };
    for (const Row& row : kTable) {
        INFO(row.expression);
        const LanePattern bySectors = patternOf({.expression = row.expression});
        CHECK(bySectors.sectors == row.sectors);
        CHECK(bySectors.transactions == row.sectors);
        CHECK(*bySectors.utilization == Approx(row.sectorUse));
        CHECK(bySectors.shape.shape == row.shape);
        const LanePattern byLines = patternOf({.expression = row.expression, .ccMajor = 5, .ccMinor = 2});
        CHECK(byLines.lines == row.lines);
        CHECK(byLines.transactions == row.lines);
        CHECK(*byLines.utilization == Approx(row.lineUse));
        // Loads that bypass L1 and stores go by sectors on the old chips, too.
        CHECK(patternOf({.expression = row.expression, .ccMajor = 5, .bypassL1 = true}).transactions ==
              row.sectors);
        CHECK(patternOf({.expression = row.expression, .op = AccessOp::Store, .ccMajor = 5}).transactions ==
              row.sectors);
    }
}

TEST_CASE("Stores of parts of a warp move the sectors they touch") {
    const auto store = [](const char* expression, const char* active) {
        return patternOf({.expression = expression, .active = active, .op = AccessOp::Store}).sectors;
    };
    CHECK(store("tid", "") == 4);                                 // 128 aligned bytes
    CHECK(store("tid", "lane < 16") == 2);                        // 64 bytes
    CHECK(store("lane / 8 * 1000 + lane % 8", "lane < 24") == 3); // three scattered pieces of 32 bytes
    const LanePattern none = patternOf({.expression = "tid", .active = "0"});
    CHECK(none.sectors == 0);
    CHECK_FALSE(none.utilization);
    CHECK(none.shape.shape == AccessShape::None);
}

TEST_CASE("Wider elements take more sectors, and as many as they must") {
    CHECK(patternOf({.expression = "tid", .widthBytes = 8}).sectors == 8);
    CHECK(patternOf({.expression = "tid", .widthBytes = 16}).sectors == 16);
    CHECK(patternOf({.expression = "tid", .widthBytes = 16}).sectorsIdeal == 16);
    CHECK(patternOf({.expression = "tid*2", .widthBytes = 8}).sectors == 16);
    CHECK(patternOf({.expression = "tid*2", .widthBytes = 8}).sectorsIdeal == 8);
    CHECK(patternOf({.expression = "tid", .widthBytes = 1}).sectors == 1);
}

TEST_CASE("Shared memory: the most words in a bank, by halves and quarters of a warp for wide ones") {
    for (const auto& [stride, ways] :
         {std::pair{1, 1U}, {2, 2U}, {4, 4U}, {8, 8U}, {16, 16U}, {32, 32U}, {33, 1U}, {3, 1U}, {31, 1U}})
        CHECK(wavefronts("lane*" + std::to_string(stride), 4) == ways);
    CHECK(wavefronts("0", 4) == 1);                                  // the same word for all is one
    CHECK(wavefronts("tile[lane][3]", 4, AccessOp::Load, 32) == 32); // a column
    CHECK(wavefronts("tile[lane][3]", 4, AccessOp::Load, 33) == 1);  // a padded one
    CHECK(wavefronts("tid", 8, AccessOp::Store) == 2);
    CHECK(wavefronts("tid", 16, AccessOp::Store) == 4);
    CHECK(wavefronts("lane", 1) == 1);
    const LanePattern fourWay = patternOf({.expression = "lane*4", .shared = true});
    CHECK(*fourWay.ways == 4);
    CHECK(fourWay.wavefrontsIdeal == 1);
}

TEST_CASE("Block, grid and warp are the thread's") {
    CHECK(patternOf({.expression = "bid + gdim*tid", .grid = {65536, 1, 1}}).sectors == 32);
    CHECK(patternOf({.expression = "bid*bdim + tid", .blockIndex = {3, 0, 0}, .warp = 7}).address[0] ==
          (3 * 256 + 224) * 4);
    // A block of 16 x 16: a warp holds two rows of threads.
    const LanePattern rows = patternOf({.expression = "tid.y*4096 + tid.x", .block = {16, 16, 1}});
    CHECK(rows.sectors == 4);
    CHECK(rows.lines == 2);
    // A block of 48: the second warp is half there.
    CHECK(patternOf({.expression = "tid", .block = {48, 1, 1}, .warp = 1}).mask == 0xFFFF);
}

TEST_CASE("Strides are told per lane, with gaps too") {
    CHECK(patternOf({.expression = "tid*7"}).shape.stride == 7);
    CHECK(patternOf({.expression = "-tid*3"}).shape.stride == -3);
    const AccessClass gaps = patternOf({.expression = "tid*2", .active = "lane % 3 == 0"}).shape;
    CHECK(gaps.shape == AccessShape::Strided);
    CHECK(gaps.stride == 2);
    CHECK(toString(gaps) == "stride of 2 elements");
}

TEST_CASE("Questions that make no sense are refused with a line") {
    CHECK(problemOf({.expression = "tid", .widthBytes = 3}).find("1, 2, 4, 8, 16 or 32 bytes") !=
          std::string::npos);
    CHECK(problemOf({.expression = "tid", .baseBytes = 2}).find("no multiple of the width") !=
          std::string::npos);
    CHECK(problemOf({.expression = "tid", .block = {2048, 1, 1}}).find("1 to 1024 threads") !=
          std::string::npos);
    CHECK(problemOf({.expression = "tid", .warp = 8}).find("no warp 8") != std::string::npos);
    CHECK(problemOf({.expression = "tid - 1", .shared = true}) == "lane 0 accesses byte -4 of shared memory");
    CHECK(problemOf({.expression = "tid << 61"}).find("overflows") != std::string::npos);
    CHECK(problemOf({.expression = "x"}).find("there is no 'x'") != std::string::npos);
    CHECK(problemOf({.expression = "tid", .active = "1/(lane-3)"}) == "the expression divides by zero");
}

TEST_CASE("Types have the width CUDA gives them") {
    CHECK(widthOfType("float") == 4U);
    CHECK(widthOfType("double") == 8U);
    CHECK(widthOfType("half2") == 4U);
    CHECK(widthOfType("float4") == 16U);
    CHECK(widthOfType("double2") == 16U);
    CHECK(widthOfType("double4") == 32U);
    CHECK(widthOfType("uint8_t") == 1U);
    CHECK_FALSE(widthOfType("float3"));
    CHECK_FALSE(widthOfType("string"));
    CHECK_FALSE(widthOfType("4"));
}
