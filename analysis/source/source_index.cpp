// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_index.h"

#include "analysis/source/source_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dormer::source {

namespace {

/// Names within names deeper than that are no plain index.
constexpr int kMostNames = 12;
constexpr int kMostNamesInAll = 64;
constexpr std::size_t kLongest = 2000;

bool isBuiltin(std::string_view name) {
    for (const std::string_view each : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
        if (name.size() == each.size() + 2 && name.starts_with(each) && name[each.size()] == '.' &&
            name.back() >= 'x' && name.back() <= 'z')
            return true;
    return false;
}

bool isIntegerType(std::string_view name) {
    static constexpr std::string_view kTypes[] = {
        "int",      "unsigned", "size_t",   "std::size_t",   "long",           "short",         "int32_t",
        "uint32_t", "int64_t",  "uint64_t", "std::uint32_t", "std::ptrdiff_t", "std::uint64_t", "ptrdiff_t"};
    return std::ranges::find(kTypes, name) != std::end(kTypes);
}

class Resolver {
public:
    Resolver(const IndexScope& scope, std::int64_t unknownValue, std::int64_t loopStep)
        : m_scope(scope), m_unknownValue(unknownValue), m_loopStep(loopStep) {}

    /// `line`: where the text stands.
    std::optional<std::string> expand(std::string_view text, std::uint32_t line, int depth) {
        if (depth > kMostNames || text.size() > kLongest) return std::nullopt;
        std::string expanded;
        for (std::size_t at = 0; at < text.size();) {
            if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
                const std::size_t begin = at;
                while (at < text.size() && (isWord(text[at]) || text[at] == '.' || text[at] == '\''))
                    ++at;
                std::string number(text.substr(begin, at - begin));
                std::erase(number, '\'');
                expanded += number; // what is no whole number is refused when it is parsed
                continue;
            }
            if (!isWord(text[at])) {
                if (dropCast(text, at)) continue;
                if (std::string_view("\"[]{}=").find(text[at]) != std::string_view::npos &&
                    !isComparison(text, at))
                    return std::nullopt;
                expanded += text[at++];
                continue;
            }
            if (!expandName(text, at, line, depth, expanded)) return std::nullopt;
        }
        return expanded.size() > kLongest ? std::nullopt : std::optional(expanded);
    }

    ResolvedIndex result;

private:
    static bool isComparison(std::string_view text, std::size_t at) {
        return text[at] == '=' &&
               ((at > 0 && std::string_view("=!<>").find(text[at - 1]) != std::string_view::npos) ||
                (at + 1 < text.size() && text[at + 1] == '='));
    }
    /// "(int)": skipped.
    static bool dropCast(std::string_view text, std::size_t& at) {
        if (text[at] != '(') return false;
        const std::size_t close = text.find(')', at);
        if (close == std::string_view::npos || !isIntegerType(text.substr(at + 1, close - at - 1)))
            return false;
        at = close + 1;
        return true;
    }

    bool expandName(std::string_view text, std::size_t& at, std::uint32_t line, int depth, std::string& out) {
        const std::size_t begin = at;
        while (at < text.size() && (isWord(text[at]) || text[at] == '.' || text.substr(at, 2) == "::" ||
                                    (at > begin && text.substr(at - 1, 2) == "::")))
            ++at;
        const std::string name(text.substr(begin, at - begin));
        if (isBuiltin(name)) {
            if (name.starts_with("threadIdx") && depth > 0 && result.threadLine == 0)
                result.threadLine = line;
            out += name;
            return true;
        }
        std::size_t next = at;
        while (next < text.size() && text[next] == ' ')
            ++next;
        const char follows = next < text.size() ? text[next] : '\0';
        if (name == "static_cast" && follows == '<') return afterCast(text, at);
        if (isIntegerType(name) && (follows == '(' || follows == '{')) {
            const std::size_t close = text.find(follows == '(' ? ')' : '}', next);
            if (close == std::string_view::npos) return false;
            const auto inner = expand(text.substr(next + 1, close - next - 1), line, depth + 1);
            if (!inner) return false;
            out += "(" + *inner + ")";
            at = close + 1;
            return true;
        }
        if (follows == '(' || follows == '[' || follows == '{' || text.substr(next, 2) == "->") return false;
        return addValue(name, line, depth, out);
    }

    static bool afterCast(std::string_view text, std::size_t& at) {
        const std::size_t close = text.find('>', at);
        if (close == std::string_view::npos || close + 1 >= text.size() || text[close + 1] != '(')
            return false;
        at = close + 1; // what follows is in brackets
        return true;
    }

    bool addValue(const std::string& name, std::uint32_t line, int depth, std::string& out) {
        if (--m_namesLeft < 0) return false;
        if (const auto argument = m_scope.templateArguments.find(name);
            argument != m_scope.templateArguments.end()) {
            out += argument->second;
            return true;
        }
        if (const auto local = m_scope.source.localValue(m_scope.function, name, line)) {
            const auto value = expand(local->value, local->line, depth + 1);
            if (!value) return false;
            if (local->loop) {
                result.loops.insert(name);
                out += fmt::format("({} + {})", *value, m_loopStep);
            } else {
                out += "(" + *value + ")";
            }
            return true;
        }
        const std::string object = name.substr(0, name.find('.'));
        if (m_scope.function.kernel && m_scope.source.isParameter(m_scope.function, object)) {
            result.unknown.insert(name);
            out += fmt::format("({})", m_unknownValue);
            return true;
        }
        const auto constant = m_scope.source.constant(name);
        if (!constant) return false;
        const auto value = expand(*constant, line, depth + 1);
        if (!value) return false;
        out += "(" + *value + ")";
        return true;
    }

    const IndexScope& m_scope;
    std::int64_t m_unknownValue, m_loopStep;
    int m_namesLeft = kMostNamesInAll; ///< names that stand for each other could go on for ever
};

} // namespace

