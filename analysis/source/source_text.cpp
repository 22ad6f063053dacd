// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_text.h"
#include "analysis/source/source_words.h"

#include <algorithm>

namespace dormer::source {

namespace {

/// Longer functions, or more brackets in one, are left alone: nobody wrote them, and they would take too
/// long.
constexpr std::size_t kLongestFunction = std::size_t{32} << 10;
constexpr std::size_t kMostSubscripts = 64;
constexpr int kMostBrackets = 2000;

} // namespace

std::string withoutComments(std::string_view text) {
    std::string result(text);
    const auto blank = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (result[i] != '\n') result[i] = ' ';
    };
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("//") || rest.starts_with("/*")) {
            const bool toLineEnd = rest[1] == '/';
            const std::size_t close = text.find(toLineEnd ? "\n" : "*/", i + 2);
            const std::size_t end = close == kNone ? text.size() : close + (toLineEnd ? 0 : 2);
            blank(i, end);
            i = end;
        } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isWord(text[i - 1])))) { // not 1'000
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end, text.size());
            blank(i + 1, end);
            i = end + 1;
        } else {
            ++i;
        }
    }
    return result;
}

SourceText::SourceText(std::string_view text) : m_original(text), m_text(withoutComments(text)) {
    m_starts.push_back(0);
    for (std::size_t i = 0; i < m_text.size(); ++i)
        if (m_text[i] == '\n') m_starts.push_back(i + 1);
}

std::uint32_t SourceText::lineOf(std::size_t offset) const {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(m_starts, offset) - m_starts.begin());
}

std::string_view SourceText::between(std::size_t begin, std::size_t end) const {
    return std::string_view(m_text).substr(begin, end - begin);
}

std::string SourceText::lineText(std::uint32_t line) const {
    if (line == 0 || line > m_starts.size()) return {};
    const std::size_t begin = m_starts[line - 1];
    const std::size_t end = line < m_starts.size() ? m_starts[line] : m_original.size();
    return trimmed(std::string_view(m_original).substr(begin, end - begin));
}

std::optional<SourceText::Function> SourceText::functionAt(std::uint32_t line) const {
    if (line == 0 || line > m_starts.size()) return std::nullopt;
    const std::string_view text = m_text;
    const std::size_t target = m_starts[line - 1];
    const std::size_t targetEnd = line < m_starts.size() ? m_starts[line] : text.size();
    std::size_t attribute = kNone;
    for (const std::string_view word : {"__global__", "__device__"})
        if (const std::size_t at = text.rfind(word, targetEnd); at != kNone && at < targetEnd)
            attribute = attribute == kNone ? at : std::max(attribute, at);
    if (attribute == kNone) return std::nullopt;
    // Up to the parameters: attributes may have brackets of their own.
    std::size_t open = text.find('(', attribute);
    while (open != kNone) {
        const std::string name = lastWord(text.substr(attribute, open - attribute));
        if (name != "__launch_bounds__" && name != "alignas" && name != "__align__" && !name.empty()) break;
        const std::size_t close = closing(text, open, text.size());
        open = close == kNone ? kNone : text.find('(', close);
    }
    if (open == kNone) return std::nullopt;
    const std::size_t close = closing(text, open, text.size());
    if (close == kNone) return std::nullopt;
    const std::size_t body = text.find_first_of("{;", close);
    if (body == kNone || text[body] == ';') return std::nullopt;
    const std::size_t end = closing(text, body, text.size());
    if (end == kNone || end < target || end - attribute > kLongestFunction) return std::nullopt;

    Function function{open, body,
                      end,  lastWord(text.substr(attribute, open - attribute)),
                      {},   text.substr(attribute).starts_with("__global__")};
    // `template <int kTile, class T>` right before the attributes.
    const std::size_t stop = text.find_last_of(";{}", attribute);
    const std::size_t templates = findWord(text, "template", stop == kNone ? 0 : stop, attribute);
    if (templates != kNone) {
        const std::size_t angle = nextVisible(text, templates + 8, attribute);
        const std::size_t last = text.rfind('>', attribute);
        if (angle < attribute && text[angle] == '<' && last != kNone && last > angle) {
            for (const std::string& each : splitAtCommas(text.substr(angle + 1, last - angle - 1)))
                function.templateParameters.push_back(lastWord(each.substr(0, each.find('='))));
        }
    }
    return function;
}

