// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/near_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace dormer::instrument::launch {

namespace {

std::string lower(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

std::size_t editDistance(std::string_view first, std::string_view second) {
    const std::string a = lower(first);
    const std::string b = lower(second);
    // Three rows suffice: a swap looks two rows back.
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::vector<std::string> nearNames(std::string_view typed, const std::vector<std::string>& names,
                                   std::size_t count) {
    const std::string word = lower(typed);
    std::vector<std::pair<std::size_t, const std::string*>> candidates;
    for (const std::string& name : names) {
        std::size_t distance = editDistance(typed, name);
        const bool holds = word.size() >= 3 && lower(name).find(word) != std::string::npos;
        if (holds) distance = std::min<std::size_t>(distance, 1);
        // A third of the word wrong is still a slip; more is another word.
        if (holds || distance <= std::max<std::size_t>(1, std::max(word.size(), name.size()) / 3))
            candidates.emplace_back(distance, &name);
    }
    std::ranges::stable_sort(candidates, {}, [](const auto& candidate) { return candidate.first; });
    std::vector<std::string> result;
    for (const auto& [distance, name] : candidates) {
        if (result.size() == count) break;
        if (std::ranges::find(result, *name) == result.end()) result.push_back(*name);
    }
    return result;
}

std::string didYouMean(std::string_view typed, const std::vector<std::string>& names) {
    const std::vector<std::string> near = nearNames(typed, names);
    if (near.empty()) return {};
    std::string list = near.front();
    for (std::size_t i = 1; i < near.size(); ++i)
        list += (i + 1 == near.size() ? " or " : ", ") + near[i];
    return fmt::format("; did you mean {}?", list);
}

} // namespace dormer::instrument::launch
