// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/table.h"
#include "kernels/managed/groups.h"
#include "kernels/managed/increment.cuh"

#include <array>
#include <utility>

namespace dormer::kernels {

namespace {

/// Owns an array that host and device share; the driver moves its pages to whoever touches them.
class ManagedBuffer {
public:
    ManagedBuffer() = default;
    explicit ManagedBuffer(std::size_t count) : m_count(count) {
        CUDA_CHECK(cudaMallocManaged(&m_data, bytes()));
    }
    ~ManagedBuffer() {
        // Nothing useful can be done about a failure here; the next checked call reports it.
        if (m_data != nullptr) static_cast<void>(cudaFree(m_data));
    }
    ManagedBuffer(ManagedBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0)) {}
    ManagedBuffer& operator=(ManagedBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }
    [[nodiscard]] std::size_t bytes() const { return m_count * sizeof(Counter); }
    [[nodiscard]] cuda::std::span<Counter> span() const { return {m_data, m_count}; }

private:
    Counter* m_data = nullptr;
    std::size_t m_count = 0;
};

enum : std::size_t { kOnDemand, kPrefetch, kAdvise, kVariantCount };

struct Counters {
    explicit Counters(const Setup& setup) : seed(setup.seed) {
        int ordinal = 0;
        CUDA_CHECK(cudaGetDevice(&ordinal));
        device = {.type = cudaMemLocationTypeDevice, .id = ordinal};
        for (const std::size_t variant : setup.variants)
            buffers[variant] = ManagedBuffer(setup.size);
        if (!setup.runs(kAdvise)) return;
        // Once is enough: the advice lasts. Pages stay with the host, and the device reaches them there.
        const ManagedBuffer& advised = buffers[kAdvise];
        CUDA_CHECK(
            cudaMemAdvise(advised.span().data(), advised.bytes(), cudaMemAdviseSetPreferredLocation, host));
        CUDA_CHECK(cudaMemAdvise(advised.span().data(), advised.bytes(), cudaMemAdviseSetAccessedBy, device));
    }

    void run(std::size_t variant) const {
        const ManagedBuffer& buffer = buffers[variant];
        numberOnHost(buffer.span(), seed);
        if (variant == kPrefetch)
            CUDA_CHECK(cudaMemPrefetchAsync(buffer.span().data(), buffer.bytes(), device, 0, nullptr));
        incrementOnDevice(buffer.span());
    }
    [[nodiscard]] CheckResult check(std::size_t variant) const {
        return checkIncremented(buffers[variant].span(), seed);
    }

    std::uint64_t seed;
    cudaMemLocation device{}, host{.type = cudaMemLocationTypeHost, .id = 0};
    std::array<ManagedBuffer, kVariantCount> buffers;
};

std::vector<Expectation> answersPrefetch(std::size_t size) {
    std::vector<Expectation> answers = incrementAnswers();
    answers.push_back(exactly("memory_call_count", 1, "one cudaMemPrefetchAsync a run"));
    answers.push_back(exactly("memory_call_bytes", static_cast<double>(size * sizeof(Counter)),
                              "it names the whole array: 4 bytes per element"));
    answers.push_back(
        comparedTo("managed/on_demand", "duration_ns", "<=", 0.5,
                   "the pages are there before the kernel starts: no access has to wait for one"));
    return answers;
}

/// Where a device moves pages, and does not read the host's page tables, they all have to come.
std::vector<Expectation> migrations(const Counters& counters, std::size_t variant) {
    int moves = 0;
    int sharesTables = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&moves, cudaDevAttrConcurrentManagedAccess, counters.device.id));
    CUDA_CHECK(cudaDeviceGetAttribute(&sharesTables, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                                      counters.device.id));
    if (moves == 0 || sharesTables != 0 || variant == kAdvise) return {};
    std::vector<Expectation> answers{
        onGpu(atLeast("migration_bytes_to_device", static_cast<double>(counters.buffers[variant].bytes()),
                      "the host has written every page, and the kernel touches every page"))};
    if (variant == kOnDemand)
        answers.push_back(
            onGpu(atLeast("gpu_page_faults", 1, "the kernel touches pages that are not there")));
    return answers;
}

std::vector<Row<Counters>> rows() {
    const auto row = [](std::size_t variant, Variant facts) -> Row<Counters> {
        return {std::move(facts), [variant](Counters& c) { c.run(variant); },
                [variant](Counters& c) { return c.check(variant); },
                [variant](Counters& c) { return migrations(c, variant); }};
    };
    return {
        row(kOnDemand,
            {.name = "on_demand",
             .shows = "the kernel touches pages that are on the host: each fault waits for a migration",
             .knownAnswers = [](std::size_t) { return incrementAnswers(); },
             .better = "managed/prefetch"}),
        row(kPrefetch, {.name = "prefetch",
                        .shows = "cudaMemPrefetchAsync moves the pages before the kernel needs them",
                        .knownAnswers = answersPrefetch,
                        .good = true}),
        row(kAdvise,
            {.name = "advise",
             .shows = "cudaMemAdvise keeps the pages on the host, where the device reads and writes them",
             .knownAnswers = [](std::size_t) { return incrementAnswers(); }}),
    };
}

} // namespace

Group managedGroup() {
    Group group = groupOf<Counters>(
        rows(), Sizes{std::size_t{1} << 22, std::size_t{1} << 18},
        [](std::size_t wanted) { return roundUp(wanted, kManagedBlock); },
        [](std::size_t size) { return kVariantCount * size * sizeof(Counter); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "block=" + std::to_string(kManagedBlock), "type=uint32"};
        });
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
