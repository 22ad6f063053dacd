// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/group_qualifiers.h"

#include "analysis/metrics/format.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace dormer::view {

namespace {

using Rows = std::vector<std::size_t>;
using Words = std::function<std::string(session::LaunchIndex)>;

constexpr std::size_t kMostColumns = 60;

/// What stands between `open` and the bracket that closes it, after `from`; with both. Empty without.
std::string bracketed(std::string_view name, std::size_t from, char open, char close) {
    if (from >= name.size() || name[from] != open) return {};
    std::size_t depth = 0;
    for (std::size_t at = from; at < name.size(); ++at) {
        if (name[at] == open) ++depth;
        if (name[at] == close && --depth == 0) return std::string(name.substr(from, at + 1 - from));
    }
    return {};
}

/// "<int2>" and "(int2*, int)" of "void copy<int2>(int2*, int)".
struct NameParts {
    std::string arguments, parameters;
};

NameParts partsOf(const session::Kernel& kernel) {
    const std::string_view name = kernel.name;
    const std::string shortName = session::shortKernelName(name);
    const std::size_t begin = name.find(shortName);
    if (shortName.empty() || begin == std::string_view::npos) return {};
    NameParts parts;
    const std::size_t end = begin + shortName.size();
    parts.arguments = bracketed(name, end, '<', '>');
    parts.parameters = bracketed(name, end + parts.arguments.size(), '(', ')');
    return parts;
}

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
                if (!added.empty())
                    qualifiers[row] += (text.empty() ? "" : ", ") + truncateMiddle(added, kMostColumns);
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
            [&](session::LaunchIndex launch) { return partsOf(session.kernelOf(launch)).arguments; },
            [&](session::LaunchIndex launch) { return partsOf(session.kernelOf(launch)).parameters; },
            [&](session::LaunchIndex launch) {
                return fmt::format("{} B dynamic shared memory", session.launch(launch).dynamicSharedBytes);
            },
            [&](session::LaunchIndex launch) {
                return fmt::format("device {}", session.launch(launch).device);
            }};
        for (const Words& words : all)
            tellApart(diagnosis, rows, words, qualifiers);
    }
    return qualifiers;
}

} // namespace dormer::view
