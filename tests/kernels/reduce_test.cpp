// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr std::size_t kThreads = 256;
constexpr std::size_t kSize = 12288; // 16 x 256 x 3: whole blocks of every variant
constexpr std::size_t kBlocks = kSize / kThreads;

/// Wavefronts of one access by the threads below `threads` of a block: for each warp, the most distinct words
/// in one bank; none for warps without such a thread.
double wavefronts(std::size_t threads, const ElementOfLane& word) {
    std::size_t sum = 0;
    for (std::size_t warp = 0; warp * 32 < threads; ++warp) {
        std::map<std::size_t, std::set<std::size_t>> banks;
        for (std::size_t lane = 0; lane < 32 && warp * 32 + lane < threads; ++lane)
            banks[word(warp * 32 + lane) % 32].insert(word(warp * 32 + lane));
        std::size_t most = 0;
        for (const auto& [bank, words] : banks)
            most = std::max(most, words.size());
        sum += most;
    }
    return static_cast<double>(sum);
}

struct Wavefronts {
    double load = 1; // thread 0 reads the sum
    double store = wavefronts(kThreads, [](std::size_t thread) { return thread; });
};

void expectWavefronts(const char* path, const Wavefronts& ofBlock) {
    CHECK(valueOf(path, kSize, "shared_load_wavefronts") == kBlocks * ofBlock.load);
    CHECK(valueOf(path, kSize, "shared_store_wavefronts") == kBlocks * ofBlock.store);
}

} // namespace

TEST_CASE("reduce: every layer of the suite is there") {
    const std::vector<std::string> variants = variantsOf("reduce");
    for (const char* name : {"thread", "warp_32", "warp_8", "warp_12", "warp_shuffle", "block_raking",
                             "block_raking_commutative", "block_warp_reductions", "device", "tree_conflicts",
                             "tree_sequential", "block_shuffle"})
        CHECK(std::count(variants.begin(), variants.end(), name) == 1);
}

TEST_CASE("reduce: each integer crosses once, eight to a sector") {
    for (const std::string& variant : variantsOf("reduce"))
        CHECK(valueOf("reduce/" + variant, kSize, "global_load_sectors") == kSize * 4 / 32.0);
}

TEST_CASE("reduce: wavefronts of the trees counted thread by thread") {
    Wavefronts interleaved;
    for (std::size_t apart = 1; apart < kThreads; apart *= 2) {
        const auto left = [&](std::size_t pair) { return 2 * apart * pair; };
        const auto right = [&](std::size_t pair) { return 2 * apart * pair + apart; };
        const std::size_t pairs = kThreads / 2 / apart;
        interleaved.load += wavefronts(pairs, left) + wavefronts(pairs, right);
        interleaved.store += wavefronts(pairs, left);
    }
    expectWavefronts("reduce/tree_conflicts", interleaved);

    Wavefronts sequential;
    for (std::size_t half = kThreads / 2; half > 0; half /= 2) {
        const auto lower = [](std::size_t pair) { return pair; };
        const auto upper = [&](std::size_t pair) { return pair + half; };
        sequential.load += wavefronts(half, lower) + wavefronts(half, upper);
        sequential.store += wavefronts(half, lower);
    }
    expectWavefronts("reduce/tree_sequential", sequential);
    CHECK(interleaved.load > 3 * sequential.load);
}

TEST_CASE("reduce: a warp of two logical warps of 12 reads 96 bytes, and four steps halve 12 lanes to one") {
    for (const std::size_t warp : {0U, 1U, 7U}) {
        std::set<std::size_t> touched;
        for (std::size_t lane = 0; lane < 24; ++lane)
            touched.insert((warp * 24 + lane) * 4 / 32);
        CHECK(valueOf("reduce/warp_12", kSize, "global_load_sectors_per_request") ==
              static_cast<double>(touched.size()));
    }
    int steps = 0;
    for (int lanes = 12; lanes > 1; lanes = (lanes + 1) / 2)
        ++steps;
    CHECK(valueOf("reduce/warp_12", kSize, "shared_store_wavefronts") == steps * (kSize / 24.0));
    CHECK(valueOf("reduce/warp_12", kSize, "grid_blocks") == kSize / 24.0 / 8);
}

TEST_CASE("reduce: what the blocks' threads store, thread by thread") {
    // CUB's raking layout: segments of 8, one for each of 32 raking threads, and a word of padding behind
    // each.
    const auto padded = [](std::size_t thread) { return thread + thread / 8; };
    CHECK(valueOf("reduce/block_raking", kSize, "shared_store_wavefronts") ==
          kBlocks * wavefronts(kThreads, padded));
    CHECK(wavefronts(32, [](std::size_t lane) { return lane * 9; }) == 1); // what that is good for
    // The raking warp keeps its own; the others' words need no padding, for it takes them side by side.
    CHECK(valueOf("reduce/block_raking_commutative", kSize, "shared_store_wavefronts") ==
          kBlocks * wavefronts(kThreads - 32, [](std::size_t thread) { return thread; }));
    for (const char* path : {"reduce/block_warp_reductions", "reduce/block_shuffle"})
        CHECK(valueOf(path, kSize, "shared_store_wavefronts") == kBlocks * (kThreads / 32.0));
}

TEST_CASE("reduce: any size becomes whole blocks of every variant") {
    for (const kernels::Family& family : kernels::families()) {
        if (family.name != "reduce") continue;
        for (const kernels::Group& group : family.groups)
            for (const std::size_t wanted : {1UL, 12289UL, 1UL << 24}) {
                const std::size_t size = group.roundSize(wanted);
                CHECK(size >= wanted);
                CHECK(size % (16 * kThreads) == 0); // thread
                CHECK(size % (8UL * 24) == 0);      // warp_12
            }
    }
}
