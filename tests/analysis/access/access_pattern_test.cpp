// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace dormer::access;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
using Addresses = std::array<std::uint64_t, 32>;

template <typename F>
Addresses lanes(F address) {
    Addresses result{};
    for (unsigned lane = 0; lane < 32; ++lane)
        result[lane] = address(lane);
    return result;
}

struct Shape {
    unsigned sectors, lines;
    bool operator==(const Shape&) const = default;
};

Shape shapeOf(const Addresses& addresses, std::uint32_t mask = kAll, unsigned width = 4) {
    LineAccess out[kMaxLines];
    const Coalesced result = coalesce(addresses.data(), mask, width, out);
    unsigned bits = 0;
    for (unsigned i = 0; i < result.lines; ++i)
        bits += static_cast<unsigned>(std::popcount(out[i].sectors));
    CHECK(bits == result.sectors);
    return {result.sectors, result.lines};
}

constexpr std::uint64_t kBase = 0x7F0000000000;

/// The definition, with sets.
std::map<std::uint64_t, std::uint32_t> linesByDefinition(const Addresses& addresses, std::uint32_t mask) {
    std::map<std::uint64_t, std::uint32_t> lines;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1) != 0) lines[addresses[lane] / 128] |= 1U << (addresses[lane] / 32 % 4);
    return lines;
}

unsigned wavefrontsByDefinition(const std::array<std::uint32_t, 32>& addresses, std::uint32_t mask,
                                unsigned width) {
    const unsigned group = width == 16 ? 8 : width == 8 ? 16 : 32;
    unsigned total = 0;
    for (unsigned first = 0; first < 32; first += group) {
        std::map<unsigned, std::set<unsigned>> words;
        for (unsigned lane = first; lane < first + group; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            for (unsigned byte = 0; byte < width; ++byte) {
                const unsigned word = (addresses[lane] + byte) / 4;
                words[word % 32].insert(word);
            }
        }
        std::size_t most = 0;
        for (const auto& [bank, distinct] : words)
            most = std::max(most, distinct.size());
        total += static_cast<unsigned>(most);
    }
    return total;
}

} // namespace

TEST_CASE("Sectors and lines of 32 lanes of 4 bytes are those of the CUDA guides") {
    const auto at = [](auto index) { return lanes([&](unsigned lane) { return kBase + 4 * index(lane); }); };
    CHECK(shapeOf(at([](unsigned i) { return i; })) == Shape{4, 1});
    CHECK(shapeOf(at([](unsigned i) { return i ^ 21; })) == Shape{4, 1}); // permuted
    CHECK(shapeOf(at([](unsigned i) { return i + 62; })) == Shape{5, 2}); // a[i - 2]
    CHECK(shapeOf(at([](unsigned i) { return i + 16; })) == Shape{4, 2}); // a[i - 16]
    CHECK(shapeOf(at([](unsigned) { return 7; })) == Shape{1, 1});
    CHECK(shapeOf(at([](unsigned i) { return 1000 * (i * 7 % 32); })) == Shape{32, 32});
    CHECK(shapeOf(at([](unsigned i) { return 65536 * i; })) == Shape{32, 32});
    // Half of the range, and three pieces of 32 bytes apart.
    CHECK(shapeOf(at([](unsigned i) { return i; }), 0x0000FFFF) == Shape{2, 1});
    CHECK(shapeOf(at([](unsigned i) { return i % 8 + 800 * (i / 8 % 3); })) == Shape{3, 3});
    CHECK(shapeOf(at([](unsigned i) { return i; }), 0) == Shape{0, 0});
}

TEST_CASE("Wider accesses take 8 and 16 sectors, narrower ones 1 and 2") {
    for (const auto& [width, expected] :
         std::map<unsigned, Shape>{{1, {1, 1}}, {2, {2, 1}}, {4, {4, 1}}, {8, {8, 2}}, {16, {16, 4}}}) {
        CAPTURE(width);
        CHECK(shapeOf(lanes([&, w = width](unsigned lane) { return kBase + std::uint64_t{w} * lane; }), kAll,
                      width) == expected);
        CHECK(idealSectors(32, width, 32) == expected.sectors);
    }
    CHECK(idealSectors(1, 4, 1) == 1);
    CHECK(idealSectors(9, 4, 9) == 2);
    CHECK(idealSectors(32, 4, 1) == 1); // all lanes read one address
}

