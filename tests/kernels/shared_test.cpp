// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include "kernels/shared/indices.h"

#include <algorithm>
#include <numeric>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kSize = std::size_t{1} << 16;
constexpr double kRequests = kSize / 32.0 * 32; // warps times rounds

struct Width {
    std::size_t bytes;
    std::string suffix;
};
const Width kWidths[] = {{4, ""}, {8, "_8"}, {16, "_16"}};

/// Passes that an H100 takes for a full warp's load of elements (docs/access-counts.md), word by word: groups
/// of as many lanes as fill the banks; each takes the most distinct words in one bank. Two neighbouring
/// groups of wide accesses go together if lanes share addresses in pairs (i with i ^ 1, or i with i ^ 2) and
/// no two words of theirs are in one bank.
double wavefronts(std::size_t bytes, const ElementOfLane& element) {
    const std::size_t words = bytes / 4;
    const std::size_t lanes = 32 / words;
    const auto passes = [&](std::size_t first, std::size_t count) {
        std::map<std::size_t, std::set<std::size_t>> banks;
        for (std::size_t lane = first; lane < first + count; ++lane)
            for (std::size_t word = 0; word < words; ++word)
                banks[(element(lane) * words + word) % 32].insert(element(lane) * words + word);
        std::size_t most = 0;
        for (const auto& [bank, met] : banks)
            most = std::max(most, met.size());
        return most;
    };
    const auto inPairs = [&](std::size_t first, std::size_t with) {
        for (std::size_t lane = first; lane < first + 2 * lanes; ++lane)
            if (element(lane) != element(lane ^ with)) return false;
        return true;
    };
    if (words == 1) return static_cast<double>(passes(0, 32));
    std::size_t total = 0;
    for (std::size_t first = 0; first < 32; first += 2 * lanes) {
        const bool together = (inPairs(first, 1) || inPairs(first, 2)) && passes(first, 2 * lanes) == 1;
        total += together ? 1 : passes(first, lanes) + passes(first + lanes, lanes);
    }
    return static_cast<double>(total);
}

/// Passes without a conflict, never more than there are.
double ideal(std::size_t bytes, double wavefronts) {
    return std::min(static_cast<double>(bytes) / 4, wavefronts);
}

void checkAnswers(const std::string& path, std::size_t bytes, const ElementOfLane& element) {
    INFO(path);
    const double passes = wavefronts(bytes, element);
    CHECK(valueOf(path, kSize, "shared_load_instructions") == kRequests);
    CHECK(valueOf(path, kSize, "shared_load_wavefronts") == kRequests * passes);
    if (path != "shared/broadcast_16") // not to be told from a kernel's counters
        CHECK(valueOf(path, kSize, "shared_load_ways") == passes / ideal(bytes, passes));
    CHECK(valueOf(path, kSize, "shared_store_ways") == 1);
}

} // namespace

TEST_CASE("shared: the variants are there") {
    std::vector<std::string> wanted;
    for (const Width& width : kWidths)
        for (const char* stride : {"1", "2", "4", "8", "16", "32", "33"})
            wanted.push_back("stride" + width.suffix + "/" + stride);
    for (const Width& width : kWidths)
        for (const char* pattern : {"broadcast", "random_permutation", "irregular"})
            wanted.push_back(pattern + width.suffix);
    wanted.emplace_back("static_48");
    for (const char* kilobytes : {"4", "8", "16", "32", "48", "64"})
        wanted.push_back(std::string("dynamic/") + kilobytes);
    for (const char* percent : {"0", "10", "25", "50", "75", "100"})
        wanted.push_back(std::string("carveout/") + percent);
    CHECK(variantsOf("shared") == wanted);
}

