// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/reduce/numbers.h"

#include <algorithm>

namespace dormer::kernels {

/// Which threads write what they got of a collective: the one for which it is promised to be the sum, or, to
/// look where else it is, all.
enum class Keep { First, Everyone };

/// 0..255. Sums wrap around, the same in every order.
struct SmallNumber {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i) >> 56);
    }
};

/// The share of sum k: `count` neighbours, or, with a stride, the numbers that a thread of a block takes in
/// turn with its neighbours.
struct Share {
    unsigned count = 1;
    unsigned stride = 1;
    __host__ __device__ std::size_t operator()(std::size_t sum, unsigned i) const {
        return sum / stride * (std::size_t{count} * stride) + sum % stride + std::size_t{i} * stride;
    }
};

/// Right sums up to `sums`, and behind them the poison that nobody may have touched.
struct AreSums {
    const unsigned *numbers, *results;
    std::size_t sums;
    Share share;
    __device__ bool operator()(std::size_t k) const {
        if (k >= sums) return results[k] == ~0U;
        unsigned expected = 0;
        for (unsigned i = 0; i < share.count; ++i)
            expected += numbers[share(k, i)];
        return results[k] == expected;
    }
};

struct Numbers {
    explicit Numbers(const Setup& setup) : numbers(setup.size), sums(setup.size / 8) {
        fill(numbers, SmallNumber{setup.seed});
    }
    /// Blocks of which each takes that many numbers.
    [[nodiscard]] unsigned blocks(std::size_t numbersEach = kReduceBlock) const {
        return static_cast<unsigned>(numbers.size() / numbersEach);
    }
    /// Repeats the launch into a poisoned buffer, which the variants share.
    CheckResult check(void (*launch)(Numbers&), Share share, const std::string& where) {
        CUDA_CHECK(cudaMemset(sums.data(), 0xFF, sums.bytes()));
        launch(*this);
        CUDA_CHECK(cudaGetLastError());
        return checkEach(sums.size(),
                         AreSums{numbers.data(), sums.data(), numbers.size() / share.count, share},
                         "what " + where + " returned is the sum of its " + std::to_string(share.count) +
                             " integers, and nothing is written behind the sums,");
    }

    DeviceBuffer<unsigned> numbers;
    DeviceBuffer<unsigned> sums; ///< one for each share, at the front
};

/// Adds to a passed check what every thread of one block of a collective got: `everyone(numbers, returned)`
/// launches it. Fails when a thread that is promised the sum of its `share` neighbours has something else.
template <typename Everyone>
CheckResult whereValid(CheckResult passed, const Numbers& n, unsigned share, unsigned threads,
                       Everyone everyone) {
    if (!passed.passed) return passed;
    const DeviceBuffer<unsigned> returned(threads);
    everyone(n.numbers.view().first(threads), returned.span());
    CUDA_CHECK(cudaGetLastError());
    const std::vector<unsigned> got = returned.toHost();
    std::vector<unsigned> numbers(threads);
    CUDA_CHECK(
        cudaMemcpy(numbers.data(), n.numbers.data(), threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned others = 0;
    for (unsigned first = 0; first < threads; first += share) {
        unsigned sum = 0;
        for (unsigned i = first; i < first + share; ++i)
            sum += numbers[i];
        if (got[first] != sum)
            return {false, "thread " + std::to_string(first) + " got " + std::to_string(got[first]) +
                               " instead of " + std::to_string(sum)};
        others +=
            static_cast<unsigned>(std::count(got.begin() + first + 1, got.begin() + first + share, sum));
    }
    const unsigned rest = threads - threads / share;
    passed.detail +=
        "; of the other threads, " + std::to_string(others) + " of " + std::to_string(rest) + " have it too";
    return passed;
}

} // namespace dormer::kernels
