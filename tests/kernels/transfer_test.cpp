// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

#include "kernels/transfer/groups.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("transfer: its variants") {
    CHECK(variantsOf("transfer") ==
          std::vector<std::string>{
              "pageable_to_device", "pinned_to_device", "pageable_to_host", "pinned_to_host", "fragmented/1",
              "fragmented/10", "fragmented/100", "fragmented/1000", "fragmented/10000", "fragmented/100000",
              "allocate_device", "allocate_pooled", "allocate_pinned", "allocate_pageable",
              "allocate_registered", "allocate_managed", "async_one_stream", "async_overlap"});
}

TEST_CASE("transfer: pieces cover every word once, whatever the size") {
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{250'003}}) {
        for (const std::size_t pieces : kernels::kPieces) {
            std::size_t calls = 0;
            std::size_t next = 0;
            for (std::size_t piece = 0; piece < pieces; ++piece) {
                const std::size_t first = kernels::firstWordOf(piece, pieces, size);
                const std::size_t last = kernels::firstWordOf(piece + 1, pieces, size);
                REQUIRE(first == next);
                REQUIRE(last >= first);
                next = last;
                calls += last > first ? 1 : 0;
            }
            CHECK(next == size);
            const std::string path = "transfer/fragmented/" + std::to_string(pieces);
            CHECK(valueOf(path, size, "transfer_count") == static_cast<double>(calls));
            CHECK(valueOf(path, size, "transfer_bytes") == 4.0 * static_cast<double>(size));
        }
    }
}

TEST_CASE("transfer: the largest pieces multiply without overflow") {
    constexpr std::size_t kLargest = std::size_t{1} << 30;
    CHECK(kernels::firstWordOf(100'000, 100'000, kLargest) == kLargest);
}

TEST_CASE("transfer: what is said of speed is said of large sizes only") {
    const auto compared = [](std::string_view path, std::size_t size) {
        std::size_t count = 0;
        for (const kernels::Expectation& answer : answersOf(path, size)) {
            if (answer.reference.empty()) continue;
            CHECK(answer.gpuOnly);
            ++count;
        }
        return count;
    };
    CHECK(compared("transfer/pinned_to_device", kernels::kTransferSizes.gpu) == 1);
    CHECK(compared("transfer/pinned_to_device", 1000) == 0);
    CHECK(compared("transfer/fragmented/100000", kernels::kTransferSizes.gpu) == 1); // 1000 bytes a piece
    CHECK(compared("transfer/fragmented/10000", kernels::kTransferSizes.gpu) == 0);
    CHECK(compared("transfer/async_overlap", std::size_t{1} << 23) == 1);
}

TEST_CASE("transfer: a pipeline brings every word there and back, and launches once a chunk") {
    constexpr std::size_t kSize = std::size_t{1} << 20;
    CHECK(valueOf("transfer/async_overlap", kSize, "transfer_bytes") == 2.0 * 4 * kSize);
    CHECK(valueOf("transfer/async_overlap", kSize, "transfer_count") ==
          2 * valueOf("transfer/async_overlap", kSize, "kernel_count"));
    const auto neighbours = [](std::size_t lane) { return 1024 + lane; };
    CHECK(valueOf("transfer/async_overlap", kSize, "global_load_sectors_per_request") ==
          sectors(4, neighbours));
}

TEST_CASE("transfer: only what launches kernels is run again for counters") {
    for (const kernels::Family& family : kernels::families()) {
        for (const kernels::Group& group : family.groups) {
            const bool pipeline = group.variants.front().name.starts_with("async");
            CHECK(group.launchesKernels == (family.name != "transfer" || pipeline));
        }
    }
}
