// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/hierarchy/hierarchy.h"

#include "tests/support/catch.h"

#include <mutex>
#include <thread>

using namespace dormer;
using namespace dormer::emulator::counts;
using namespace dormer::emulator::hierarchy;

namespace {

constexpr std::uint64_t kBase = 0x7F0000000000 / 128;
const device::Chip& chip(const char* key) {
    return *device::findChip(key);
}

void touch(MemoryHierarchy::BlockPort& port, AccessKind kind, std::uint64_t line, std::uint32_t sectors = 0xF,
           std::uint32_t passes = 0) {
    const LineAccess access{line, sectors, passes};
    port.access(kind, &access, 1);
}

bool same(const Traffic& a, const Traffic& b) {
    return a.l1LookupHits == b.l1LookupHits && a.l1LookupMisses == b.l1LookupMisses &&
           a.l2Reads == b.l2Reads && a.l2Writes == b.l2Writes && a.l2Hits == b.l2Hits &&
           a.l2Misses == b.l2Misses && a.l2Tags == b.l2Tags && a.dramReadSectors == b.dramReadSectors &&
           a.dramWriteSectors == b.dramWriteSectors && a.l2Reductions == b.l2Reductions;
}

} // namespace

TEST_CASE("Sectors of a line are filled one by one") {
    MemoryHierarchy hierarchy(chip("V100"), 0);
    auto port = hierarchy.open(0, 0);
    touch(port, AccessKind::Load, kBase, 0b0001);
    touch(port, AccessKind::Load, kBase, 0b0011); // one of two is there
    touch(port, AccessKind::Load, kBase, 0b0011);
    hierarchy.close(std::move(port));
    const Traffic traffic = hierarchy.finish();
    CHECK(traffic.l1LoadSectors == 5);
    CHECK(traffic.l1LoadSectorHits == 3);
    CHECK(traffic.l2Reads == 2);
    CHECK(traffic.l2Tags == 2);
    CHECK(traffic.l2Misses == 2);
    CHECK(traffic.dramReadSectors == 2);
}

TEST_CASE("Each SM has an L1 of its own, all share L2, and a launch begins cold") {
    for (int launch = 0; launch < 2; ++launch) {
        MemoryHierarchy hierarchy(chip("V100"), 0);
        for (std::uint32_t sm = 0; sm < 2; ++sm) {
            auto port = hierarchy.open(sm, sm);
            touch(port, AccessKind::Load, kBase);
            hierarchy.close(std::move(port));
        }
        const Traffic traffic = hierarchy.finish();
        CHECK(traffic.l1LookupHits == 0);
        CHECK(traffic.l2Hits == 4);
        CHECK(traffic.l2Misses == 4);
        CHECK(traffic.dramReadSectors == 4);
    }
}

TEST_CASE("What bypasses L1 is not looked for there") {
    MemoryHierarchy hierarchy(chip("V100"), 0);
    auto port = hierarchy.open(0, 0);
    touch(port, AccessKind::Load, kBase);
    touch(port, AccessKind::LoadGlobal, kBase);
    touch(port, AccessKind::Reduce, kBase, 0b0001, 32); // 32 lanes on one word
    hierarchy.close(std::move(port));
    const Traffic traffic = hierarchy.finish();
    CHECK(traffic.l1LookupHits == 0);
    CHECK(traffic.l2Reads == 8);
    CHECK(traffic.l2Reductions == 32);
    CHECK(traffic.hottestAtomicPasses == 32);
    CHECK(traffic.l2Misses == 4);
    CHECK(traffic.dramReadSectors == 4);
}

TEST_CASE("A working set stays in a cache that is larger, and not in a smaller one") {
    // Two passes over `bytes` by one SM; a random-like policy needs some room to spare.
    const auto secondPassHits = [](std::uint64_t bytes, std::uint64_t shared) {
        MemoryHierarchy hierarchy(chip("A100"), shared);
        auto port = hierarchy.open(0, 0);
        for (int pass = 0; pass < 2; ++pass)
            for (std::uint64_t line = 0; line < bytes / 128; ++line)
                touch(port, AccessKind::Load, kBase + line);
        hierarchy.close(std::move(port));
        const Traffic traffic = hierarchy.finish();
        return static_cast<double>(traffic.l1LoadSectorHits) / (static_cast<double>(bytes) / 32);
    };
    CHECK(secondPassHits(96 << 10, 0) > 0.9); // 192 KiB
    CHECK(secondPassHits(400 << 10, 0) < 0.1);
    CHECK(secondPassHits(96 << 10, 164 << 10) < 0.1); // 28 KiB beside the shared memory
}

TEST_CASE("Dirty sectors are written when they leave L2, and those left at the end are not") {
    const auto written = [](std::uint64_t bytes) {
        MemoryHierarchy hierarchy(chip("V100"), 0); // 6 MiB of L2
        auto port = hierarchy.open(0, 0);
        for (std::uint64_t line = 0; line < bytes / 128; ++line)
            touch(port, AccessKind::Store, kBase + line);
        hierarchy.close(std::move(port));
        const Traffic traffic = hierarchy.finish();
        CHECK(traffic.dramReadSectors == 0);
        CHECK(traffic.l2Misses == 0);
        return static_cast<double>(traffic.dramWriteSectors) * 32;
    };
    CHECK(written(1 << 20) == 0);
    CHECK(written(64 << 20) == Approx((64 - 6) << 20).epsilon(0.01));
}

