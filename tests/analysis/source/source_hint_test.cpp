// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/source/hint_case.h"
#include "tests/support/parsed.h"
#include "tests/support/prose.h"

#include <chrono>

using namespace dormer::session;
using namespace dormer::source;
using namespace dormer::tests;
using namespace dormer::tests::hints;

TEST_CASE("A column of a square tile is padded") {
    const std::string body = "    __shared__ float tile[32][32];\n"
                             "    tile[threadIdx.y][threadIdx.x] = in[0];\n"
                             "    __syncthreads();\n"
                             "    out[0] = tile[threadIdx.x][threadIdx.y]; // here\n";
    const Case tile{kernelOf(body), {32, 32, 1}};
    CHECK(has(shared(tile, "load", 32), "pad `tile[32][32]` to `tile[32][33]`: "));
    CHECK(has(shared(tile, "load", 32), "lanes 0, 1, 2, ... 31 (32 of them) conflict in bank 0"));
    CHECK(shared(tile, "load", 16).empty());  // not what was counted: something else is going on
    CHECK(shared(tile, "store", 32).empty()); // no store there
    CHECK(shared(tile, "load", 32, 1, 8).empty());

    Case named = tile;
    named.text = "constexpr int kTile = 32;\n" + named.text;
    named.text.replace(named.text.find("tile[32][32]"), 12, "tile[kTile][kTile]");
    CHECK(has(shared(named, "load", 32), "pad `tile[kTile][kTile]` to `tile[kTile][kTile + 1]`"));
}

TEST_CASE("Doubles: 32 wavefronts, ideal 2, padded by one") {
    const Case tile{kernelOf("    __shared__ double t[32][32];\n"
                             "    const int tx = threadIdx.x, ty = threadIdx.y;\n"
                             "    t[tx][ty] = in[0]; // here\n"
                             "    __syncthreads();\n"
                             "    out[0] = t[ty][tx];\n"),
                    {32, 32, 1}};
    CHECK(has(shared(tile, "store", 32, 2, 8), "pad `t[32][32]` to `t[32][33]`"));
}

TEST_CASE("A tile 16 wide: padding moves the conflict, swizzling takes it away") {
    const std::string body = "    __shared__ float tile[16][16];\n"
                             "    tile[threadIdx.y][threadIdx.x] = in[0];\n"
                             "    out[0] = tile[threadIdx.x][threadIdx.y]; // here\n";
    const std::string change = shared({kernelOf(body), {16, 16, 1}}, "load", 8);
    // With the mask that keeps the column within its row.
    CHECK(has(change, "swizzle `tile`: `tile[r][(c) ^ ((r) & 15)]` instead of `tile[r][c]` at every access"));
    // Whoever takes an address, or counts on rows that follow each other, would find other elements.
    for (const char* other : {"    out[1] = *(&tile[0][threadIdx.x]);\n", "    consume(tile);\n",
                              "    out[1] = tile[0][threadIdx.x + 16];\n"})
        CHECK_FALSE(has(shared({kernelOf(body + other), {16, 16, 1}}, "load", 8), "swizzle"));
    CHECK_FALSE(has(change, "pad `"));
}

TEST_CASE("Rows that are padded already are not padded again: the lanes that conflict are named") {
    const std::string code = "#define TX 16\nconst int TY = 32;\n";
    const Case store{code + kernelOf("    __shared__ float s[TY * (TX + 1)];\n"
                                     "    s[threadIdx.y * (TX + 1) + threadIdx.x] = in[0]; // here\n"),
                     {16, 32, 1}};
    const std::string change = shared(store, "store", 2);
    CHECK(has(change, "lanes 0 and 31 conflict in bank 0"));
    CHECK(has(change, "a warp covers 2 rows of a block 16 wide"));
    CHECK_FALSE(has(change, "pad"));
    const Case twoDimensional{kernelOf("    __shared__ float s[32][17];\n"
                                       "    s[threadIdx.y][threadIdx.x] = in[0]; // here\n"),
                              {16, 32, 1}};
    CHECK_FALSE(has(shared(twoDimensional, "store", 2), "pad `"));
    CHECK(has(shared(twoDimensional, "store", 2), "lanes 0 and 31 conflict in bank 0"));
    // One more column helps the load alone: the store keeps its conflict, a swizzled tile has neither.
    const Case column{kernelOf("    __shared__ float s[16][17];\n"
                               "    s[threadIdx.y][threadIdx.x] = in[0];\n"
                               "    out[0] = s[threadIdx.x][threadIdx.y]; // here\n"),
                      {16, 16, 1}};
    CHECK(has(shared(column, "load", 2), "conflict in bank"));
    CHECK_FALSE(has(shared(column, "load", 2), "pad `"));
}

TEST_CASE("A stride of four words: which lanes conflict, and how far apart they are") {
    const Case step{kernelOf("    __shared__ float s[1024];\n    out[0] = s[threadIdx.x * 4]; // here\n")};
    const std::string change = shared(step, "load", 4);
    CHECK(has(change, "`s[threadIdx.x * 4]`: lanes 0, 8, 16 and 24 conflict in bank 0"));
    CHECK(has(change, "4 words apart"));
}