TEST_CASE("Lines and sectors follow the definition for any pattern and mask") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20000; ++round) {
        const unsigned width = 1U << (random() % 5);
        const std::uint64_t range = std::uint64_t{1} << (random() % 14);
        const std::uint64_t stride = random() % 40;
        const bool regular = random() % 2 == 0;
        const auto addresses = lanes(
            [&](unsigned lane) { return kBase + width * (regular ? stride * lane : random() % range); });
        std::uint32_t mask = random() % 2 == 0 ? kAll : static_cast<std::uint32_t>(random());
        LineAccess out[kMaxLines];
        const Coalesced result = coalesce(addresses.data(), mask, width, out);
        std::map<std::uint64_t, std::uint32_t> lines;
        for (unsigned i = 0; i < result.lines; ++i)
            lines[out[i].line] = out[i].sectors;
        REQUIRE(lines.size() == result.lines); // distinct
        REQUIRE(lines == linesByDefinition(addresses, mask));
    }
}

TEST_CASE("Wavefronts of shared memory: strides, broadcast and padded columns") {
    const auto ways = [](auto index, unsigned width = 4) {
        std::array<std::uint32_t, 32> addresses{};
        for (unsigned lane = 0; lane < 32; ++lane)
            addresses[lane] = static_cast<std::uint32_t>(width * index(lane));
        return sharedStoreWavefronts(addresses.data(), kAll, width);
    };
    for (const unsigned stride : {1U, 2U, 4U, 8U, 16U, 32U})
        CHECK(ways([&](unsigned i) { return stride * i; }) == stride);
    for (const unsigned stride : {3U, 5U, 31U, 33U}) // odd strides meet every bank once
        CHECK(ways([&](unsigned i) { return stride * i; }) == 1);
    CHECK(ways([](unsigned) { return 5; }) == 1);
    CHECK(ways([](unsigned i) { return 31 - i; }) == 1);
    CHECK(ways([](unsigned i) { return i; }, 8) == 2);
    CHECK(ways([](unsigned i) { return i; }, 16) == 4);
    CHECK(ways([](unsigned i) { return i; }, 1) == 1); // four lanes share a word
    CHECK(idealWavefronts(32, 4, 32) == 1);
    CHECK(idealWavefronts(32, 8, 32) == 2);
    CHECK(idealWavefronts(32, 16, 32) == 4);
    CHECK(idealWavefronts(32, 16, 2) == 2);
    CHECK(idealWavefronts(32, 1, 1) == 1);
}

TEST_CASE("Wavefronts follow the definition for any pattern and mask") {
    std::mt19937 random(2);
    for (int round = 0; round < 20000; ++round) {
        const unsigned width = 1U << (random() % 5);
        const unsigned range = 1U << (random() % 12);
        const unsigned stride = random() % 70;
        const unsigned offset = random() % 32;
        const bool regular = random() % 2 == 0;
        std::array<std::uint32_t, 32> addresses{};
        for (unsigned lane = 0; lane < 32; ++lane)
            addresses[lane] = width * (offset + (regular ? stride * lane : random() % range));
        const std::uint32_t mask = random() % 2 == 0 ? kAll : random();
        CAPTURE(width, stride, range, regular, mask);
        REQUIRE(sharedStoreWavefronts(addresses.data(), mask, width) ==
                wavefrontsByDefinition(addresses, mask, width));
        // Loads of up to 4 bytes are served like stores; no load takes more.
        const unsigned load = sharedLoadWavefronts(addresses.data(), mask, width);
        if (width <= 4)
            REQUIRE(load == wavefrontsByDefinition(addresses, mask, width));
        else
            REQUIRE(load <= wavefrontsByDefinition(addresses, mask, width));
    }
}

