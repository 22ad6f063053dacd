// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/group_qualifiers.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace dormer::view {

namespace {

using Rows = std::vector<std::size_t>;
using Words = std::function<std::string(session::LaunchIndex)>;

/// Adds words to the rows that share a qualifier, where the words differ between them.
void tellApart(const diagnosis::Diagnosis& diagnosis, const Rows& alike, const Words& words,
               std::vector<std::string>& qualifiers) {
    std::map<std::string, Rows> byText;
    for (const std::size_t row : alike)
        byText[qualifiers[row]].push_back(row);
    for (const auto& [text, rows] : byText) {
        if (rows.size() < 2) continue;
        std::map<std::string, Rows> byWords;
        for (const std::size_t row : rows)
            byWords[words(diagnosis.groups()[row].launches.front())].push_back(row);
        if (byWords.size() < 2) continue;
        for (const auto& [added, of] : byWords)
            for (const std::size_t row : of)
                qualifiers[row] += (text.empty() ? "" : ", ") + added;
    }
}

} // namespace

std::vector<std::string> groupQualifiers(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    const auto& groups = diagnosis.groups();
    std::vector<std::string> qualifiers(groups.size());
    std::map<std::string_view, Rows> byLabel;
    for (std::size_t i = 0; i < groups.size(); ++i)
        byLabel[groups[i].label].push_back(i);
    for (const auto& [label, rows] : byLabel) {
        if (rows.size() < 2) continue;
        for (const std::size_t row : rows) {
            const session::Launch& launch = session.launch(groups[row].representative);
            qualifiers[row] = fmt::format("grid {}, block {}", metrics::forPeople(launch.grid),
                                          metrics::forPeople(launch.block));
        }
        const Words all[] = {
            [&](session::LaunchIndex launch) {
                return fmt::format("{} B dynamic shared memory", session.launch(launch).dynamicSharedBytes);
            },
            [&](session::LaunchIndex launch) {
                const session::Device* device = session.deviceOf(launch);
                return fmt::format("device {}",
                                   device != nullptr ? device->id : session.launch(launch).device);
            }};
        for (const Words& words : all)
            tellApart(diagnosis, rows, words, qualifiers);
    }
    return qualifiers;
}

} // namespace dormer::view
