// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/instance_names.h"

#include "analysis/session/names/name_walker.h"
#include "analysis/session/session.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace dormer::session {

namespace {

using Texts = std::vector<std::string_view>;
/// Argument lists, one for each kernel.
using Lists = std::vector<Texts>;
using Positions = std::vector<std::size_t>;

/// How deep arguments of arguments are compared, and how long they may make a name. Beyond that a number is
/// easier to read, and tables would cut the difference off.
constexpr int kMostDepth = 3;
constexpr std::size_t kMostBytes = 48;
/// Pairs of more arguments are not tried.
constexpr std::size_t kMostPaired = 24;
constexpr std::string_view kLeftOut = "…";

/// Packs differ in length.
std::string_view argumentAt(const Texts& list, std::size_t position) {
    return position < list.size() ? list[position] : std::string_view();
}

std::size_t distinctBy(const Lists& lists, const Positions& positions) {
    std::set<Texts> seen;
    for (const Texts& list : lists) {
        Texts key;
        for (const std::size_t position : positions)
            key.push_back(argumentAt(list, position));
        seen.insert(std::move(key));
    }
    return seen.size();
}

/// The fewest of `candidates` that tell all lists apart, the first ones if there are several such sets;
/// nothing where none do.
std::optional<Positions> fewestOf(const Positions& candidates, const Lists& lists) {
    const auto tells = [&](const Positions& positions) {
        return distinctBy(lists, positions) == lists.size();
    };
    for (const std::size_t position : candidates)
        if (tells({position})) return Positions{position};
    if (candidates.size() <= kMostPaired)
        for (std::size_t second = 1; second < candidates.size(); ++second)
            for (std::size_t first = 0; first < second; ++first)
                if (Positions pair{candidates[first], candidates[second]}; tells(pair)) return pair;
    // All of them, without those that are not needed, the last ones first.
    Positions all = candidates;
    if (!tells(all)) return std::nullopt;
    for (std::size_t i = all.size(); i-- > 0;) {
        Positions fewer = all;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (tells(fewer)) all = std::move(fewer);
    }
    return all;
}

/// Ascending positions that tell all lists apart. Types made of others often follow from plain arguments, so
/// those are tried by themselves first.
std::optional<Positions> tellingPositions(const Lists& lists) {
    std::size_t most = 0;
    for (const Texts& list : lists)
        most = std::max(most, list.size());
    Positions plain, all;
    for (std::size_t i = 0; i < most; ++i) {
        if (distinctBy(lists, {i}) == 1) continue;
        all.push_back(i);
        if (std::ranges::none_of(lists, [i](const Texts& list) { return argumentAt(list, i).contains('<'); }))
            plain.push_back(i);
    }
    const auto found = fewestOf(plain, lists);
    return found ? found : fewestOf(all, lists);
}

/// "(int)4" without its type, "a::Policy<int, 4>::Type const*" as "Type const*", "a::Node<b>" as "Node".
std::string plainArgument(std::string_view text) {
    if (text.starts_with('(')) {
        const std::string_view rest = text.substr(NameWalker::bracketLength(text));
        if (!rest.empty() &&
            (std::isdigit(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == '-'))
            return std::string(rest);
    }
    std::string plain;
    std::size_t word = 0; // where the qualified name at hand begins in `plain`
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '<' || text.substr(at).starts_with("(anonymous namespace)")) {
            at += NameWalker::bracketLength(text.substr(at));
        } else if (text.substr(at).starts_with("::")) {
            plain.resize(word);
            at += 2;
        } else {
            plain += c;
            ++at;
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') word = plain.size();
        }
    }
    return plain;
}

/// The template arguments of a type, all its lists one after the other.
Texts argumentsOf(std::string_view type) {
    Texts all;
    for (std::size_t at = type.find('<'); at < type.size(); at = type.find('<', at)) {
        const std::size_t length = NameWalker::bracketLength(type.substr(at));
        for (const std::string_view each : NameWalker::split(type.substr(at, length)))
            all.push_back(each);
        at += length;
    }
    return all;
}

std::vector<std::string> tellApart(const Texts& texts, int depth);

