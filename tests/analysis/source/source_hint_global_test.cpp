// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/source/hint_case.h"
#include "tests/support/prose.h"

using namespace dormer::session;
using namespace dormer::source;
using namespace dormer::tests;
using namespace dormer::tests::hints;

TEST_CASE("Blocks and threads dealt out the wrong way round") {
    const Case sum{
        suite("vector_sum/vector_sum.cu", "c[i] = a[i] + b[i];\n}\n\nstruct"), {256, 1, 1}, {4096, 1, 1}};
    const std::string change = global(sum, "load", 32);
    CHECK(has(change, "swap `blockIdx.x` and `threadIdx.x`, `gridDim.x` and `blockDim.x` throughout `"));
    CHECK_FALSE(has(change, "launch"));
    CHECK(global(sum, "store", 32) == change);
    CHECK(global(sum, "load", 8).empty());
}

TEST_CASE("Rows and columns") {
    const Case swapped{kernelOf("    int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                                "    out[x * n + y] = 0; // here\n"),
                       {32, 8, 1},
                       {8, 8, 1}};
    CHECK(has(global(swapped, "store", 32),
              "swap `threadIdx.x` and `threadIdx.y`, `blockDim.x` and `blockDim.y` throughout `kernel`, and "
              "launch it with blocks of `dim3(8, 32, 1)`"));
    const Case turned{kernelOf("    int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                               "    out[x * n + y] = in[y * n + x]; // here\n"),
                      {32, 8, 1},
                      {8, 8, 1}};
    CHECK(has(global(turned, "store", 32), "stage a tile in shared memory"));
    CHECK(global(turned, "load", 32).empty()); // the load of this line is fine

    const Case naive{suite("transpose/naive.cuh", "out(x, y + j) = load<kLoads>(in(y + j, x))"),
                     {32, 8, 1},
                     {32, 32, 1},
                     "void dormer::kernels::transposition::transposeNaiveRow<32, 8, X>(A, B)"};
    CHECK(has(global(naive, "store", 32), "`out(x, y + j)` runs down columns"));
    const Case column{suite("transpose/naive.cuh", "out(x, y + j) = load<kLoads>(in(x, y + j))"),
                      {32, 8, 1},
                      {32, 32, 1},
                      "void dormer::kernels::transposition::copyColumn<32, 8, X>(A, B)"};
    CHECK(has(global(column, "store", 32), "swap `threadIdx.x` and `threadIdx.y`"));
}

TEST_CASE("Structures, work of a thread, rows of a thread") {
    const Case structures{
        kernelOf("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = a[i].x; // here\n",
                 "float* out, const Particle* a")};
    CHECK(has(global(structures, "load", 16), "the kernel uses 4 of the 16 bytes of each structure: split "
                                              "the array of structures `a` into one array "
                                              "per member"));
    const Case copies{
        kernelOf("    Particle p = a[threadIdx.x];\n    p.opacity = 1;\n    a[threadIdx.x] = p; // here\n",
                 "Particle* a")};
    CHECK(has(global(copies, "store", 16),
              "`a[threadIdx.x]`: the kernel uses 4 of the 16 bytes of each structure: split"));
    const Case one{kernelOf("    out[0] = a[threadIdx.x] + b[c[threadIdx.x]]; // here\n")};
    CHECK(global(one, "load", 16).empty()); // which of them it is can't be told
    const Case chunks{kernelOf("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    for (int k = 0; k < 4; ++k)\n"
                               "        out[i * 4 + k] = in[i * 4 + k]; // here\n")};
    CHECK(has(global(chunks, "load", 16), "let thread t of a block take elements t + k * blockDim.x"));
    // Which elements a thread adds up is part of its result.
    const Case sums{kernelOf("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    float sum = 0;\n"
                             "    for (int k = 0; k < 4; ++k)\n"
                             "        sum += in[i * 4 + k]; // here\n")};
    CHECK(has(global(sums, "load", 16), "walks a row per thread"));
    const Case spread{kernelOf("    out[threadIdx.x] = in[threadIdx.x * 8]; // here\n")};
    CHECK(has(global(spread, "load", 32), "a stride of 8 elements"));
    const Case rows{kernelOf("    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    float sum = 0;\n"
                             "    for (int k = 0; k < n; ++k)\n"
                             "        sum += in[i * n + k]; // here\n")};
    CHECK(has(global(rows, "load", 32), "walks a row per thread: give each row a warp"));
    const Case pointer{kernelOf("    const float* x = in + threadIdx.x * 80;\n"
                                "    float sum = 0;\n"
                                "    for (int k = 0; k < 80; ++k)\n"
                                "        sum += x[k]; // here\n")};
    CHECK(
        has(global(pointer, "load", 32), "`x[k]` walks a row per thread, 80 elements from the next lane's"));
    const Case gathered{kernelOf("    out[threadIdx.x] = in[index[threadIdx.x]]; // here\n")};
    CHECK(global(gathered, "load", 32).empty());
    // What a helper is called with may differ between threads.
    const Case helper{"__device__ float first(const float* in, int row, int n) {\n"
                      "    return in[threadIdx.x * n + row]; // here\n}\n"};
    CHECK(global(helper, "load", 32).empty());
    const Case fine{kernelOf("    out[threadIdx.x] = in[threadIdx.x]; // here\n")};
    CHECK(global(fine, "load", 32).empty()); // whatever was counted, it is not this
}

TEST_CASE("Shifted by a number, by a parameter, by the length of a row") {
    const Case shifted{kernelOf(
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = in[i + 1]; // here\n")};
    CHECK(has(global(shifted, "load", 5), "`in[i + 1]` starts 4 bytes into a 32-byte sector"));
    const Case before{kernelOf(
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = in[i - 1]; // here\n")};
    CHECK(has(global(before, "load", 5), "starts 28 bytes into a 32-byte sector"));
    const Case stencil{kernelOf("    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    out[i] = in[i] + in[i + 1]; // here\n")};
    CHECK(has(global(stencil, "load", 5), "neighbouring threads load the same words as `in[i]`"));
    const Case parameter{kernelOf(
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = in[i + n]; // here\n")};
    CHECK(has(global(parameter, "load", 5), "`n`: make that a multiple of 8 elements"));
    const Case pitch{
        kernelOf("    out[(blockIdx.x * blockDim.y + threadIdx.y) * 33 + threadIdx.x] = 0; // here\n"),
        {32, 8, 1}};
    CHECK(has(global(pitch, "store", 4.875), "cudaMallocPitch"));
    CHECK(has(global(pitch, "store", 4.875), "a multiple of 8 elements"));
}

TEST_CASE("Threads picked by a remainder: where the others have nothing else to do") {
    const auto change = [](const std::string& body) {
        Case of{kernelOf("    const int i = threadIdx.x;\n" + body)};
        return moduloChange(sessionOf(of), LaunchIndex{0}, access(of, "global", "branch", 0, 0, 4));
    };
    CHECK(has(change("    if (i % (2 * n) == 0) out[i] += in[i + n]; // here\n"), "let the first threads"));
    CHECK(has(change("    if (threadIdx.x % 2 == 0) { // here\n        out[i] = 1;\n    }\n"),
              "let the first threads"));
    CHECK(change("    if (i % 2 == 0) // here\n        for (int k = 0; k < n; ++k)\n            out[i] = k;\n"
                 "    else\n        out[i] = in[i];\n") == "");
    CHECK(change("    if (i % 2 == 0) { // here\n#pragma unroll\n        for (int k = 0; k < 4; ++k) { "
                 "out[i] = k; }\n"
                 "    } else {\n        out[i] = in[i];\n    }\n") == "");
    CHECK(change("    if (int(in[i]) % 2 == 0) out[i] = 1; // here\n") == ""); // by data
    CHECK(change("    if (i % 2 == 0) // here") == "");
    CHECK(change("    if (i % 2 == 0 // here") == "");
}

TEST_CASE("A broadcast load is none of an array that the kernel declares, or of constant memory") {
    const auto change = [](const std::string& before, const std::string& statement) {
        Case of{before +
                kernelOf("    float own[4], more[8];\n    __shared__ float tile[32];\n" + statement)};
        return broadcastChange(sessionOf(of), LaunchIndex{0}, access(of, "global", "load", 1, 1, 4));
    };
    const std::string table = "__constant__ float table[64];\n";
    for (const char* name : {"own", "more", "tile", "table"})
        CHECK(change(table, std::string("    out[threadIdx.x] = ") + name + "[n]; // here\n") == "");
    CHECK(has(change(table, "    out[threadIdx.x] = own[n] * table[n] * in[n]; // here\n"), "`in[n]`"));
    CHECK(has(change(table, "    out[threadIdx.x] = max(in[n], in[n + 1]); // here\n"), "`in[n]`"));
    CHECK(has(change("", "    if (n > 0)\n        return in[n] > 0; // here\n"), "`in[n]`"));
}

TEST_CASE("Literals that make a line double") {
    CHECK(doubleLiterals("x[i] = x[i] * 0.3 + 1.0;") == std::vector<std::string>{"0.3", "1.0"});
    CHECK(doubleLiterals("a = .5 + 1e-3 + 2.f + 3.0F + 0x1F + 7 + b2.x; // 4.0").size() == 2);
    CHECK(doubleLiterals("").empty());
    Session session;
    session.apply(SourceFile{"a.cu", "int a;\nx *= 0.3;\n"});
    CHECK(has(doubleLiteralChange(session, "a.cu", 2), "`0.3f`"));
    CHECK(doubleLiteralChange(session, "a.cu", 1).empty());
    CHECK(doubleLiteralChange(session, "a.cu", 99).empty());
    CHECK(doubleLiteralChange(session, "b.cu", 2).empty());
}