TEST_CASE("Atomics wait for the lanes that share their address") {
    const auto at = [](auto index) { return lanes([&](unsigned lane) { return kBase + 4 * index(lane); }); };
    LineAccess out[kMaxLines];
    struct Case {
        Addresses addresses;
        unsigned serialized, passes;
    };
    const Case cases[] = {
        {at([](unsigned i) { return i; }), 1, 4},                // a pass for each sector
        {at([](unsigned) { return 3; }), 32, 32},                // one after the other
        {at([](unsigned i) { return i % 8; }), 4, 4},            // eight words of one sector, four lanes each
        {at([](unsigned i) { return 100 * (i / 2); }), 2, 32},   // 16 sectors, two lanes each
        {at([](unsigned i) { return i < 20 ? 0 : i; }), 20, 22}, // 20, and sectors 2 and 3 once each
    };
    for (const Case& each : cases) {
        const CoalescedAtomic result = coalesceAtomic(each.addresses.data(), kAll, 4, out);
        unsigned passes = 0;
        for (unsigned i = 0; i < result.lines; ++i)
            passes += out[i].passes;
        CHECK(result.serialized == each.serialized);
        CHECK(atomicSerialization(each.addresses.data(), kAll) == each.serialized);
        CHECK(passes == each.passes);
    }
    CHECK(atomicSerialization(cases[1].addresses.data(), 0x00FF0000) == 8);
    CHECK(atomicSerialization(cases[1].addresses.data(), 0) == 0);
}

TEST_CASE("Passes of atomics follow the definition for any pattern and mask") {
    std::mt19937_64 random(5);
    for (int round = 0; round < 20000; ++round) {
        const unsigned width = 4U << (random() % 2);
        const std::uint64_t range = std::uint64_t{1} << (random() % 14);
        const auto addresses = lanes([&](unsigned) { return kBase + width * (random() % range); });
        const std::uint32_t mask = random() % 2 == 0 ? kAll : static_cast<std::uint32_t>(random());
        std::map<std::uint64_t, unsigned> lanesAt;
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((mask >> lane & 1) != 0) ++lanesAt[addresses[lane]];
        std::map<std::uint64_t, unsigned> ofSector, ofLine;
        unsigned most = 0;
        for (const auto& [address, count] : lanesAt) {
            ofSector[address / 32] = std::max(ofSector[address / 32], count);
            most = std::max(most, count);
        }
        for (const auto& [sector, count] : ofSector)
            ofLine[sector / 4] += count;
        LineAccess out[kMaxLines];
        const CoalescedAtomic result = coalesceAtomic(addresses.data(), mask, width, out);
        std::map<std::uint64_t, unsigned> passes;
        for (unsigned i = 0; i < result.lines; ++i)
            passes[out[i].line] = out[i].passes;
        REQUIRE(passes == ofLine);
        REQUIRE(result.sectors == ofSector.size());
        REQUIRE(result.serialized == most);
    }
}

TEST_CASE("Passes of atomics are those an H100 counted for a histogram of ten bins") {
    // samples/h100-basics.dormer, histogram/global_atomics: l1tex__t_sectors_lookup_miss.sum is 7410545; of
    // these, 2097152 are the loads. 524288 reductions into 40 bytes.
    constexpr double kRecorded = (7410545.0 - 2097152) / 524288;
    std::mt19937 random(3);
    std::uint64_t passes = 0;
    constexpr int kRequests = 20000;
    for (int round = 0; round < kRequests; ++round) {
        const auto addresses = lanes([&](unsigned) { return kBase + 4 * (random() % 10); });
        LineAccess out[kMaxLines];
        CHECK(coalesceAtomic(addresses.data(), kAll, 4, out).lines == 1);
        passes += out[0].passes;
    }
    CHECK(static_cast<double>(passes) / kRequests == Approx(kRecorded).epsilon(0.01));
}