std::vector<Subscript> SourceText::subscriptsIn(const Function& function) const {
    std::vector<Subscript> found;
    const std::string_view text = m_text;
    int bracketsLeft = kMostBrackets;
    for (std::size_t at = function.body; at < function.end;) {
        if (!isWord(text[at]) || std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
            ++at;
            while (at < function.end && isWord(text[at - 1]) && isWord(text[at]))
                ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < function.end && isWord(text[at]))
            ++at;
        std::size_t open = nextVisible(text, at, function.end);
        if (open >= function.end || (text[open] != '[' && text[open] != '(')) continue;
        if (--bracketsLeft < 0 || found.size() == kMostSubscripts) return {};
        Subscript subscript{.name = std::string(text.substr(begin, at - begin)), .line = lineOf(begin)};
        subscript.call = text[open] == '(';
        const std::size_t before = lastVisibleBefore(text, begin);
        const bool isMember =
            before != kNone && (text[before] == '.' || text[before] == '>' || text[before] == ':');
        const bool isDeclared =
            before != kNone && isWord(text[before]) && lastWord(text.substr(0, before + 1)) != "return";
        if (isMember || isDeclared) continue; // a declaration, or of something that is not plain
        if (subscript.call && !isParameter(function, subscript.name, true)) continue;
        std::size_t end = open;
        while (open < function.end && text[open] == (subscript.call ? '(' : '[')) {
            const std::size_t close = closing(text, open, function.end);
            if (close == kNone) break;
            for (std::string& each : splitAtCommas(text.substr(open + 1, close - open - 1)))
                subscript.indices.push_back(std::move(each));
            end = close + 1;
            open = nextVisible(text, end, function.end);
            if (subscript.call) break;
        }
        if (subscript.indices.empty() || subscript.indices.size() > 2 ||
            (subscript.call && subscript.indices.size() != 2))
            continue;
        if (end < function.end && text[end] == '.') {
            std::size_t memberEnd = end + 1;
            while (memberEnd < function.end && isWord(text[memberEnd]))
                ++memberEnd;
            if (memberEnd < function.end && text[memberEnd] != '(') {
                subscript.member = text.substr(end + 1, memberEnd - end - 1);
                end = memberEnd;
            }
        }
        subscript.text = trimmed(std::string_view(m_original).substr(begin, end - begin));
        const std::string_view after = text.substr(nextVisible(text, end, function.end), 3);
        const bool assigns = after.starts_with('=') && !after.starts_with("==");
        const bool compound =
            after.size() > 1 && std::string_view("+-*/%&|^").find(after[0]) != kNone && after[1] == '=';
        const bool steps = after.starts_with("++") || after.starts_with("--") ||
                           (before != kNone && before > 0 &&
                            (text.substr(before - 1, 2) == "++" || text.substr(before - 1, 2) == "--"));
        subscript.written = assigns || compound || steps;
        subscript.read = !assigns;
        found.push_back(std::move(subscript));
        // Indices may have subscripts of their own.
    }
    return found;
}

bool SourceText::isUsedByElement(const Function& function, std::string_view name) const {
    const std::string_view text = m_text;
    for (std::size_t at = findWord(text, name, function.body, function.end); at != kNone;
         at = findWord(text, name, at + name.size(), function.end)) {
        const std::size_t open = nextVisible(text, at + name.size(), function.end);
        if (open >= function.end || text[open] != '[') return false;
        const std::size_t before = lastVisibleBefore(text, at);
        const std::size_t operand = before == kNone || before == 0 ? kNone : lastVisibleBefore(text, before);
        const bool binary = operand != kNone && (isWord(text[operand]) || text[operand] == ')' ||
                                                 text[operand] == ']' || text[operand] == '&');
        if (before != kNone && text[before] == '&' && !binary) return false;
    }
    return true;
}

