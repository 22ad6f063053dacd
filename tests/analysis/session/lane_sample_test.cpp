// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/lane_sample.h"

#include "tests/support/catch.h"
#include "tests/support/parsed.h"

#include <array>
#include <functional>

using namespace dormer::session;
using dormer::tests::parsed;

namespace {

constexpr std::uint64_t kBuffer = 0x7F3A'0000'0200;

LaneSample lanesAt(const std::function<std::uint64_t(unsigned)>& address, std::uint32_t mask = ~0U) {
    std::array<std::uint64_t, LaneSample::kLanes> addresses{};
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane)
        addresses[lane] = address(lane);
    return laneSample(addresses, mask);
}

} // namespace

TEST_CASE("Lanes are written from the beginning of the lowest one's line") {
    std::string text;
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane)
        text += (lane > 0 ? "," : "") + std::to_string(8 + 4 * lane);
    CHECK(toString(lanesAt([](unsigned lane) { return kBuffer + 8 + 4 * lane; })) == text);
    // Downwards: the last lane is the lowest. Lanes that are off are empty and not looked at.
    CHECK(toString(lanesAt([](unsigned lane) { return kBuffer + 256 - 128 * lane; }, 0b111)) ==
          "256,128,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
    CHECK(toString(lanesAt([](unsigned lane) { return lane == 0 ? 4U : kBuffer; }, 1U << 31)) ==
          ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,0");
    CHECK_FALSE(lanesAt([](unsigned) { return kBuffer; }, 0).seen());
    CHECK(toString(LaneSample{}).empty());
}

TEST_CASE("What was written is read back") {
    const std::uint32_t mask = 0xF0F0'1234;
    const LaneSample seen = lanesAt([](unsigned lane) { return kBuffer + 36 + 4096 * lane; }, mask);
    const auto sample = parsed<LaneSample>(toString(seen));
    CHECK(sample == seen);
    CHECK(sample.mask == mask);
    const unsigned first = 2; // lowest bit of the mask
    for (unsigned lane = 0; lane < LaneSample::kLanes; ++lane)
        CHECK(sample.address[lane] ==
              ((mask >> lane & 1U) != 0 ? std::int64_t{36} + 4096 * (lane - first) : std::int64_t{0}));
}

TEST_CASE("Text that is no sample gives none") {
    const std::string commas(31, ',');
    for (const std::string& text :
         {std::string{}, commas, std::string{"0"}, "0" + commas + ",", "0" + commas.substr(1), "x" + commas,
          "-4" + commas, "4 " + commas, "0x10" + commas, "99999999999999999999" + commas,
          "9223372036854775807" + commas, commas + "1.5"}) {
        INFO("'" << text << "'");
        CHECK_FALSE(parsed<LaneSample>(text).seen());
    }
    CHECK(parsed<LaneSample>("0" + commas).seen());
}
