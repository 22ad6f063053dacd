// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/catch.h"

#include "kernels/suite/registry.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Looks known answers up, and counts what they claim one lane at a time.
namespace dormer::tests {

inline std::vector<kernels::Expectation> answersOf(std::string_view path, std::size_t size) {
    for (const kernels::Selected& place : kernels::everything())
        if (kernels::pathOf(place) == path) return kernels::variantOf(place).knownAnswers(size);
    FAIL("no such workload: " << path);
    return {};
}

inline double valueOf(std::string_view path, std::size_t size, std::string_view metric) {
    for (const kernels::Expectation& answer : answersOf(path, size))
        if (answer.metric == metric) return answer.value;
    FAIL(path << " has no known answer for " << metric);
    return 0;
}

using ElementOfLane = std::function<std::size_t(std::size_t lane)>;

/// Distinct 32-byte sectors that a warp touches, counted one lane at a time.
inline double sectors(std::size_t bytesPerElement, const ElementOfLane& element) {
    std::set<std::size_t> touched;
    for (std::size_t lane = 0; lane < 32; ++lane)
        touched.insert(element(lane) * bytesPerElement / 32);
    return static_cast<double>(touched.size());
}

/// Most distinct 4-byte words that fall into one of the 32 banks.
inline double ways(const ElementOfLane& word) {
    std::map<std::size_t, std::set<std::size_t>> banks;
    for (std::size_t lane = 0; lane < 32; ++lane)
        banks[word(lane) % 32].insert(word(lane));
    std::size_t most = 0;
    for (const auto& [bank, words] : banks)
        most = std::max(most, words.size());
    return static_cast<double>(most);
}

/// Names of a family's variants, in order.
inline std::vector<std::string> variantsOf(std::string_view family) {
    std::vector<std::string> names;
    for (const kernels::Selected& place : kernels::everything())
        if (kernels::families()[place.family].name == family) names.push_back(kernels::variantOf(place).name);
    return names;
}

} // namespace dormer::tests