TEST_CASE("Nothing is said of indices that are not plain") {
    const auto silent = [](const std::string& body) {
        CHECK(shared({kernelOf(body), {32, 8, 1}}, "load", 32).empty());
    };
    silent("    __shared__ float s[1024];\n    out[0] = s[f(threadIdx.x) * 32]; // here\n");
    silent("    __shared__ float s[1024];\n    out[0] = s[int(in[threadIdx.x])]; // here\n");
    silent("    __shared__ float s[1024];\n    out[0] = s[threadIdx.x * n]; // here\n"); // n is not known
    silent("    __shared__ float s[1024];\n    float* p = s;\n    out[0] = p[threadIdx.x * 32]; // here\n");
    silent("    __shared__ Thing s[1024];\n    out[0] = s[threadIdx.x * 32]; // here\n");
    silent("    __shared__ float s[1024];\n    // s[threadIdx.x * 32]\n    out[0] = in[0]; // here\n");
    silent(
        "    int i = threadIdx.x;\n    i = next(i);\n    __shared__ float s[1024];\n    out[0] = s[i * 32]; "
        "// here\n");
    silent("    int a = b;\n    int b = a;\n    __shared__ float s[64];\n    out[0] = s[a]; // here\n");
}

TEST_CASE("Without text, sampled lanes tell which of them conflict") {
    const Case none{kernelOf("    out[0] = 1; // here\n")};
    LineCounts counts = access(none, "shared", "load", 4, 1, 4);
    counts.lanes = lanesAt([](unsigned lane) { return 16 * lane; });
    CHECK(has(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts),
              "lanes 0, 8, 16 and 24 conflict in bank 0"));
    // Pairs on one word: they are one.
    counts.lanes = lanesAt([](unsigned lane) { return 64 * (lane / 2); });
    CHECK(has(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts),
              "lanes 0, 4, 8, ... 28 (8 of them) conflict in bank 0"));
}

TEST_CASE("Without text, sampled lanes tell how far into a sector a warp begins") {
    const Case none{kernelOf("    out[0] = 1; // here\n")};
    const auto change = [&](unsigned first, double sectors) {
        LineCounts counts = access(none, "global", "load", sectors, 4, 4);
        counts.lanes = lanesAt([&](unsigned lane) { return first + 4 * lane; });
        return globalAccessChange(sessionOf(none), LaunchIndex{0}, counts, {});
    };
    CHECK(numbersIn(change(1044, 5)) == Numbers{20, 32, 8}); // bytes into a sector of 32, elements
    CHECK(change(1024, 4.5).empty());                        // this warp is aligned, others are not
}

TEST_CASE("The suite's tiles: what is behind a layout's function is left alone") {
    const Case tiled{suite("transpose/tiled.cuh", "out(outY + j, outX)"),
                     {32, 8, 1},
                     {32, 32, 1},
                     "void dormer::kernels::transposition::transposeTiled<32, 8, X, Y>(Matrix, Matrix)"};
    CHECK(shared(tiled, "load", 32).empty());
    const Case tree{suite("reduce/tree.cu", "tree[2 * apart * pair] ="), {128, 1, 1}};
    CHECK(shared(tree, "load", 3.8).empty()); // the step changes from round to round
}

TEST_CASE("Hostile text neither hangs nor fails") {
    std::string names = "int n30 = 1;\n";
    for (int i = 29; i >= 0; --i) {
        const std::string next = "n" + std::to_string(i + 1);
        names += "int n" + std::to_string(i) + " = " + next;
        for (int k = 0; k < 30; ++k)
            names += " + " + next;
        names += ";\n";
    }
    std::string many = "__shared__ float s[9999];\n", open = many;
    for (int i = 0; i < 3000; ++i) {
        many += "s[threadIdx.x * 32] = s[n0 * 32]; ";
        open += "s[";
    }
    for (const std::string& body :
         {many + "// here\n", open + "// here\n", names + "__shared__ float s[1];\nout[0] = s[n0]; // here\n",
          std::string("__shared__ float s[[[[[(; // here\n"),
          std::string("s[") + std::string(5000, '(') + " // here\n",
          std::string("__shared__ float s[0][0]; s[0][0] = 1; // here\n"),
          std::string("__shared__ float s[2][999999999999999999999]; s[1][1] = 1; // here\n"),
          std::string("__shared__ float s[4][4]; s[~9223372036854775807][1] = 1; // here\n"),
          std::string("\"'\\ // here\n")}) {
        CHECK(shared({kernelOf(body)}, "store", 32).empty());
        CHECK(global({kernelOf(body)}, "load", 32).empty());
    }
}

TEST_CASE("A chain of calls that no compiler writes does not hold up") {
    const Case none{kernelOf("    out[0] = 1; // here\n" + std::string(200'000, ' '))};
    LineCounts counts = access(none, "shared", "load", 4, 1, 4);
    counts.inlinedAt.assign(20'000, {"a.cu", counts.line});
    const auto begin = std::chrono::steady_clock::now();
    CHECK(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts).empty());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("Lanes that meet are lanes of the warp, whatever width a file claims") {
    const Case none{kernelOf("    out[0] = 1; // here\n")};
    for (const std::uint32_t width : {0U, 3U, 9U, 12U, 13U, 15U, 17U, 4294967295U}) {
        LineCounts counts = access(none, "shared", "load", 4, 1, width);
        counts.lanes = lanesAt([](unsigned lane) { return 128 * lane; });
        const std::string change = bankConflictChange(sessionOf(none), LaunchIndex{0}, counts);
        CAPTURE(width, change);
        CHECK(change.empty() == (width > 16));
        if (width == 12) CHECK(has(change, "lanes 0, 1, 2, ... 15 (16 of them) conflict in bank 0"));
    }
}