std::optional<ResolvedIndex> resolveIndex(const IndexScope& scope, const std::string& text,
                                          std::int64_t unknownValue, std::int64_t loopStep) {
    Resolver resolver(scope, unknownValue, loopStep);
    const auto expanded = resolver.expand(text, scope.line, 0);
    if (!expanded) return std::nullopt;
    auto parsed = access::IndexExpression::parse(*expanded);
    if (!parsed) return std::nullopt;
    resolver.result.expression = std::move(*parsed);
    return std::move(resolver.result);
}

std::optional<std::int64_t> constantValue(const IndexScope& scope, const std::string& text) {
    const auto low = resolveIndex(scope, text);
    if (!low || !low->unknown.empty() || !low->loops.empty()) return std::nullopt;
    access::IndexValues zeros{}, ones{};
    ones.fill(1);
    const auto value = low->expression.evaluate(zeros);
    const auto other = low->expression.evaluate(ones);
    if (!value || !other || *value != *other) return std::nullopt;
    return *value;
}

std::map<std::string, std::string> templateArgumentsOf(std::string_view kernelName,
                                                       const SourceText::Function& function) {
    std::map<std::string, std::string> result;
    const std::string opening = function.name + "<";
    std::size_t at = kernelName.find(opening);
    if (at == std::string_view::npos) return result;
    at += opening.size();
    std::size_t begin = at;
    std::size_t parameter = 0;
    int depth = 0;
    for (; at < kernelName.size() && parameter < function.templateParameters.size(); ++at) {
        const char c = kernelName[at];
        const bool ends = depth == 0 && (c == ',' || c == '>');
        if (!ends) {
            if (c == '<' || c == '(') ++depth;
            if (c == '>' || c == ')') --depth;
            continue;
        }
        std::string_view argument = kernelName.substr(begin, at - begin);
        while (argument.starts_with(' '))
            argument.remove_prefix(1);
        // "(int)32", "32u"
        if (const std::size_t cast = argument.rfind(')'); argument.starts_with('('))
            argument.remove_prefix(cast + 1);
        while (!argument.empty() && std::toupper(static_cast<unsigned char>(argument.back())) >= 'L' &&
               std::isalpha(static_cast<unsigned char>(argument.back())) != 0)
            argument.remove_suffix(1);
        if (!argument.empty() &&
            std::ranges::all_of(argument, [](unsigned char digit) { return std::isdigit(digit) != 0; }))
            result.emplace(function.templateParameters[parameter], argument);
        ++parameter;
        begin = at + 1;
        if (c == '>') break;
    }
    return result;
}

std::optional<LaneElements> elementsOf(const access::IndexExpression& index, session::Dim3 block,
                                       session::Dim3 grid, unsigned warp, session::Dim3 blockIndex) {
    LaneElements lanes;
    access::IndexValues values{};
    const auto set = [&](access::IndexName name, std::uint64_t value) {
        values[static_cast<std::size_t>(name)] = static_cast<std::int64_t>(value);
    };
    set(access::IndexName::BidX, blockIndex.x);
    set(access::IndexName::BidY, blockIndex.y);
    set(access::IndexName::BidZ, blockIndex.z);
    set(access::IndexName::BdimX, block.x);
    set(access::IndexName::BdimY, block.y);
    set(access::IndexName::BdimZ, block.z);
    set(access::IndexName::GdimX, grid.x);
    set(access::IndexName::GdimY, grid.y);
    set(access::IndexName::GdimZ, grid.z);
    if (block.x == 0 || block.y == 0) return std::nullopt;
    for (unsigned lane = 0; lane < access::kWarpLanes; ++lane) {
        const std::uint64_t thread = std::uint64_t{warp} * access::kWarpLanes + lane;
        if (thread >= block.count()) break;
        set(access::IndexName::TidX, thread % block.x);
        set(access::IndexName::TidY, thread / block.x % block.y);
        set(access::IndexName::TidZ, thread / block.x / block.y);
        const auto element = index.evaluate(values);
        if (!element) return std::nullopt;
        lanes.element[lane] = *element;
        lanes.mask |= 1U << lane;
    }
    if (lanes.mask == 0) return std::nullopt;
    return lanes;
}

} // namespace dormer::source
