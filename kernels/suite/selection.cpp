// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/selection.h"

#include "analysis/base/glob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace dormer::kernels {

namespace {

/// Levenshtein's distance: the fewest insertions, deletions and replacements that turn one into the other.
std::size_t editDistance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

/// Up to three paths or families that a mistyped pattern may have meant.
std::vector<std::string> nearest(const std::string& pattern) {
    struct Candidate {
        std::size_t distance;
        std::string name;
    };
    std::vector<Candidate> candidates;
    const auto consider = [&](const std::string& name, std::string_view comparable) {
        const std::size_t distance = editDistance(pattern, comparable);
        // A third of the letters may be wrong, and two of a short word; or the pattern is part of the name.
        if (distance <= std::max<std::size_t>(2, comparable.size() / 3) ||
            (pattern.size() > 2 && comparable.find(pattern) != std::string_view::npos))
            candidates.push_back({distance, name});
    };
    for (const Family& family : families())
        consider(std::string(family.name), family.name);
    for (const Selected& place : everything()) {
        const std::string path = pathOf(place);
        consider(path, path);
        consider(path, variantOf(place).name);
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::distance);
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates) {
        if (names.size() == 3) break;
        if (std::ranges::find(names, candidate.name) == names.end()) names.push_back(candidate.name);
    }
    return names;
}

} // namespace

Result<std::vector<Selected>> select(const std::vector<std::string>& patterns) {
    std::vector<Selected> all = everything();
    if (patterns.empty()) return all;
    std::vector<bool> chosen(all.size(), false);
    for (const std::string& pattern : patterns) {
        bool matched = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (pattern == families()[all[i].family].name || base::globMatches(pattern, pathOf(all[i])))
                matched = chosen[i] = true;
        }
        if (matched) continue;
        const std::vector<std::string> near = nearest(pattern);
        return failure(
            ErrorKind::Usage,
            near.empty()
                ? fmt::format("no workload matches '{}'; --describe lists them all", pattern)
                : fmt::format("no workload matches '{}'; did you mean {}?", pattern, fmt::join(near, ", ")));
    }
    std::vector<Selected> selected;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (chosen[i]) selected.push_back(all[i]);
    return selected;
}

} // namespace dormer::kernels
