// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/table.h"
#include "kernels/managed/groups.h"
#include "kernels/managed/increment.cuh"

#include <algorithm>

namespace dormer::kernels {

namespace {

constexpr std::size_t kCounters = std::size_t{1} << 20;

// One name for host and device: the runtime makes the array when the program starts.
__managed__ Counter counters[kCounters];

struct StaticCounters {
    explicit StaticCounters(const Setup& setup) : seed(setup.seed), used(std::min(setup.size, kCounters)) {}
    /// Never more than there are.
    [[nodiscard]] cuda::std::span<Counter> span() const { return {counters, used}; }

    std::uint64_t seed;
    std::size_t used;
};

std::vector<Row<StaticCounters>> rows() {
    return {{{.name = "static",
              .shows = "a __managed__ variable: host and device use it by name, and its pages move on demand",
              .knownAnswers = [](std::size_t) { return incrementAnswers(); }},
             [](StaticCounters& c) {
                 numberOnHost(c.span(), c.seed);
                 incrementOnDevice(c.span());
             },
             [](StaticCounters& c) { return checkIncremented(c.span(), c.seed); }}};
}

} // namespace

Group staticManagedGroup() {
    Group group = groupOf<StaticCounters>(
        rows(), Sizes{kCounters, std::size_t{1} << 18},
        [](std::size_t wanted) { return roundUp(wanted, kManagedBlock); },
        [](std::size_t size) { return size * sizeof(Counter); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "block=" + std::to_string(kManagedBlock), "type=uint32"};
        });
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
