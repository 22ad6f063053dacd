// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What well-known programs do: a sum with a part-full last warp, copies of structures with and without
// alignment, a tree in shared memory, a product with a matrix and its transpose, a layer of a network, and
// managed memory that host and GPU touch in turns.

#include "tests/cases/cases.h"

#include <string>

namespace cases {

namespace {

__global__ void addVectors(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i]; // part-full
}

struct Bytes4 {
    unsigned char r, g, b, a;
};
struct __align__(4) AlignedBytes4 {
    unsigned char r, g, b, a;
};
struct Words2 {
    unsigned l, a;
};
struct __align__(8) AlignedWords2 {
    unsigned l, a;
};
struct Words3 {
    unsigned r, g, b;
};
struct __align__(16) AlignedWords3 {
    unsigned r, g, b;
};
struct Words4 {
    unsigned r, g, b, a;
};
struct __align__(16) AlignedWords4 {
    unsigned r, g, b, a;
};
struct Words8 {
    Words4 first, second;
};
struct __align__(16) AlignedWords8 {
    AlignedWords4 first, second;
};

template <typename Item>
__global__ void copyItems(const Item* in, Item* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

constexpr int kItems = 64 * 256;

template <typename Item>
void copyAll(const char* name) {
    std::vector<unsigned char> bytes(kItems * sizeof(Item));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(i * 7 % 251);
    const OnDevice<unsigned char> in{bytes}, out{bytes.size()};
    run(name, [&] {
        copyItems<<<64, 256>>>(reinterpret_cast<const Item*>(in.data()), reinterpret_cast<Item*>(out.data()));
    });
    const std::vector<unsigned char> got = out.host();
    bool right = true;
    // Not the padding of three words in sixteen bytes.
    for (std::size_t i = 0; i < got.size(); ++i)
        right = right && (got[i] == bytes[i] || (sizeof(Item) == 16 && i % 16 >= 12));
    check(right, name);
}

constexpr int kTree = 512;

/// Blelloch's exclusive prefix sum.
__global__ void scanTree(const int* in, int* out) {
    __shared__ int tree[kTree];
    const int thread = threadIdx.x;
    tree[thread] = in[thread];
    tree[thread + kTree / 2] = in[thread + kTree / 2];
    int offset = 1;
    for (int active = kTree / 2; active > 0; active /= 2) {
        __syncthreads();
        if (thread < active) {
            const int a = offset * (2 * thread + 1) - 1, b = offset * (2 * thread + 2) - 1;
            tree[b] += tree[a]; // tree: up
        }
        offset *= 2;
    }
    if (thread == 0) tree[kTree - 1] = 0;
    for (int active = 1; active < kTree; active *= 2) {
        offset /= 2;
        __syncthreads();
        if (thread < active) {
            const int a = offset * (2 * thread + 1) - 1, b = offset * (2 * thread + 2) - 1;
            const int value = tree[a];                // tree: left
            const int right = tree[b];                // tree: right
            tree[a] = right, tree[b] = right + value; // tree: down
        }
    }
    __syncthreads();
    out[thread] = tree[thread];
    out[thread + kTree / 2] = tree[thread + kTree / 2];
}

constexpr int kSide = 256;

/// Blocks of 32 by 8, of which only x is used: each result is computed eight times.
__global__ void rowProducts(const float* a, const float* x, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < kSide; ++j)
        sum += a[i * kSide + j] * x[j]; // rows
    out[i] = sum;
}

__global__ void columnProducts(const float* a, const float* x, float* out) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < kSide; ++i)
        sum += a[i * kSide + j] * x[i]; // columns
    out[j] = sum;
}

constexpr int kHidden = 16, kLayerBlocks = 8;

/// Sums of 16 weighted inputs for 16 hidden units, in rows of 17 floats.
__global__ void forwardLayer(const float* input, const float* weights, float* sums) {
    __shared__ float node[16], matrix[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int index = (kHidden + 1) * 16 * blockIdx.y + (kHidden + 1) * ty + tx + 1 + (kHidden + 1);
    if (tx == 0) node[ty] = input[16 * blockIdx.y + ty + 1]; // layer: input
    __syncthreads();
    matrix[ty][tx] = weights[index] * node[ty]; // layer: weights
    __syncthreads();
#pragma unroll 1
    for (int power = 2; power <= 16; power *= 2) {
        if (ty % power == 0) matrix[ty][tx] += matrix[ty + power / 2][tx]; // layer: sum
        __syncthreads();
    }
    if (tx == 0) sums[blockIdx.y * 16 + ty] = matrix[0][ty]; // layer: result
}

__global__ void addOne(int* values) {
    ++values[blockIdx.x * blockDim.x + threadIdx.x];
}

} // namespace

