// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/lane_picture.h"

#include "analysis/access/pattern_picture.h"
#include "analysis/report/svg/pattern_svg.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <functional>

using namespace dormer::access;

using namespace dormer::lines;

using namespace dormer::session;

namespace {

constexpr std::uint32_t kFull = 0xFFFFFFFF;
constexpr std::uint64_t kBuffer = 0x7F3A'0000'0200;

LaneSample lanesAt(const std::function<std::uint64_t(unsigned)>& address, std::uint32_t mask = kFull) {
    std::array<std::uint64_t, kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        addresses[lane] = address(lane);
    return laneSample(addresses, mask);
}

LineCounts accessOf(std::string_view space, LaneSample lanes, unsigned width = 4,
                    std::string_view op = "load") {
    LineCounts access;
    access.file = "src/transpose.cu";
    access.line = 54;
    access.instruction = "ld.global.f32";
    fromString(space, access.space);
    fromString(op, access.op);
    access.widthBytes = width;
    access.lanes = std::move(lanes);
    return access;
}

LanePattern sampled(const LineCounts& access) {
    const auto picture = lanePicture(access);
    REQUIRE(picture);
    CHECK(picture->sampled);
    CHECK(picture->caption == "lanes of one warp, as seen");
    return picture->pattern;
}

LanePattern global(const std::function<std::uint64_t(unsigned)>& address, unsigned width = 4) {
    return sampled(accessOf("global", lanesAt(address), width));
}
LanePattern shared(const std::function<std::uint64_t(unsigned)>& address, unsigned width = 4) {
    return sampled(accessOf("shared", lanesAt(address), width));
}

/// Without samples: what a thousand full warps counted.
LineCounts counted(std::string_view space, std::uint64_t each, std::uint64_t ideal, unsigned width = 4,
                   std::string_view op = "load") {
    LineCounts access = accessOf(space, {}, width, op);
    access.executions = 1000;
    access.threads = 32'000;
    (access.space == MemorySpace::Shared ? access.wavefronts : access.sectors) = 1000 * each;
    (access.space == MemorySpace::Shared ? access.wavefrontsIdeal : access.sectorsIdeal) = 1000 * ideal;
    return access;
}

} // namespace

TEST_CASE("Sampled lanes count what the published table says") {
    // CUDA's best-practices guide; a warp of 32 x 4 bytes.
    CHECK(global([](unsigned lane) { return kBuffer + 4 * lane; }).sectors == 4);
    CHECK(global([](unsigned lane) { return kBuffer + 4 * (lane ^ 5); }).sectors == 4);
    CHECK(global([](unsigned lane) { return kBuffer + 4 * lane - 8; }).sectors == 5);
    CHECK(global([](unsigned lane) { return kBuffer + 4 * lane - 64; }).sectors == 4);
    CHECK(global([](unsigned lane) { return kBuffer + 4 * lane - 64; }).lines == 2);
    CHECK(global([](unsigned) { return kBuffer; }).sectors == 1);
    CHECK(global([](unsigned lane) { return kBuffer + 128ULL * lane * lane; }).sectors == 32);
    // A stride of k elements of 4 bytes: k times the sectors, until each lane has its own.
    for (const unsigned k : {1U, 2U, 4U, 8U, 16U, 1024U}) {
        const LanePattern pattern = global([k](unsigned lane) { return kBuffer + 4ULL * k * lane; });
        INFO("stride " << k);
        CHECK(pattern.sectors == std::min(4 * k, 32U));
        CHECK(pattern.sectorsIdeal == 4);
        CHECK(pattern.bytesRequested == 128);
        if (k > 1) {
            CHECK(pattern.shape.shape == AccessShape::Strided);
            CHECK(pattern.shape.stride == k);
        }
    }
    CHECK(global([](unsigned lane) { return kBuffer + 16 * lane; }, 16).sectors == 16);
}

TEST_CASE("Sampled lanes of shared memory: a column, a padded one, a broadcast") {
    const LanePattern column =
        shared([](unsigned lane) { return 12 + 128 * lane; }); // tile[lane][3] of [32][32]
    CHECK(column.wavefronts == 32);
    CHECK(column.wavefrontsIdeal == 1);
    CHECK(*column.ways == 32);
    CHECK(shared([](unsigned lane) { return 12 + 132 * lane; }).wavefronts == 1); // of [32][33]
    CHECK(shared([](unsigned) { return 12; }).wavefronts == 1);
    CHECK(shared([](unsigned lane) { return 8 * lane; }, 8).wavefronts == 2);
    for (const unsigned k : {2U, 4U, 8U, 16U})
        CHECK(shared([k](unsigned lane) { return 4 * k * lane; }).wavefronts == k);
    // Where the sample begins in its line decides the bank, so that is kept.
    CHECK(shared([](unsigned lane) { return 4096 + 124 + 4 * (lane % 2); }).address[0] == 124);
}

