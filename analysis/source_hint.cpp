// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <vector>

namespace dormer::analysis {

namespace {

/// An index is computed near its use, and a tile declared at the head of its kernel.
constexpr std::uint32_t kNear = 60;
/// Longer lines are generated; std::regex recurses with the length of what it matches.
constexpr std::size_t kMaxLine = 500;

/// The text's lines without what follows `//`, so that comments don't count.
class Lines {
public:
    explicit Lines(std::string_view source) {
        for (std::size_t begin = 0; begin <= source.size();) {
            const std::size_t end = std::min(source.find('\n', begin), source.size());
            std::string_view line = source.substr(begin, end - begin);
            line = line.substr(0, std::min(line.find("//"), kMaxLine));
            m_lines.emplace_back(line);
            begin = end + 1;
        }
    }
    /// Counted from 1; empty where there is none.
    [[nodiscard]] const std::string& at(std::uint32_t line) const {
        static const std::string kNone;
        return line >= 1 && line <= m_lines.size() ? m_lines[line - 1] : kNone;
    }

private:
    std::vector<std::string> m_lines;
};

/// One `[...]` with what stands before it: "tile", "ty + 1".
struct Subscript {
    std::string array, index;
};

/// The subscripts of a line, outermost brackets only: `a[b[i]]` gives a's and then b's.
std::vector<Subscript> subscriptsOf(const std::string& line) {
    std::vector<Subscript> found;
    for (std::size_t open = line.find('['); open != std::string::npos; open = line.find('[', open + 1)) {
        std::size_t close = open + 1;
        for (int depth = 1; close < line.size(); ++close) {
            depth += line[close] == '[' ? 1 : line[close] == ']' ? -1 : 0;
            if (depth == 0) break;
        }
        if (close >= line.size()) break;
        std::size_t begin = open;
        // tile[y][x]: the second subscript is of the same array.
        while (begin > 0 && line[begin - 1] == ']') {
            const std::size_t previous = line.rfind('[', begin - 1);
            if (previous == std::string::npos) break;
            begin = previous;
        }
        const std::size_t end = begin;
        while (begin > 0 &&
               (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == '_'))
            --begin;
        if (begin < end)
            found.push_back({line.substr(begin, end - begin), line.substr(open + 1, close - open - 1)});
    }
    return found;
}

std::vector<std::string> identifiersIn(const std::string& text) {
    static const std::regex kIdentifier(R"([A-Za-z_]\w*)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), kIdentifier), end; at != end; ++at)
        names.push_back(at->str());
    return names;
}

std::string trimmed(std::string text) {
    const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
    text.erase(text.begin(), std::ranges::find_if_not(text, blank));
    while (!text.empty() && blank(static_cast<unsigned char>(text.back())))
        text.pop_back();
    return text;
}

/// One more than an extent: "32" -> "33", "kTile + kPadding" -> "kTile + kPadding + 1".
std::string oneMore(const std::string& extent) {
    int number = 0;
    const auto parsed = std::from_chars(extent.data(), extent.data() + extent.size(), number);
    if (parsed.ec == std::errc{} && parsed.ptr == extent.data() + extent.size())
        return std::to_string(number + 1);
    return extent + " + 1";
}

/// What a name was last set to above a line, and where.
struct Definition {
    std::string value;
    std::uint32_t line = 0;
};
std::optional<Definition> definitionOf(const Lines& lines, const std::string& name, std::uint32_t above) {
    // `name = value;` but no comparison and no compound assignment.
    const std::regex set("\\b" + name + R"(\s*=(?!=)\s*([^;]*);)");
    for (std::uint32_t line = above; line >= 1 && above - line <= kNear; --line) {
        std::smatch match;
        if (std::regex_search(lines.at(line), match, set)) return Definition{trimmed(match[1]), line};
    }
    return std::nullopt;
}

bool multipliesThread(const std::string& text, std::string& factor) {
    static const std::regex kAfter(R"(threadIdx\.x\s*\*\s*([A-Za-z_][\w.]*|\d+))");
    static const std::regex kBefore(R"(([A-Za-z_][\w.]*|\d+)\s*\*\s*threadIdx\.x)");
    std::smatch match;
    if (!std::regex_search(text, match, kAfter) && !std::regex_search(text, match, kBefore)) return false;
    factor = match[1];
    return factor != "1";
}

std::string strideAdvice(const std::string& factor, const std::string& index, std::uint32_t line) {
    if (factor == "gridDim.x" && index.find("blockIdx.x") != std::string::npos)
        return fmt::format(
            "swap the roles of blockIdx.x and threadIdx.x at line {}: blockIdx.x * blockDim.x + "
            "threadIdx.x instead of {}",
            line, index);
    return fmt::format(
        "threadIdx.x is multiplied by {} at line {}: let it step by 1, and another index by {}", factor, line,
        factor);
}

} // namespace

std::string paddingHint(std::string_view source, std::uint32_t line) {
    const Lines lines(source);
    for (const Subscript& use : subscriptsOf(lines.at(line))) {
        const std::regex declared(R"(__shared__[^;=]*\b)" + use.array + R"(\s*((\[[^\]]*\])+))");
        for (std::uint32_t at = line; at >= 1 && line - at <= kNear; --at) {
            std::smatch match;
            if (!std::regex_search(lines.at(at), match, declared)) continue;
            const std::string extents = match[1];
            const std::size_t last = extents.rfind('[');
            if (last == 0) return {}; // one row: padding does nothing for it
            const std::string extent = trimmed(extents.substr(last + 1, extents.size() - last - 2));
            return fmt::format("pad {}{} to {}{}[{}] (line {})", use.array, extents, use.array,
                               extents.substr(0, last), oneMore(extent), at);
        }
    }
    return {};
}

std::string strideHint(std::string_view source, std::uint32_t line) {
    const Lines lines(source);
    std::string factor;
    for (const Subscript& use : subscriptsOf(lines.at(line))) {
        if (multipliesThread(use.index, factor)) return strideAdvice(factor, trimmed(use.index), line);
        for (const std::string& name : identifiersIn(use.index)) {
            const auto definition = definitionOf(lines, name, line);
            if (definition && multipliesThread(definition->value, factor))
                return strideAdvice(factor, definition->value, definition->line);
        }
    }
    return {};
}

std::string offsetHint(std::string_view source, std::uint32_t line) {
    static const std::regex kOffset(R"(^\s*[A-Za-z_]\w*\s*[+-]\s*(\d+)\s*$)");
    const Lines lines(source);
    for (const Subscript& use : subscriptsOf(lines.at(line))) {
        std::smatch match;
        if (!std::regex_match(use.index, match, kOffset)) continue;
        const std::string count = match[1];
        return fmt::format("the index {} begins {} element{} off, at line {}", trimmed(use.index), count,
                           count == "1" ? "" : "s", line);
    }
    return {};
}

} // namespace dormer::analysis