void partFullWarp() {
    constexpr int kCount = 500;
    const std::vector<float> values = counting<float>(kCount);
    const OnDevice<float> a{values}, b{values}, out{kCount};
    run("case/part_full", [&] { addVectors<<<4, 128>>>(a.data(), b.data(), out.data(), kCount); });
    const std::vector<float> got = out.host();
    bool right = true;
    for (int i = 0; i < kCount; ++i)
        right = right && got[i] == 2.0F * i;
    check(right, "part_full");
}

void alignedItems() {
    copyAll<unsigned char>("case/item_u8");
    copyAll<unsigned short>("case/item_u16");
    copyAll<Bytes4>("case/item_4xu8");
    copyAll<AlignedBytes4>("case/item_4xu8_aligned");
    copyAll<unsigned>("case/item_u32");
    copyAll<Words2>("case/item_2xu32");
    copyAll<AlignedWords2>("case/item_2xu32_aligned");
    copyAll<Words3>("case/item_3xu32");
    copyAll<AlignedWords3>("case/item_3xu32_aligned");
    copyAll<Words4>("case/item_4xu32");
    copyAll<AlignedWords4>("case/item_4xu32_aligned");
    copyAll<Words8>("case/item_8xu32");
    copyAll<AlignedWords8>("case/item_8xu32_aligned");
}

void treeInShared() {
    const OnDevice<int> in{std::vector<int>(kTree, 1)}, out{kTree};
    run("case/tree", [&] { scanTree<<<1, kTree / 2>>>(in.data(), out.data()); });
    check(out.host() == counting<int>(kTree), "tree");
}

void matrixAndTranspose() {
    const OnDevice<float> a{std::vector<float>(kSide * kSide, 1)}, x{counting<float>(kSide)}, out{kSide};
    const std::vector<float> right(kSide, kSide * (kSide - 1) / 2);
    run("case/row_products",
        [&] { rowProducts<<<kSide / 32, dim3(32, 8)>>>(a.data(), x.data(), out.data()); });
    check(out.host() == right, "row_products");
    run("case/column_products",
        [&] { columnProducts<<<kSide / 32, dim3(32, 8)>>>(a.data(), x.data(), out.data()); });
    check(out.host() == right, "column_products");
}

void networkLayer() {
    const std::vector<float> input(16 * kLayerBlocks + 1, 2),
        weights((kHidden + 1) * (16 * kLayerBlocks + 1), 3);
    const OnDevice<float> in{input}, on{weights}, sums{16 * kLayerBlocks};
    run("case/layer",
        [&] { forwardLayer<<<dim3(1, kLayerBlocks), dim3(16, 16)>>>(in.data(), on.data(), sums.data()); });
    check(sums.host() == std::vector<float>(16 * kLayerBlocks, 16 * 2 * 3), "layer");
}

void managedTurns() {
    constexpr int kCount = 1 << 18, kRounds = 10;
    int* values = nullptr;
    succeed(cudaMallocManaged(&values, kCount * sizeof(int)), "cudaMallocManaged");
    for (int i = 0; i < kCount; ++i)
        values[i] = i;
    int rounds = 0;
    for (; rounds < kRounds; ++rounds) {
        run("case/managed_turns", [&] {
            addOne<<<kCount / 256, 256>>>(values);
            succeed(cudaDeviceSynchronize(), "managed_turns");
        });
        for (int i = 0; i < kCount; ++i)
            ++values[i];
    }
    bool right = true;
    for (int i = 1; i < kCount; ++i) // as often as the collector needs, and alike
        right = right && values[i] - i == values[0] && values[0] >= 2 * kRounds;
    check(right, "managed_turns");
    succeed(cudaFree(values), "cudaFree");
}

} // namespace cases
