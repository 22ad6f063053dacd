// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Runs the cases named on the command line, or all. Exit code 1: a result is wrong, or a call failed.

#include "tests/cases/cases.h"

#include <cstring>

int main(int argc, char** argv) {
    constexpr std::pair<const char*, void (*)()> kCases[] = {
        {"double_transpose", cases::doubleTranspose},
        {"padded_tile", cases::paddedTiles},
        {"column_conflict", cases::columnConflict},
        {"wide_shared", cases::wideSharedLoads},
        {"matrix_rows", cases::matrixRows},
        {"sixteen_bytes", cases::sixteenBytes},
        {"sgemv", cases::redundantThreads},
        {"grid", cases::transposedGrid},
        {"local_arrays", cases::localArrays},
        {"branches", cases::branches},
        {"precision", cases::floatInDouble},
        {"matrix_unit", cases::matrixUnit},
        {"matrices_scaled", cases::matricesAndScale},
        {"inlined", cases::inlinedHelpers},
        {"structures", cases::structuresOfDoubles},
        {"gathers", cases::gathers},
        {"packed_rows", cases::packedRows},
        {"few_rows", cases::fewRows},
        {"thread_per_row", cases::threadPerRow},
        {"grid_steps", cases::gridSteps},
        {"constants", cases::constants},
        {"short_launches", cases::shortLaunches},
        {"part_full", cases::partFullWarp},
        {"aligned_items", cases::alignedItems},
        {"tree", cases::treeInShared},
        {"products", cases::matrixAndTranspose},
        {"layer", cases::networkLayer},
        {"managed_turns", cases::managedTurns},
    };
    for (const auto& [name, run] : kCases) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i)
            wanted = wanted || std::strcmp(argv[i], name) == 0;
        if (wanted) run();
    }
    std::printf("%d results are wrong\n", cases::wrong);
    return cases::wrong == 0 ? 0 : 1;
}