/// "<float, …>": of each list the arguments that tell it apart from the others. Nothing where none do.
std::optional<std::vector<std::string>> listTexts(const Lists& lists, char open, char close, int depth) {
    const std::optional<Positions> positions = tellingPositions(lists);
    if (!positions || positions->empty()) return std::nullopt;
    std::vector<std::string> texts(lists.size(), std::string(1, open));
    std::size_t next = 0; // position behind the last that is shown
    for (const std::size_t position : *positions) {
        Texts arguments;
        for (const Texts& list : lists)
            arguments.push_back(argumentAt(list, position));
        const std::vector<std::string> shown = tellApart(arguments, depth);
        for (std::size_t i = 0; i < lists.size(); ++i) {
            const bool leftOut = position > next && lists[i].size() > next;
            if (leftOut) texts[i].append(texts[i].size() > 1 ? ", " : "").append(kLeftOut);
            if (position < lists[i].size()) texts[i] += (texts[i].size() > 1 ? ", " : "") + shown[i];
        }
        next = position + 1;
    }
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (lists[i].size() > next) texts[i].append(texts[i].size() > 1 ? ", " : "").append(kLeftOut);
        texts[i] += close;
    }
    return texts;
}

/// Short texts of arguments; different ones of different arguments, equal ones of equal.
std::vector<std::string> tellApart(const Texts& texts, int depth) {
    std::map<std::string, Texts> alike; // the different texts that are plainly the same
    std::vector<std::string> result;
    for (const std::string_view text : texts) {
        Texts& all = alike[result.emplace_back(plainArgument(text))];
        if (std::ranges::find(all, text) == all.end()) all.push_back(text);
    }
    for (const auto& [plain, whole] : alike) {
        if (whole.size() == 1) continue;
        Lists lists;
        for (const std::string_view each : whole)
            lists.push_back(argumentsOf(each));
        const auto more = depth > 0 ? listTexts(lists, '<', '>', depth - 1) : std::nullopt;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto which = std::ranges::find(whole, texts[i]) - whole.begin();
            if (which == std::ssize(whole)) continue;
            result[i] += more ? (*more)[static_cast<std::size_t>(which)] : " #" + std::to_string(which + 1);
        }
    }
    return result;
}

/// What is put behind the name that all of these kernels share.
std::vector<std::string> suffixes(const Texts& names) {
    Lists templates, parameters;
    for (const std::string_view name : names) {
        NameWalker walker(name);
        static_cast<void>(walker.parts());
        Texts& all = templates.emplace_back();
        for (const std::string_view list : walker.templateLists())
            for (const std::string_view each : NameWalker::split(list))
                all.push_back(each);
        parameters.push_back(NameWalker::split(walker.parameters()));
    }
    auto found = listTexts(templates, '<', '>', kMostDepth);
    if (!found) found = listTexts(parameters, '(', ')', kMostDepth);
    const auto tooLong = [](const std::string& text) { return text.size() > kMostBytes; };
    if (found && std::ranges::none_of(*found, tooLong)) return std::move(*found);
    std::vector<std::string> numbers;
    for (std::size_t i = 1; i <= names.size(); ++i)
        numbers.push_back(" #" + std::to_string(i));
    return numbers;
}

/// A name without brackets is only shortened at its ends (library_names.h), and is whole what tells it apart.
bool isIdentifier(std::string_view name) {
    return !name.empty() && name.find_first_of("<([{ ") == std::string_view::npos;
}

} // namespace

std::vector<std::string> instanceNames(std::span<const std::string_view> names) {
    std::vector<std::string> result;
    std::map<std::string, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < names.size(); ++i)
        alike[result.emplace_back(shortKernelName(names[i]))].push_back(i);
    for (const auto& [shared, indices] : alike) {
        if (indices.size() == 1) continue;
        Texts whole;
        for (const std::size_t i : indices)
            whole.push_back(names[i]);
        if (std::ranges::all_of(whole, isIdentifier) &&
            whole.size() == std::set(whole.begin(), whole.end()).size()) {
            for (const std::size_t i : indices)
                result[i] = names[i];
            continue;
        }
        const std::vector<std::string> telling = suffixes(whole);
        // A name that says its operation ends in a list already.
        const std::string_view between = shared.ends_with('>') && telling.front().starts_with('<') ? " " : "";
        for (std::size_t i = 0; i < indices.size(); ++i)
            result[indices[i]].append(between).append(telling[i]);
    }
    return result;
}

} // namespace dormer::session
