// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/groups.h"
#include "kernels/histogram/temperatures.cuh"

#include <cuda/atomic>

namespace dormer::kernels::histogram {

namespace {

// Wrong: between a thread's read and its write others write the same bin, and their counts are lost.
template <int kBins>
__global__ void histogramRacy(cuda::std::span<const float> temperatures, unsigned* bins) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < temperatures.size()) ++bins[binOf<kBins>(temperatures[i])];
}

// Plain atomicAdd rather than cuda::atomic_ref: it tells the compiler the address space, so that it can
// choose the reduction that returns nothing.
template <int kBins>
__global__ void histogramGlobalAtomics(cuda::std::span<const float> temperatures, unsigned* bins) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < temperatures.size()) atomicAdd(&bins[binOf<kBins>(temperatures[i])], 1U);
}

// The widest scope: the host and other GPUs may count into the same bins at the same time. Nobody does here.
template <int kBins>
__global__ void histogramSystemScope(cuda::std::span<const float> temperatures, unsigned* bins) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= temperatures.size()) return;
    const cuda::atomic_ref<unsigned, cuda::thread_scope_system> bin(bins[binOf<kBins>(temperatures[i])]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
}

template <int kBins, void (*kKernel)(cuda::std::span<const float>, unsigned*)>
void launch(Temperatures& t) {
    t.zero(kBins);
    kKernel<<<static_cast<unsigned>(cuda::ceil_div(t.values.size(), kBlock)), kBlock>>>(t.values.view(),
                                                                                        t.bins.data());
}

CheckResult checkRacy(Temperatures& t) {
    constexpr int kBins = 10;
    const std::vector<unsigned> counted = countAgain(t, launch<kBins, histogramRacy<kBins>>, kBins);
    const std::size_t total = std::accumulate(counted.begin(), counted.end(), std::size_t{0});
    const std::string all = std::to_string(t.values.size());
    if (total >= t.values.size())
        return {false, "the bins hold " + std::to_string(total) + " of " + all +
                           " elements: a race should have lost some"};
    return {true, "wrong on purpose: the race lost " + std::to_string(t.values.size() - total) + " of " +
                      all + " counts"};
}

std::vector<Expectation> answersRacy(std::size_t size) {
    return {exactly("atomic_instructions", 0, "the kernel has plain loads and stores only"),
            exactly("global_load_requests", static_cast<double>(size / 32 * 2),
                    "a temperature and a bin are read per element, 32 per warp"),
            exactly("global_store_requests", static_cast<double>(size / 32),
                    "a bin is written per element, 32 per warp")};
}

std::vector<Expectation> answersAtomic(std::size_t size) {
    return {
        exactly("atomic_instructions", static_cast<double>(size / 32), "one atomic per element, 32 per warp"),
        readOnce(size)};
}

std::vector<Expectation> answersOneBin(std::size_t size) {
    std::vector<Expectation> answers = answersAtomic(size);
    // A pass of L2 serves every word of a sector once. The bins 0 to 7 and 8 to 9 are two sectors; the
    // fullest bin of each, of 32 lanes thrown into ten, adds up to 10 passes in the mean.
    answers.push_back(comparedTo("histogram/global_atomics", "duration_ns", ">=", 2,
                                 "32 lanes on one word take 32 passes of L2, on ten words about 10"));
    return answers;
}

template <int kBins, Input kInput>
Row<TemperaturesOf<kInput>> globalAtomics(std::function<std::vector<Expectation>(std::size_t)> answers) {
    return rowOf<kBins, kInput>({.name = "global_atomics",
                                 .shows = kInput == Input::OneBin
                                              ? "all atomics hit one address: contended as hard as can be"
                                              : "every element is an atomic in global memory: contended",
                                 .answers = std::move(answers),
                                 .better = "cub_device"},
                                launch<kBins, histogramGlobalAtomics<kBins>>);
}

std::vector<Row<TemperaturesOf<Input::Uniform>>> uniformRows() {
    std::vector<Row<TemperaturesOf<Input::Uniform>>> rows;
    rows.push_back({{.name = "racy",
                     .shows = "wrong on purpose: reads, adds and writes without atomics, and loses counts",
                     .knownAnswers = answersRacy,
                     .parameters = {"bins=10"},
                     .better = "histogram/global_atomics",
                     .wrongByDesign = true},
                    launch<10, histogramRacy<10>>,
                    checkRacy});
    rows.push_back(globalAtomics<10, Input::Uniform>(answersAtomic));
    rows.push_back(globalAtomics<256, Input::Uniform>(answersAtomic));
    rows.push_back(rowOf<10, Input::Uniform>(
        {.name = "system_scope",
         .shows = "the same atomics in system scope, which a GPU alone does not need",
         .answers = answersAtomic,
         .better = "cub_device"},
        launch<10, histogramSystemScope<10>>));
    return rows;
}

} // namespace

std::vector<Group> globalGroups() {
    return {groupOfRows<Input::Uniform>(uniformRows(), kContendedSizes, kBlock),
            groupOfRows<Input::OneBin>({globalAtomics<10, Input::OneBin>(answersOneBin)}, kContendedSizes,
                                       kBlock)};
}

} // namespace dormer::kernels::histogram
