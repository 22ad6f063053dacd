// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source_hint.h"
#include "tests/support/catch.h"

using namespace dormer::analysis;

namespace {

constexpr std::string_view kTranspose = R"(__global__ void transpose(const float* in, float* out, int width) {
    __shared__ float tile[32][32];
    const int x = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x]; // tile[0][0]
    __syncthreads();
    out[outY * width + outX] = tile[threadIdx.x][threadIdx.y];
}
)";

constexpr std::string_view kSum = R"(__global__ void sum(const float* a, const float* b, float* c) {
    const unsigned i = blockIdx.x + gridDim.x * threadIdx.x;
    if (i == 0) return;
    c[i] = a[i] + b[i];
    d[threadIdx.x * 4] = 0;
    e[i + 1] = a[i - 2];
    f[j] = 0;
}
)";

} // namespace

TEST_CASE("Padding: the declaration of the array that the line reads in shared memory") {
    CHECK(paddingHint(kTranspose, 6) == "pad tile[32][32] to tile[32][33] (line 2)");
    CHECK(paddingHint(kTranspose, 5).empty());
    CHECK(paddingHint(kTranspose, 99).empty());
    CHECK(paddingHint("__shared__ float t[kTile][kTile + kPadding];\nx = t[a][b];", 2) ==
          "pad t[kTile][kTile + kPadding] to t[kTile][kTile + kPadding + 1] (line 1)");
    CHECK(paddingHint("__shared__ float row[1024];\nx = row[32 * lane];", 2).empty()); // one row
    CHECK(paddingHint("float t[32][32];\nx = t[a][b];", 2).empty());                   // not shared
    CHECK(paddingHint("// __shared__ float t[32][32];\nx = t[a][b];", 2).empty());     // a comment
    CHECK(paddingHint("__shared__ float tile[32][32];\nx = le[a][b];", 2).empty());    // another name
    CHECK(paddingHint("", 1).empty());
}

TEST_CASE("Stride: what threadIdx.x is multiplied by, on the line or where the index is made") {
    CHECK(strideHint(kSum, 4) ==
          "swap the roles of blockIdx.x and threadIdx.x at line 2: blockIdx.x * blockDim.x + "
          "threadIdx.x instead of blockIdx.x + gridDim.x * threadIdx.x");
    CHECK(strideHint(kSum, 5) ==
          "threadIdx.x is multiplied by 4 at line 5: let it step by 1, and another index by 4");
    CHECK(strideHint(kSum, 7).empty()); // nobody says what j is
    CHECK(strideHint(kTranspose, 4).empty());
    CHECK(
        strideHint("int i = threadIdx.x;\ni == 3 * threadIdx.x;\na[i] = 0;", 3).empty()); // compared, not set
}

TEST_CASE("Offset: a constant in a subscript") {
    CHECK(offsetHint(kSum, 6) == "the index i + 1 begins 1 element off, at line 6");
    CHECK(offsetHint("x = a[i - 2];", 1) == "the index i - 2 begins 2 elements off, at line 1");
    CHECK(offsetHint(kSum, 4).empty());
    CHECK(offsetHint("x = a[n - 1 - i];", 1).empty());
}

TEST_CASE("Hostile text costs neither time nor the stack") {
    const std::string brackets(100'000, '[');
    CHECK(paddingHint(brackets, 1).empty());
    CHECK(strideHint("a" + brackets, 1).empty());
    const std::string longLine = "a[" + std::string(1'000'000, 'x') + "] = 1;";
    CHECK(strideHint(longLine, 1).empty());
    CHECK(offsetHint(longLine, 1).empty());
    std::string manyLines;
    for (int i = 0; i < 100'000; ++i)
        manyLines += "a[i] = b[j];\n";
    CHECK(strideHint(manyLines, 100'000).empty());
}
