// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/sorting.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

namespace dormer::kernels {

namespace {

/// Thrust asks for working memory in every call. This keeps what the largest call needed, so that a launch is
/// not a wait for cudaMalloc.
class KeptMemory {
public:
    using value_type = char;
    char* allocate(std::ptrdiff_t bytes) {
        const auto wanted = static_cast<std::size_t>(bytes);
        if (m_kept.size() < wanted) m_kept = DeviceBuffer<char>(wanted);
        return m_kept.data();
    }
    void deallocate(char* /*memory*/, std::size_t /*bytes*/) {}

private:
    DeviceBuffer<char> m_kept;
};

struct ThrustSorting {
    explicit ThrustSorting(const Setup& setup)
        : keyOf{static_cast<std::uint32_t>(setup.seed)}, in(setup.size), keys(setup.size) {
        fill(in, keyOf);
        sort(); // finds out how much memory it takes
    }
    void sort() {
        // Thrust sorts in place: without this, all but the first launch would find the keys in order.
        CUDA_CHECK(cudaMemcpyAsync(keys.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice));
        thrust::sort(thrust::cuda::par_nosync(memory), keys.data(), keys.data() + keys.size());
    }

    DistinctKey keyOf;
    DeviceBuffer<std::uint32_t> in, keys;
    KeptMemory memory;
};

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> answers = sortingAnswers(size);
    answers.push_back(exactly("transfer_bytes", static_cast<double>(size) * sizeof(std::uint32_t),
                              "the keys are copied once on the device before they are sorted in place"));
    return answers;
}

std::vector<Row<ThrustSorting>> rows() {
    return {
        {{"thrust_sort", "Thrust's sort in place: CUB's kernels under CUB's range, after a copy of the keys",
          answers},
         [](ThrustSorting& s) { s.sort(); },
         [](ThrustSorting& s) { return checkSorted(s.keys, s.keyOf, true); }},
    };
}

} // namespace

Group deviceThrustSortGroup() {
    return groupOf<ThrustSorting>(
        rows(), kSortSize, roundDeviceWide, [](std::size_t size) { return 3 * size * sizeof(std::uint32_t); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=uint32"};
        });
}

} // namespace dormer::kernels
