// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

using namespace dormer;
using tests::EmulatedKernel;

TEST_CASE("Tiles larger than a warp add up, vote and exchange") {
    const auto [name, size] = GENERATE(table<const char*, int>({
        {"tilesOf64", 64},
        {"tilesOf512", 512},
    }));
    EmulatedKernel kernels(tests::kernelFile("tiles"));
    const int tiles = 1024 / size;
    int* out = kernels.upload(std::vector<int>(static_cast<std::size_t>(3 * tiles), -1));
    const auto outcome = kernels.launch(name, {1, 1, 1}, {1024, 1, 1}, out);
    if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
    CAPTURE(name);
    CHECK(outcome->hazards.empty());
    for (int tile = 0; tile < tiles; ++tile)
        CHECK(std::vector<int>(out + 3 * tile, out + 3 * tile + 3) ==
              std::vector<int>{size * (size - 1) / 2, size > 77 ? 1 : 0, 5 + 1000 * tile});
}

TEST_CASE("What the system keeps of shared memory is not the kernel's") {
    EmulatedKernel kernels(tests::kernelFile("tiles"));
    CHECK(kernels.kernel("tilesOf64").facts().staticSharedBytes <=
          16); // block_tile_memory is empty since 8.0
}
