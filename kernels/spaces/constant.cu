// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spaces/groups.h"

#include <cuda/std/array>

namespace dormer::kernels::spaces {

namespace {

// Each thread adds up one word of every row of a table: the same column for all threads of a block, or each
// lane a column of its own.
constexpr unsigned kRows = 64;
constexpr unsigned kColumns = 32;

__constant__ unsigned constantTable[kRows * kColumns];

// Constant memory answers a warp with one word at a time: one word for all lanes is its best case,
__global__ void sumConstantBroadcast(cuda::std::span<unsigned> sums) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned column = blockIdx.x % kColumns;
    unsigned sum = 0;
    for (unsigned row = 0; row < kRows; ++row)
        sum += constantTable[row * kColumns + column];
    if (i < sums.size()) sums[i] = sum;
}

// and 32 different words are served one after the other.
__global__ void sumConstantDivergent(cuda::std::span<unsigned> sums) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned column = threadIdx.x % kColumns;
    unsigned sum = 0;
    for (unsigned row = 0; row < kRows; ++row)
        sum += constantTable[row * kColumns + column];
    if (i < sums.size()) sums[i] = sum;
}

// To global memory 32 neighbouring words are one request of 4 sectors, which L1 keeps.
__global__ void sumGlobalTable(const unsigned* table, cuda::std::span<unsigned> sums) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned column = threadIdx.x % kColumns;
    unsigned sum = 0;
    for (unsigned row = 0; row < kRows; ++row)
        sum += table[row * kColumns + column];
    if (i < sums.size()) sums[i] = sum;
}

struct ColumnSums {
    cuda::std::array<unsigned, kColumns> sums;
};

struct IsColumnSum {
    ColumnSums right;
    const unsigned* sums;
    bool columnOfBlock;
    __device__ bool operator()(std::size_t i) const {
        return sums[i] == right.sums[(columnOfBlock ? i / kBlock : i) % kColumns];
    }
};

struct Table {
    explicit Table(const Setup& setup) : table(kRows * kColumns), sums(setup.size) {
        std::vector<unsigned> words(kRows * kColumns);
        for (std::size_t i = 0; i < words.size(); ++i) {
            words[i] = static_cast<unsigned>(mixed(setup.seed, i));
            right.sums[i % kColumns] += words[i];
        }
        CUDA_CHECK(cudaMemcpyToSymbol(constantTable, words.data(), table.bytes()));
        CUDA_CHECK(cudaMemcpy(table.data(), words.data(), table.bytes(), cudaMemcpyHostToDevice));
    }
    [[nodiscard]] unsigned blocks() const {
        return static_cast<unsigned>(cuda::ceil_div(sums.size(), kBlock));
    }

    ColumnSums right{};
    DeviceBuffer<unsigned> table;
    DeviceBuffer<unsigned> sums; // shared by all variants
};

void launchBroadcast(Table& t) {
    sumConstantBroadcast<<<t.blocks(), kBlock>>>(t.sums.span());
}
void launchDivergent(Table& t) {
    sumConstantDivergent<<<t.blocks(), kBlock>>>(t.sums.span());
}
void launchGlobal(Table& t) {
    sumGlobalTable<<<t.blocks(), kBlock>>>(t.table.data(), t.sums.span());
}

CheckResult check(Table& t, void (*launch)(Table&), bool columnOfBlock) {
    CUDA_CHECK(cudaMemset(t.sums.data(), 0xFF, t.sums.bytes()));
    launch(t);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(t.sums.size(), IsColumnSum{t.right, t.sums.data(), columnOfBlock},
                     "sums[i] == the host's sum of its column");
}

std::vector<Expectation> answersConstant(std::size_t) {
    return {exactly("global_load_sectors", 0, "constant memory has a cache of its own"),
            exactly("global_load_requests", 0, "a load from constant memory is no global load"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes"),
            noLocalMemory()};
}

std::vector<Expectation> answersDivergent(std::size_t size) {
    std::vector<Expectation> answers = answersConstant(size);
    answers.push_back(comparedTo("spaces/constant_broadcast", "duration_ns", ">=", 2,
                                 "the constant cache serves one word at a time, here 32 for each load"));
    return answers;
}

std::vector<Expectation> answersGlobal(std::size_t size) {
    return {exactly("global_load_requests", static_cast<double>(size / 32 * kRows),
                    "a warp reads each row of the table once"),
            exactly("global_load_sectors_per_request", kCoalescedSectors, "32 lanes read a row of 128 bytes"),
            exactly("global_store_sectors_per_request", kCoalescedSectors,
                    "32 lanes write 128 neighbouring bytes"),
            noLocalMemory()};
}

std::vector<Row<Table>> rows() {
    return {
        {{.name = "constant_broadcast",
          .shows = "all lanes read one word of constant memory: served at once",
          .knownAnswers = answersConstant,
          .good = true},
         launchBroadcast,
         [](Table& t) { return check(t, launchBroadcast, true); }},
        {{.name = "constant_divergent",
          .shows = "each lane reads a word of constant memory of its own: served one after the other",
          .knownAnswers = answersDivergent,
          .better = "spaces/table_global"},
         launchDivergent,
         [](Table& t) { return check(t, launchDivergent, false); }},
        {{.name = "table_global",
          .shows = "the divergent reads as plain global loads: neighbouring words, one request",
          .knownAnswers = answersGlobal,
          .good = true},
         launchGlobal,
         [](Table& t) { return check(t, launchGlobal, false); }},
    };
}

} // namespace

Group constantGroup() {
    return groupOf<Table>(
        rows(), Sizes{std::size_t{1} << 22, std::size_t{1} << 15},
        [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return size * sizeof(unsigned); }, parameters);
}

} // namespace dormer::kernels::spaces
