// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_hint.h"

#include "tests/support/catch.h"
#include "tests/support/prose.h"

#include <chrono>
#include <fstream>
#include <sstream>

using namespace dormer::session;

using namespace dormer::source;

using namespace dormer::store;
using namespace dormer::tests;

namespace {

struct Case {
    std::string text; ///< the line in question ends in "// here"
    Dim3 block{256, 1, 1}, grid{64, 1, 1};
    std::string kernel = "kernel(float*)";
};

std::uint32_t lineWith(const std::string& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return static_cast<std::uint32_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

Session sessionOf(const Case& of) {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Device{});
    Kernel kernel;
    kernel.name = of.kernel;
    session.apply(kernel);
    Launch launch;
    launch.grid = of.grid;
    launch.block = of.block;
    session.apply(launch);
    session.apply(SourceFile{"a.cu", of.text});
    return session;
}

LineCounts access(const Case& of, std::string_view space, std::string_view op, double count, double ideal,
                  std::uint32_t width, std::string_view mark = "// here") {
    LineCounts counts;
    counts.file = "a.cu";
    counts.line = lineWith(of.text, mark);
    fromString(space, counts.space);
    fromString(op, counts.op);
    counts.widthBytes = width;
    counts.executions = 1000;
    counts.threads = 32000;
    auto& actual = space == "shared" ? counts.wavefronts : counts.sectors;
    auto& best = space == "shared" ? counts.wavefrontsIdeal : counts.sectorsIdeal;
    actual = static_cast<std::uint64_t>(count * 1000);
    best = static_cast<std::uint64_t>(ideal * 1000);
    return counts;
}

std::string shared(const Case& of, std::string_view op, double wavefronts, double ideal = 1,
                   std::uint32_t width = 4) {
    return bankConflictChange(sessionOf(of), LaunchIndex{0},
                              access(of, "shared", op, wavefronts, ideal, width));
}
std::string global(const Case& of, std::string_view op, double sectors, double ideal = 4,
                   std::uint32_t width = 4) {
    const LineCounts counts = access(of, "global", op, sectors, ideal, width);
    return globalAccessChange(sessionOf(of), LaunchIndex{0}, counts, std::span(&counts, 1));
}
bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string kernelOf(const std::string& body,
                     const std::string& parameters = "float* out, const float* in, int n") {
    return "__global__ void kernel(" + parameters + ") {\n" + body + "}\n";
}

/// A file of the suite, with the mark at the end of the first line that has `part`.
std::string suite(const std::string& file, std::string_view part) {
    std::ifstream stream(std::string(DORMER_SOURCE_DIR "/kernels/") + file);
    std::stringstream read;
    read << stream.rdbuf();
    std::string text = read.str();
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.insert(text.find('\n', at), " // here");
}

} // namespace

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
    for (unsigned lane = 0; lane < 32; ++lane)
        counts.lanes += (lane > 0 ? "," : "") + std::to_string(16 * lane);
    CHECK(has(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts),
              "lanes 0, 8, 16 and 24 conflict in bank 0"));
    counts.lanes.clear(); // pairs on one word: they are one
    for (unsigned lane = 0; lane < 32; ++lane)
        counts.lanes += (lane > 0 ? "," : "") + std::to_string(64 * (lane / 2));
    CHECK(has(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts),
              "lanes 0, 4, 8, ... 28 (8 of them) conflict in bank 0"));
}

TEST_CASE("Without text, sampled lanes tell how far into a sector a warp begins") {
    const Case none{kernelOf("    out[0] = 1; // here\n")};
    const auto change = [&](unsigned first, double sectors) {
        LineCounts counts = access(none, "global", "load", sectors, 4, 4);
        for (unsigned lane = 0; lane < 32; ++lane)
            counts.lanes += (lane > 0 ? "," : "") + std::to_string(first + 4 * lane);
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
    for (int i = 0; i < 20'000; ++i)
        counts.inlinedAt += (i > 0 ? " < a.cu:" : "a.cu:") + std::to_string(counts.line);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(bankConflictChange(sessionOf(none), LaunchIndex{0}, counts).empty());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("Lanes that meet are lanes of the warp, whatever width a file claims") {
    const Case none{kernelOf("    out[0] = 1; // here\n")};
    for (const std::uint32_t width : {0U, 3U, 9U, 12U, 13U, 15U, 17U, 4294967295U}) {
        LineCounts counts = access(none, "shared", "load", 4, 1, width);
        for (unsigned lane = 0; lane < 32; ++lane)
            counts.lanes += (lane > 0 ? "," : "") + std::to_string(128 * lane);
        const std::string change = bankConflictChange(sessionOf(none), LaunchIndex{0}, counts);
        CAPTURE(width, change);
        CHECK(change.empty() == (width > 16));
        if (width == 12) CHECK(has(change, "lanes 0, 1, 2, ... 15 (16 of them) conflict in bank 0"));
    }
}