TEST_CASE("On two partitions half of what is used once is looked up twice") {
    MemoryHierarchy hierarchy(chip("H100"), 0);
    auto port = hierarchy.open(0, 0);
    constexpr std::uint64_t kLines = 1 << 18;
    for (std::uint64_t line = 0; line < kLines; ++line)
        touch(port, AccessKind::Load, kBase + line);
    hierarchy.close(std::move(port));
    const Traffic traffic = hierarchy.finish();
    CHECK(static_cast<double>(traffic.l2Reads) == Approx(1.5 * 4 * kLines).epsilon(0.02));
    CHECK(traffic.dramReadSectors == 4 * kLines);
}

TEST_CASE("Strides do not crowd into few sets") {
    for (const std::uint64_t stride : {1, 2, 3, 16, 32, 100, 1024, 8192, 65536}) {
        CAPTURE(stride);
        MemoryHierarchy hierarchy(chip("V100"), 0);
        auto port = hierarchy.open(0, 0);
        constexpr std::uint64_t kLines = 24576; // 3 MiB in 6 MiB
        for (int pass = 0; pass < 2; ++pass)
            for (std::uint64_t line = 0; line < kLines; ++line)
                touch(port, AccessKind::LoadGlobal, kBase + line * stride);
        hierarchy.close(std::move(port));
        CHECK(static_cast<double>(hierarchy.finish().l2Hits) > 0.95 * 4 * kLines);
    }
}

TEST_CASE("Counts do not depend on how many threads run the blocks") {
    constexpr std::uint64_t kBlocks = 3000;
    const auto body = [](MemoryHierarchy::BlockPort& port, std::uint64_t block) {
        for (std::uint64_t i = 0; i < 300; ++i) {
            const std::uint64_t line = (block * 7919 + i * i * 31) % 1500000;
            touch(port, i % 5 == 0 ? AccessKind::Store : AccessKind::Load, kBase + line, 1U << (i % 4));
            if (i % 50 == 0) touch(port, AccessKind::Reduce, kBase + line, 1, 3);
        }
    };
    const auto run = [&](unsigned threads) {
        MemoryHierarchy hierarchy(chip("H100"), 0);
        std::vector<std::mutex> sms(132);
        std::vector<std::uint64_t> turn(132, 0); // blocks of an SM run in their order
        std::atomic<std::uint64_t> next{0};
        std::vector<std::jthread> pool;
        for (unsigned t = 0; t < threads; ++t) {
            pool.emplace_back([&] {
                for (std::uint64_t block = next++; block < kBlocks; block = next++) {
                    const std::uint64_t sm = block % 132;
                    while (true) {
                        const std::lock_guard lock(sms[sm]);
                        if (turn[sm] != block / 132) continue;
                        auto port = hierarchy.open(block, static_cast<std::uint32_t>(sm));
                        body(port, block);
                        hierarchy.close(std::move(port));
                        ++turn[sm];
                        break;
                    }
                }
            });
        }
        pool.clear();
        return hierarchy.finish();
    };
    const Traffic one = run(1);
    CHECK(one.dramWriteSectors > 0);
    CHECK(same(one, run(2)));
    CHECK(same(one, run(4)));
}

TEST_CASE("Blocks that close out of order are seen in order") {
    const auto run = [](bool backwards) {
        MemoryHierarchy hierarchy(chip("V100"), 0);
        std::vector<MemoryHierarchy::BlockPort> ports;
        for (std::uint64_t block = 0; block < 64; ++block) {
            ports.push_back(hierarchy.open(block, static_cast<std::uint32_t>(block)));
            for (std::uint64_t i = 0; i < 3000; ++i)
                touch(ports.back(), AccessKind::Store, kBase + (block % 3) * 40000 + i * (block % 5 + 1));
        }
        for (std::size_t i = 0; i < ports.size(); ++i)
            hierarchy.close(std::move(ports[backwards ? ports.size() - 1 - i : i]));
        return hierarchy.finish();
    };
    const Traffic forwards = run(false);
    CHECK(forwards.dramWriteSectors > 0);
    CHECK(same(forwards, run(true)));
}

TEST_CASE("A block that runs long does not make the others' requests pile up without end") {
    // More than may be held, by few blocks with many requests and by many with few: the early block closes
    // last, and nothing is lost.
    const auto [blocks, requests] = GENERATE(std::pair<std::uint64_t, std::uint64_t>{2, 10'000'000},
                                             std::pair<std::uint64_t, std::uint64_t>{300, 60'000});
    REQUIRE(blocks * requests > MemoryHierarchy::kHeldRequests);
    MemoryHierarchy hierarchy(chip("H100"), 0);
    auto early = hierarchy.open(0, 0);
    touch(early, AccessKind::Load, kBase);
    for (std::uint64_t block = 1; block <= blocks; ++block) {
        auto port = hierarchy.open(block, static_cast<std::uint32_t>(block % 132));
        for (std::uint64_t i = 0; i < requests; ++i)
            touch(port, AccessKind::LoadGlobal, kBase + i % 4096, 1);
        hierarchy.close(std::move(port));
    }
    touch(early, AccessKind::LoadGlobal, kBase + 1);
    hierarchy.close(std::move(early));
    const Traffic traffic = hierarchy.finish();
    CHECK(traffic.l1LookupMisses == blocks * requests + 8);
    CHECK(traffic.l2Reads >= blocks * requests + 8);
}
