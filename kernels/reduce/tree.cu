// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/groups.h"
#include "kernels/reduce/sums.cuh"

namespace dormer::kernels {

namespace {

// The pairs of a step are dealt out to the threads in a loop, so that warps without one jump over it instead
// of executing its accesses with all lanes off. The words are volatile so that the compiler makes every
// access: it would keep a thread's own sum in a register from one step to the next, and the answers count
// accesses.

// Interleaved: a step adds the right neighbour to every 2nd, 4th, 8th, … word, in place. The words of a
// step are 2, 4, 8, … apart, and so are the banks that hold them.
__global__ void treeConflicts(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> sums) {
    __shared__ volatile unsigned tree[kReduceBlock];
    tree[threadIdx.x] = numbers[blockIdx.x * kReduceBlock + threadIdx.x];
    __syncthreads();
    for (unsigned apart = 1; apart < kReduceBlock; apart *= 2) {
        for (unsigned pair = threadIdx.x; pair < kReduceBlock / 2 / apart; pair += blockDim.x)
            tree[2 * apart * pair] = tree[2 * apart * pair] + tree[2 * apart * pair + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = tree[0];
}

// Sequential: a step adds the upper half to the lower. Neighbouring lanes work on neighbouring words.
__global__ void treeSequential(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> sums) {
    __shared__ volatile unsigned tree[kReduceBlock];
    tree[threadIdx.x] = numbers[blockIdx.x * kReduceBlock + threadIdx.x];
    __syncthreads();
    for (unsigned half = kReduceBlock / 2; half > 0; half /= 2) {
        for (unsigned pair = threadIdx.x; pair < half; pair += blockDim.x)
            tree[pair] = tree[pair] + tree[pair + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = tree[0];
}

__device__ unsigned warpSum(unsigned value) {
    for (unsigned apart = 16; apart > 0; apart /= 2)
        value += __shfl_down_sync(0xFFFFFFFFU, value, apart);
    return value; // the first lane's is the sum
}

// Registers instead of shared memory within a warp: one barrier, one word per warp.
__global__ void blockShuffle(cuda::std::span<const unsigned> numbers, cuda::std::span<unsigned> sums) {
    __shared__ unsigned ofWarp[kReduceWarps];
    const unsigned sum = warpSum(numbers[blockIdx.x * kReduceBlock + threadIdx.x]);
    if (threadIdx.x % 32 == 0) ofWarp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    const unsigned total = warpSum(threadIdx.x < kReduceWarps ? ofWarp[threadIdx.x] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

using Kernel = void (*)(cuda::std::span<const unsigned>, cuda::std::span<unsigned>);

template <Kernel kKernel>
void launch(Numbers& n) {
    kKernel<<<n.blocks(), kReduceBlock>>>(n.numbers.view(), n.sums.span());
}

template <Kernel kKernel>
CheckResult check(Numbers& n) {
    return n.check(launch<kKernel>, Share{kReduceBlock}, "thread 0 of each block");
}

std::vector<Expectation> answers(std::size_t size) {
    return {eachLoadedOnce(size), exactly("global_store_sectors", static_cast<double>(size / kReduceBlock),
                                          "thread 0 of each block writes one sum")};
}

std::vector<Expectation> answersTree(std::size_t size, bool interleaved, const std::string& why) {
    std::vector<Expectation> all = answers(size);
    const auto blocks = static_cast<double>(size / kReduceBlock);
    const double ofSteps = treeWavefronts(interleaved);
    all.push_back(exactly("shared_load_wavefronts", blocks * (2 * ofSteps + 1),
                          why + "; two loads per step, and one for the sum"));
    all.push_back(exactly("shared_store_wavefronts", blocks * (ofSteps + kReduceWarps),
                          why + "; one store per step, and one per warp to begin with"));
    return all;
}

std::vector<Expectation> answersConflicts(std::size_t size) {
    return answersTree(size, true, "words 2, 4, 8, ... apart meet in 16, 8, 4, ... banks");
}

std::vector<Expectation> answersSequential(std::size_t size) {
    std::vector<Expectation> all =
        answersTree(size, false, "neighbouring lanes, neighbouring words: one wavefront");
    all.push_back(exactly("shared_ways", 1, "no access meets another in a bank"));
    all.push_back(comparedTo("reduce/tree_conflicts", "duration_ns", "<=", 0.95,
                             "a third of the wavefronts, the same additions"));
    return all;
}

std::vector<Expectation> answersShuffle(std::size_t size) {
    std::vector<Expectation> all = answers(size);
    all.push_back(exactly("shared_store_wavefronts", static_cast<double>(size / 32),
                          "the first lane of each warp stores the warp's sum"));
    all.push_back(comparedTo("reduce/tree_sequential", "duration_ns", "<=", 1,
                             "one barrier and one exchange through shared memory instead of nine"));
    return all;
}

std::vector<Row<Numbers>> rows() {
    return {
        {{.name = "tree_conflicts",
          .shows = "a tree in shared memory with interleaved addresses: up to 8-way bank conflicts",
          .knownAnswers = answersConflicts,
          .better = "reduce/tree_sequential"},
         launch<treeConflicts>,
         check<treeConflicts>},
        {{.name = "tree_sequential",
          .shows = "the same tree with sequential addresses: free of conflicts",
          .knownAnswers = answersSequential,
          .good = true},
         launch<treeSequential>,
         check<treeSequential>},
        {{.name = "block_shuffle",
          .shows = "shuffles within each warp, then once among the warps' sums: one barrier instead of nine",
          .knownAnswers = answersShuffle,
          .good = true},
         launch<blockShuffle>,
         check<blockShuffle>},
    };
}

} // namespace

Group reduceTreeGroup() {
    return groupOf<Numbers>(rows(), kReduceSize, roundReduce, reduceBytes, reduceParameters);
}

} // namespace dormer::kernels
