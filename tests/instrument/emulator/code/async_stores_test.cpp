// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <chrono>

using namespace dormer;
using tests::EmulatedKernel;

TEST_CASE("An mbarrier of another block counts the bytes of asynchronous stores and reductions") {
    for (const unsigned threads : {1U, 2U}) {
        EmulatedKernel run(tests::kernelFile("async_stores"), threads);
        run.timeLimit = std::chrono::seconds(20);
        run.cluster = {2, 1, 1};
        constexpr unsigned kBlocks = 6;
        unsigned* const out = run.upload(std::vector<unsigned>(kBlocks * 96, ~0U));
        const auto outcome = run.launch("exchange", {kBlocks, 1, 1}, {32, 1, 1}, out);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
        for (unsigned block = 0; block < kBlocks; ++block)
            for (unsigned t = 0; t < 32; ++t) {
                const unsigned* const found = out + 96 * block + 3 * t;
                CAPTURE(threads, block, t);
                CHECK(found[0] == t);
                CHECK(found[1] == 100 * (block ^ 1) + t); // the other one stored it
                CHECK(found[2] == 31 * 32 / 2);
            }
    }
}

TEST_CASE("Kernels ask what kind of memory an address is in, and whether their launch has clusters") {
    for (const bool named : {false, true}) {
        EmulatedKernel run(tests::kernelFile("async_stores"));
        if (named) run.cluster = {2, 1, 1};
        unsigned* const out = run.upload(std::vector<unsigned>(7, ~0U));
        const auto outcome =
            run.launch("kinds", {2, 1, 1}, {32, 1, 1}, run.upload(std::vector<unsigned>(1)), 5U, out);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
        CHECK(out[0] == 0);  // global
        CHECK(out[1] == 10); // constant
        CHECK(out[2] == 1);  // a parameter
        CHECK(out[3] == 0);  // shared
        CHECK(out[4] == (named ? 1U : 0U));
        CHECK(out[5] == 0); // some lanes, but not all
        CHECK(out[6] == 1);
    }
}