TEST_CASE("shared: bank conflicts of strides counted word by word") {
    for (const Width& width : kWidths)
        for (const std::size_t stride : {1U, 2U, 4U, 8U, 16U, 32U, 33U})
            for (const std::size_t round : {0U, 31U})
                checkAnswers("shared/stride" + width.suffix + "/" + std::to_string(stride), width.bytes,
                             [&](std::size_t lane) { return lane * stride + round; });
    for (const std::size_t stride : {1U, 2U, 4U, 8U, 16U, 32U, 33U})
        CHECK(valueOf("shared/stride/" + std::to_string(stride), kSize, "shared_load_ways") ==
              ways([&](std::size_t lane) { return lane * stride; }));
}

TEST_CASE("shared: a broadcast takes one pass, or one for each half of the warp") {
    for (const Width& width : kWidths)
        checkAnswers("shared/broadcast" + width.suffix, width.bytes, [](std::size_t) { return 7; });
}

TEST_CASE("shared: permutations are permutations, and free of conflicts, whatever the seed") {
    for (const Width& width : kWidths) {
        std::set<kernels::shared::LaneIndices> different;
        for (const std::uint64_t seed : {0ULL, 1ULL, 42ULL, ~0ULL}) {
            const auto indices = kernels::shared::permutation(static_cast<unsigned>(width.bytes), seed);
            different.insert(indices);
            checkAnswers("shared/random_permutation" + width.suffix, width.bytes,
                         [&](std::size_t lane) { return indices[lane]; });
            auto sorted = indices;
            std::ranges::sort(sorted);
            kernels::shared::LaneIndices all{};
            std::iota(all.begin(), all.end(), 0U);
            CHECK(sorted == all);
        }
        CHECK(different.size() == 4);
    }
}

TEST_CASE("shared: irregular indices have the same number of conflicts whatever the seed") {
    constexpr std::uint32_t kReach = 33 * 32 - 32; // 32 rounds follow
    for (const Width& width : kWidths) {
        std::set<kernels::shared::LaneIndices> different;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const auto indices = kernels::shared::irregular(static_cast<unsigned>(width.bytes), kReach, seed);
            different.insert(indices);
            for (const std::size_t round : {0U, 31U})
                checkAnswers("shared/irregular" + width.suffix, width.bytes,
                             [&](std::size_t lane) { return indices[lane] + round; });
            CHECK(std::ranges::max(indices) < kReach);
            const std::size_t lanes = 128 / width.bytes; // served together
            for (auto first = indices.begin(); first != indices.end(); first += lanes)
                CHECK(std::set(first, first + lanes).size() == lanes);
        }
        CHECK(different.size() == 100);
    }
    CHECK(valueOf("shared/irregular", kSize, "shared_load_ways") == 4);
}

TEST_CASE("shared: blocks take what they are said to take") {
    constexpr std::size_t kElements = 49152 * 8;
    CHECK(valueOf("shared/static_48", kElements, "shared_bytes_per_block") == 49152);
    for (const std::size_t kilobytes : {4U, 8U, 16U, 32U, 48U, 64U}) {
        const std::string path = "shared/dynamic/" + std::to_string(kilobytes);
        CHECK(valueOf(path, kElements, "shared_bytes_per_block") == 1024.0 * static_cast<double>(kilobytes));
        // Each word is stored once and loaded once, from the other end.
        CHECK(valueOf(path, kElements, "shared_store_wavefronts") ==
              kElements / 32.0 * wavefronts(4, [](std::size_t lane) { return lane; }));
        CHECK(valueOf(path, kElements, "shared_load_wavefronts") ==
              kElements / 32.0 * wavefronts(4, [](std::size_t lane) { return 1023 - lane; }));
    }
    CHECK(valueOf("shared/carveout/50", kElements, "shared_bytes_per_block") == 8192);
}

TEST_CASE("shared: sizes are whole pieces of every amount") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "shared") continue;
        for (const std::size_t wanted : {std::size_t{1}, std::size_t{100'003}}) {
            const std::size_t size = family.groups[2].roundSize(wanted);
            for (const std::size_t kilobytes : {4U, 8U, 16U, 32U, 48U, 64U})
                CHECK(size * 4 % (kilobytes * 1024) == 0);
        }
    }
}
