// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The foreign program's calls of CUB and Thrust, each held against the host's own algorithm.

#include "tests/support/foreign_program.h"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cub/device/device_transform.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace foreign {

namespace {

constexpr int kCount = 10'000; // no multiple of any tile
constexpr int kBins = 16;

/// Numerical Recipes' generator: the same numbers everywhere.
std::vector<int> numbers(int below) {
    std::vector<int> values(kCount);
    std::uint32_t state = 1;
    for (int& value : values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<int>((state >> 8) % static_cast<std::uint32_t>(below));
    }
    return values;
}

/// CUB's two calls: how much temporary memory, then the work.
template <typename Call>
void withTemporary(Call call) {
    std::size_t bytes = 0;
    SUCCEED(call(nullptr, bytes));
    void* temporary = nullptr;
    SUCCEED(cudaMallocAsync(&temporary, bytes, nullptr));
    SUCCEED(call(temporary, bytes));
    SUCCEED(cudaFreeAsync(temporary, nullptr));
}

template <typename Value>
bool same(const thrust::device_vector<Value>& device, const std::vector<Value>& host) {
    const thrust::host_vector<Value> copy = device;
    return std::equal(host.begin(), host.end(), copy.begin());
}

struct Odd {
    __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};

/// The order of thrust::greater, but none of its: what Thrust does not know it can't sort by digits.
struct Descending {
    __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

struct Square {
    __host__ __device__ long long operator()(int value) const {
        return static_cast<long long>(value) * value;
    }
};

struct Both {
    __host__ __device__ float operator()(int a, float b) const { return static_cast<float>(a) - 0.5F * b; }
};

} // namespace

void scanSelectAndHistogram() {
    const std::vector<int> host = numbers(1000);
    const thrust::device_vector<int> values = host;

    std::vector<int> sums(kCount);
    std::exclusive_scan(host.begin(), host.end(), sums.begin(), 7);
    thrust::device_vector<int> scanned(kCount);
    withTemporary([&](void* temporary, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveScan(temporary, bytes, values.begin(), scanned.begin(),
                                              cuda::std::plus<>{}, 7, kCount);
    });
    check(same(scanned, sums), "cub::DeviceScan::ExclusiveScan");

    std::vector<int> odd;
    std::copy_if(host.begin(), host.end(), std::back_inserter(odd), Odd{});
    thrust::device_vector<int> selected(kCount), selectedCount(1);
    withTemporary([&](void* temporary, std::size_t& bytes) {
        return cub::DeviceSelect::If(temporary, bytes, values.begin(), selected.begin(),
                                     selectedCount.begin(), kCount, Odd{});
    });
    check(selectedCount[0] == static_cast<int>(odd.size()) && same(selected, odd), "cub::DeviceSelect::If");

    std::vector<int> bins(kBins);
    for (const int value : host)
        ++bins[value * kBins / 1024];
    thrust::device_vector<int> histogram(kBins);
    withTemporary([&](void* temporary, std::size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(temporary, bytes, values.data().get(),
                                                   histogram.data().get(), kBins + 1, 0, 1024, kCount);
    });
    check(same(histogram, bins), "cub::DeviceHistogram::HistogramEven");
}

void sortAndReduce() {
    std::vector<int> host = numbers(1'000'000);
    thrust::device_vector<int> keys = host;
    thrust::device_vector<int> places(thrust::counting_iterator<int>{0},
                                      thrust::counting_iterator<int>{kCount});
    thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin(), Descending{});
    std::vector<int> order(kCount);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] > host[b]; });
    check(same(places, order), "thrust::stable_sort_by_key");
    std::sort(host.begin(), host.end(), std::greater<>{});
    check(same(keys, host), "thrust::stable_sort_by_key's keys");

    const long long squares =
        thrust::transform_reduce(keys.begin(), keys.end(), Square{}, 0LL, thrust::plus<long long>{});
    check(squares == std::transform_reduce(host.begin(), host.end(), 0LL, std::plus<>{}, Square{}),
          "thrust::transform_reduce");
}

void segmentsAndRuns() {
    std::vector<int> host = numbers(50);
    std::sort(host.begin(), host.end());
    const thrust::device_vector<int> values = host;

    std::vector<int> runValues, runLengths;
    for (const int value : host) {
        if (runValues.empty() || runValues.back() != value) {
            runValues.push_back(value);
            runLengths.push_back(0);
        }
        ++runLengths.back();
    }
    thrust::device_vector<int> uniques(kCount), lengths(kCount), runs(1);
    withTemporary([&](void* temporary, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(temporary, bytes, values.begin(), uniques.begin(),
                                                  lengths.begin(), runs.begin(), kCount);
    });
    check(runs[0] == static_cast<int>(runValues.size()) && same(uniques, runValues) &&
              same(lengths, runLengths),
          "cub::DeviceRunLengthEncode::Encode");

    // Segments of very different sizes, one of them empty.
    const std::vector<int> offsets{0, 0, 1, 34, 3000, kCount};
    std::vector<int> segmentSums;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
        segmentSums.push_back(std::accumulate(host.begin() + offsets[i], host.begin() + offsets[i + 1], 0));
    const thrust::device_vector<int> bounds = offsets;
    const auto segments = static_cast<int>(segmentSums.size());
    thrust::device_vector<int> reduced(segmentSums.size());
    withTemporary([&](void* temporary, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Sum(temporary, bytes, values.begin(), reduced.begin(), segments,
                                               bounds.begin(), bounds.begin() + 1);
    });
    check(same(reduced, segmentSums), "cub::DeviceSegmentedReduce::Sum");

    std::vector<float> factors(kCount), expected(kCount);
    std::iota(factors.begin(), factors.end(), 1.F);
    std::transform(host.begin(), host.end(), factors.begin(), expected.begin(), Both{});
    const thrust::device_vector<float> second = factors;
    thrust::device_vector<float> transformed(kCount);
    SUCCEED(cub::DeviceTransform::Transform(cuda::std::make_tuple(values.data().get(), second.data().get()),
                                            transformed.data().get(), kCount, Both{}));
    check(same(transformed, expected), "cub::DeviceTransform::Transform");
}

} // namespace foreign