TEST_CASE("The picture of a sample names the access, and no block") {
    const LanePattern pattern = global([](unsigned lane) { return kBuffer + 32 * lane; });
    CHECK(patternSubject(pattern) == "4-byte loads from global memory, lanes of one warp, as seen");
    const std::string text = patternText(pattern);
    CHECK(text.starts_with("transpose.cu:54  ld.global.f32\n4-byte loads from global memory, lanes of"));
    CHECK(text.find("32 sectors (ideal 4): stride of 8 elements") != std::string::npos);
    for (const std::string& shown :
         {text, dormer::report::patternSvg(pattern), patternJson(pattern).dump()}) {
        CHECK(shown.find("block") == std::string::npos);
        CHECK(shown.find("ompute") == std::string::npos);
        CHECK(shown.find("as seen") != std::string::npos);
        CHECK(shown.find("transpose.cu:54  ld.global.f32") != std::string::npos);
    }
    LineCounts local = accessOf("local", lanesAt([](unsigned lane) { return 4 * lane; }), 4, "store");
    local.file.clear();
    local.pc = 0x110;
    CHECK(patternText(sampled(local)).starts_with("pc 0x110  ld.global.f32\n4-byte stores to local memory,"));
}

TEST_CASE("Samples that cannot be are not drawn") {
    const LaneSample lanes = lanesAt([](unsigned lane) { return 4 * lane; });
    CHECK(lanePicture(accessOf("global", lanes)));
    CHECK_FALSE(lanePicture(accessOf("global", lanes, 3)));
    CHECK_FALSE(lanePicture(accessOf("global", lanes, 8))); // lane 1 at byte 4
    CHECK_FALSE(lanePicture(accessOf("shared", lanesAt([](unsigned lane) { return lane * 0x100'0000ULL; }))));
    CHECK_FALSE(lanePicture(accessOf("", lanes, 4, "branch")));
    CHECK_FALSE(lanePicture(accessOf("texture", lanes)));
    LineCounts unknown = accessOf("global", lanes);
    unknown.widthBytes.reset();
    CHECK_FALSE(lanePicture(unknown));
}

TEST_CASE("Without samples the picture is what the counts look like, and says so") {
    struct Case {
        LineCounts access;
        const char* caption;
        unsigned count;
    };
    const Case kCases[] = {
        {counted("global", 4, 4), "as coalesced accesses look", 4},
        {counted("global", 16, 16, 16), "as coalesced accesses look", 16},
        {counted("global", 5, 4), "as a misaligned access looks", 5},
        {counted("global", 9, 8, 8, "store"), "as a misaligned access looks", 9},
        {counted("global", 1, 1), "as a broadcast looks", 1},
        {counted("global", 8, 4), "as a stride of 2 elements looks", 8},
        {counted("global", 8, 1, 1), "as a stride of 8 elements looks", 8},
        {counted("local", 4, 4), "as coalesced accesses look", 4},
        {counted("shared", 1, 1), "as a conflict-free access looks", 1},
        {counted("shared", 4, 4, 16), "as a conflict-free access looks", 4},
        {counted("shared", 2, 1, 4, "store"), "as a stride of 2 words looks", 2},
        {counted("shared", 32, 1), "as a stride of 32 words looks", 32},
        {counted("shared", 8, 1, 1), "as a stride of 8 words looks", 8},
        {counted("shared", 8, 2, 8), "as a stride of 4 elements looks", 8},
        {counted("shared", 3, 1), "as bank conflicts of 3 ways look", 3},
        {counted("shared", 11, 1), "as bank conflicts of 11 ways look", 11},
    };
    for (const Case& each : kCases) {
        INFO(each.caption << ", " << each.count);
        const auto picture = lanePicture(each.access);
        REQUIRE(picture);
        CHECK_FALSE(picture->sampled);
        CHECK(picture->caption == each.caption);
        const bool shared = each.access.space == MemorySpace::Shared;
        CHECK((shared ? picture->pattern.wavefronts : picture->pattern.sectors) == each.count);
        CHECK(patternSubject(picture->pattern).ends_with(each.caption));
    }
}

TEST_CASE("Counts that do not tell how the lanes lie give no picture") {
    CHECK_FALSE(lanePicture(counted("global", 32, 4)));              // each lane in a sector of its own
    CHECK_FALSE(lanePicture(counted("global", 13, 4)));              // scattered
    CHECK_FALSE(lanePicture(counted("global", 2, 2)));               // lanes that share addresses, somehow
    CHECK_FALSE(lanePicture(counted("shared", 7, 2)));               // 3.5-way
    CHECK_FALSE(lanePicture(counted("shared", 1, 1, 8)));            // words shared by lanes, somehow
    CHECK_FALSE(lanePicture(counted("shared", 32, 1, 4, "atomic"))); // a bank, or one word
    LineCounts never = counted("global", 4, 4);
    never.executions = 0;
    CHECK_FALSE(lanePicture(never));
}

TEST_CASE("A warp that is part full is drawn so") {
    LineCounts half = counted("global", 2, 2);
    half.threads = 16'000;
    const auto picture = lanePicture(half);
    REQUIRE(picture);
    CHECK(picture->pattern.mask == 0xFFFF);
}
