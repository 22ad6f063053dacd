// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/workload_course.h"

#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>

namespace dormer::cli {

namespace {

using instrument::launch::WorkloadInfo;
using Variants = std::span<const instrument::launch::WorkloadInfo>;

constexpr std::size_t kColumns = 100;
/// Longer names push their text to the next line.
constexpr std::size_t kMostNameColumns = 36;

/// Words from column `indent` on, lines broken before kColumns; the first line is begun already.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string out;
    std::size_t column = indent;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        const std::string word = text.substr(from, end - from);
        from = end + 1;
        if (word.empty()) continue;
        if (column > indent && column + 1 + word.size() > kColumns) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
        }
        if (column > indent) out += ' ';
        out += word;
        column += word.size() + (column > indent ? 1 : 0);
    }
    return out + '\n';
}

/// One line of the list: a variant, or the points of a sweep.
struct Entry {
    std::string name, text;
};

std::vector<std::string> commonParameters(Variants variants) {
    std::vector<std::string> common = variants.front().parameters;
    for (const instrument::launch::WorkloadInfo& variant : variants)
        std::erase_if(common, [&](const std::string& parameter) {
            return std::ranges::find(variant.parameters, parameter) == variant.parameters.end();
        });
    return common;
}

Entry entryOf(const instrument::launch::WorkloadInfo& variant) {
    return {variant.path(), variant.shows + (variant.wrongByDesign ? " [wrong by design]" : "")};
}

/// A number with what may follow it in a sentence: "1024:".
std::optional<std::pair<std::int64_t, std::string>> numberIn(const std::string& word) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{}) return std::nullopt;
    std::string rest(end, word.data() + word.size());
    if (rest.find_first_not_of(".,:;)") != std::string::npos) return std::nullopt;
    return std::pair(number, std::move(rest));
}

/// "offset=0 … 32, block=128, 256" of parameters that differ between the points.
std::string rangeText(Variants points) {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> values;
    for (const instrument::launch::WorkloadInfo& point : points)
        for (const std::string& parameter : point.parameters) {
            const auto equals = parameter.find('=');
            if (equals == std::string::npos) continue;
            const std::string name = parameter.substr(0, equals), value = parameter.substr(equals + 1);
            auto known = std::ranges::find(names, name);
            if (known == names.end()) {
                names.push_back(name);
                values.emplace_back();
                known = names.end() - 1;
            }
            auto& seen = values[static_cast<std::size_t>(known - names.begin())];
            if (std::ranges::find(seen, value) == seen.end()) seen.push_back(value);
        }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (values[i].size() < 2) continue;
        if (std::ranges::all_of(values[i],
                                [](const std::string& value) { return numberIn(value).has_value(); }))
            std::ranges::sort(values[i], {}, [](const std::string& value) { return numberIn(value)->first; });
        text += fmt::format("{}{}=", text.empty() ? "" : "; ", names[i]);
        text += values[i].size() <= 5 ? fmt::format("{}", fmt::join(values[i], ", "))
                                      : fmt::format("{} … {}", values[i].front(), values[i].back());
    }
    return text;
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

/// A word of all points: itself where it is the same, "4 … 32" where it is a number; else nothing.
std::optional<std::string> rangeOf(const std::vector<std::string>& words) {
    if (std::ranges::all_of(words, [&](const std::string& word) { return word == words.front(); }))
        return words.front();
    std::vector<std::int64_t> numbers;
    const auto first = numberIn(words.front());
    for (const std::string& word : words) {
        const auto number = numberIn(word);
        if (!number || number->second != first->second) return std::nullopt;
        numbers.push_back(number->first);
    }
    const auto [least, most] = std::ranges::minmax(numbers);
    return fmt::format("{} … {}{}", least, most, first->second);
}

/// What the points show, in one sentence: word by word where they differ in numbers alone, else the first's.
std::string sentenceOf(Variants points) {
    std::vector<std::vector<std::string>> sentences;
    for (const instrument::launch::WorkloadInfo& point : points)
        sentences.push_back(wordsOf(point.shows));
    const std::size_t length = sentences.front().size();
    const std::string example = "for one, " + points.front().shows;
    if (!std::ranges::all_of(sentences, [&](const auto& words) { return words.size() == length; }))
        return example;
    std::vector<std::string> merged;
    for (std::size_t word = 0; word < length; ++word) {
        std::vector<std::string> column;
        for (const auto& sentence : sentences)
            column.push_back(sentence[word]);
        auto range = rangeOf(column);
        if (!range) return example;
        merged.push_back(std::move(*range));
    }
    return fmt::format("{}", fmt::join(merged, " "));
}

Entry entryOf(Variants points) {
    return {
        fmt::format("{}/{} … {}", points.front().family, points.front().variant, points.back().variant),
        fmt::format("{} ({} points of a sweep, {})", sentenceOf(points), points.size(), rangeText(points))};
}

std::string familyText(Variants variants) {
    const instrument::launch::WorkloadInfo& first = variants.front();
    std::string out = first.family + (first.title.empty() ? "" : ": " + first.title) + '\n';
    if (!first.familyShows.empty()) out += "  " + wrapped(first.familyShows, 2);
    const std::vector<std::string> common = commonParameters(variants);
    if (!common.empty()) out += fmt::format("  all with {}\n", fmt::join(common, ", "));

    std::vector<Entry> entries;
    std::set<std::string> told; // sweeps
    for (const instrument::launch::WorkloadInfo& variant : variants) {
        if (variant.sweep.empty()) {
            entries.push_back(entryOf(variant));
            continue;
        }
        if (!told.insert(variant.sweep).second) continue;
        std::vector<instrument::launch::WorkloadInfo> points;
        std::ranges::copy_if(
            variants, std::back_inserter(points),
            [&](const instrument::launch::WorkloadInfo& other) { return other.sweep == variant.sweep; });
        entries.push_back(points.size() > 1 ? entryOf(Variants(points)) : entryOf(variant));
    }
    std::size_t width = 0;
    for (const Entry& entry : entries)
        if (const auto columns = view::displayWidth(entry.name); columns <= kMostNameColumns)
            width = std::max(width, columns);
    for (const Entry& entry : entries) {
        const std::size_t columns = view::displayWidth(entry.name);
        out += "    " + entry.name;
        out += columns > width ? '\n' + std::string(width + 6, ' ') : std::string(width - columns + 2, ' ');
        out += wrapped(entry.text, width + 6);
    }
    return out;
}

} // namespace

std::string courseText(const std::vector<instrument::launch::WorkloadInfo>& workloads) {
    std::string out;
    std::size_t families = 0;
    for (std::size_t from = 0; from < workloads.size();) {
        std::size_t end = from;
        while (end < workloads.size() && workloads[end].family == workloads[from].family)
            ++end;
        out += '\n' + familyText(Variants(workloads).subspan(from, end - from));
        from = end;
        ++families;
    }
    return fmt::format(
               "{} workloads in {} {}. 'dormer run FAMILY' runs a family, 'dormer run "
               "FAMILY/VARIANT'\n(or a quoted glob: 'access/offset*') some of it, and --sweep compares the "
               "points of a sweep.\n",
               workloads.size(), families, families == 1 ? "family" : "families") +
           out;
}

} // namespace dormer::cli