std::optional<SourceText::PointerInto>
SourceText::pointerInto(const Function& function, std::string_view name, std::uint32_t beforeLine) const {
    const auto declared = localValue(function, name, beforeLine);
    if (!declared || declared->loop) return std::nullopt;
    // x += 4 and ++x move it.
    for (std::size_t at = findWord(m_text, name, function.body, function.end); at != kNone;
         at = findWord(m_text, name, at + name.size(), function.end)) {
        const std::size_t after = nextVisible(m_text, at + name.size(), function.end);
        const std::string_view follows = std::string_view(m_text).substr(after, 2);
        const std::string_view leads = at >= 2 ? std::string_view(m_text).substr(at - 2, 2) : "";
        if (follows == "+=" || follows == "-=" || follows == "++" || follows == "--" || leads == "++" ||
            leads == "--")
            return std::nullopt;
    }
    const std::string_view value = declared->value;
    if (value.starts_with('&')) {
        const std::size_t open = value.find('[');
        if (open == kNone || value.back() != ']' || closing(value, open, value.size()) != value.size() - 1)
            return std::nullopt;
        return PointerInto{trimmed(value.substr(1, open - 1)),
                           std::string(value.substr(open + 1, value.size() - open - 2))};
    }
    const std::size_t plus = value.find('+');
    if (plus == kNone) return std::nullopt;
    const std::string base = trimmed(value.substr(0, plus));
    if (base.empty() || !std::ranges::all_of(base, isWord) || !isParameter(function, base))
        return std::nullopt;
    return PointerInto{base, trimmed(value.substr(plus + 1))};
}

bool SourceText::carriesValues(const Function& function) const {
    const std::string_view text = m_text;
    int depth = 0;
    for (std::size_t at = function.body; at < function.end; ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')') --depth;
        if (text[at] != '=' || depth > 0 || text[at + 1] == '=' ||
            std::string_view("=!<>").find(text[at - 1]) != kNone)
            continue;
        std::size_t end = at;
        while (end > function.body && std::string_view("+-*/%&|^ ").find(text[end - 1]) != kNone)
            --end;
        if (!isWord(text[end - 1])) continue; // an element
        const std::size_t begin = end - lastWord(text.substr(0, end)).size();
        if (!declarationAt(begin, end)) return true;
    }
    return false;
}

namespace {

bool isWordAt(std::string_view text, std::size_t at, std::string_view word) {
    return at < text.size() && text.substr(at).starts_with(word) &&
           (at + word.size() == text.size() || !isWord(text[at + word.size()]));
}

/// Behind the statement that begins at `at`; kNone where it does not end.
std::size_t endOfStatement(std::string_view text, std::size_t at, std::size_t limit) {
    for (at = nextVisible(text, at, limit); at < limit;) {
        std::size_t skipped = kNone;
        if (text[at] == '#') { // a pragma
            skipped = text.find('\n', at);
        } else if (isWordAt(text, at, "for") || isWordAt(text, at, "while") || isWordAt(text, at, "if")) {
            const std::size_t open = text.find('(', at);
            skipped = open == kNone ? kNone : closing(text, open, limit);
        } else {
            const std::size_t end = text[at] == '{' ? closing(text, at, limit) : text.find(';', at);
            return end == kNone ? kNone : end + 1;
        }
        if (skipped == kNone) break;
        at = nextVisible(text, skipped + 1, limit);
    }
    return kNone;
}

} // namespace

std::string SourceText::pickedByRemainder(std::uint32_t line) const {
    if (line == 0 || line > m_starts.size()) return {};
    const std::size_t begin = m_starts[line - 1], limit = m_text.size();
    const std::size_t word = findWord(m_text, "if", begin, line < m_starts.size() ? m_starts[line] : limit);
    const std::size_t open = word == kNone ? kNone : m_text.find('(', word);
    const std::size_t close = open == kNone ? kNone : closing(m_text, open, limit);
    if (close == kNone) return {};
    const std::string_view condition = between(open + 1, close);
    const std::size_t remainder = condition.find('%'), equals = condition.find("==");
    if (remainder == kNone || equals == kNone || equals < remainder || condition.find("&&") != kNone ||
        condition.find("||") != kNone)
        return {};
    const std::size_t end = endOfStatement(m_text, close + 1, limit);
    if (end != kNone && isWordAt(m_text, nextVisible(m_text, end, limit), "else")) return {};
    return trimmed(condition.substr(0, remainder));
}

std::vector<std::uint32_t> SourceText::linesWith(const Function& function,
                                                 std::span<const std::string_view> words) const {
    std::vector<std::uint32_t> lines;
    for (const std::string_view word : words)
        for (std::size_t at = findWord(m_text, word, function.body, function.end); at != kNone;
             at = findWord(m_text, word, at + word.size(), function.end))
            lines.push_back(lineOf(at));
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

} // namespace dormer::source
