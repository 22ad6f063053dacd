// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_text.h"
#include "analysis/source/source_words.h"

#include <algorithm>

// What a source text declares: values, constants, shared arrays, parameters and their types.
namespace dormer::source {

std::optional<ValueDeclaration> SourceText::declarationAt(std::size_t name, std::size_t nameEnd) const {
    const std::string_view text = m_text;
    const std::size_t before = lastVisibleBefore(text, name);
    if (before == kNone || before + 1 == name) return std::nullopt;
    bool typed = text[before] == '>' || text[before] == '&';
    if (text[before] == '*') { // float* x, not *x
        const std::size_t type = text.find_last_not_of("* \n\t", before);
        typed = type != kNone && (isWord(text[type]) || text[type] == '>') &&
                lastWord(text.substr(0, type + 1)) != "return";
    }
    if (isWord(text[before])) {
        const std::string type = lastWord(text.substr(0, before + 1));
        typed = type != "return" && type != "else" && type != "case";
    } else if (text[before] == ',') { // int x = 1, y = 2
        const std::size_t begin = text.find_last_of(";{}(", before);
        const std::size_t assign = text.find('=', begin == kNone ? 0 : begin);
        const std::size_t last = assign < before ? lastVisibleBefore(text, assign) : kNone;
        if (last != kNone && isWord(text[last])) {
            const std::size_t size = lastWord(text.substr(0, last + 1)).size();
            const std::size_t first = last + 1 - size;
            typed = first < name && declarationAt(first, last + 1).has_value();
        }
    }
    if (!typed) return std::nullopt;
    const std::size_t assign = nextVisible(text, nameEnd, text.size());
    if (assign + 1 >= text.size() || text[assign] != '=' || text[assign + 1] == '=') return std::nullopt;
    const std::size_t end = endOfValue(text, assign + 1, text.size());
    const std::size_t statement = text.find_last_of(";{}(", before);
    const bool loop =
        statement != kNone && text[statement] == '(' && lastWord(text.substr(0, statement)) == "for";
    return ValueDeclaration{trimmed(between(assign + 1, end)), lineOf(name), loop};
}

std::optional<ValueDeclaration> SourceText::localValue(const Function& function, std::string_view name,
                                                       std::uint32_t beforeLine) const {
    const std::size_t limit = beforeLine < m_starts.size() ? m_starts[beforeLine] : m_text.size();
    std::optional<ValueDeclaration> last;
    for (std::size_t at = findWord(m_text, name, function.body, std::min(limit, function.end)); at != kNone;
         at = findWord(m_text, name, at + name.size(), std::min(limit, function.end))) {
        if (auto declared = declarationAt(at, at + name.size())) {
            last = std::move(declared);
            continue;
        }
        const std::size_t after = nextVisible(m_text, at + name.size(), function.end);
        const bool assigned = after + 1 < function.end && m_text[after] == '=' && m_text[after + 1] != '=';
        if (assigned && last && lineOf(at) < beforeLine) last.reset();
    }
    return last;
}

std::optional<std::string> SourceText::constant(const std::string& name) const {
    const auto [known, isNew] = m_constants.try_emplace(name);
    if (isNew) known->second = findConstant(name);
    return known->second;
}

std::optional<std::string> SourceText::findConstant(std::string_view name) const {
    std::optional<std::string> value;
    for (std::size_t at = findWord(m_text, name, 0, m_text.size()); at != kNone;
         at = findWord(m_text, name, at + name.size(), m_text.size())) {
        const std::string_view head = between(m_starts[lineOf(at) - 1], at);
        std::string found;
        if (trimmed(head) == "#define") {
            const std::size_t end = std::min(m_text.find('\n', at), m_text.size());
            found = trimmed(between(at + name.size(), end));
        } else if (findWord(head, "constexpr", 0, head.size()) != kNone ||
                   findWord(head, "const", 0, head.size()) != kNone) {
            if (const auto declared = declarationAt(at, at + name.size())) found = declared->value;
        } else if (const std::size_t brace = m_text.find_last_of("{;", at);
                   brace != kNone && m_text[brace] == '{') {
            const std::size_t statement = m_text.find_last_of(";{}", brace == 0 ? 0 : brace - 1);
            const std::size_t from = statement == kNone ? 0 : statement + 1;
            const std::size_t assign = nextVisible(m_text, at + name.size(), m_text.size());
            if (findWord(m_text, "enum", from, brace) != kNone && assign < m_text.size() &&
                m_text[assign] == '=')
                found = trimmed(between(assign + 1, endOfValue(m_text, assign + 1, m_text.size())));
        }
        if (found.empty()) continue;
        if (value && *value != found) return std::nullopt;
        value = std::move(found);
    }
    return value;
}

std::optional<SharedArray> SourceText::sharedArray(const Function& function, std::string_view name) const {
    constexpr std::string_view kShared = "__shared__";
    for (std::size_t at = findWord(m_text, kShared, function.body, function.end); at != kNone;
         at = findWord(m_text, kShared, at + kShared.size(), function.end)) {
        const std::size_t end = std::min(m_text.find(';', at), function.end);
        std::string type;
        for (const std::string& declarator : splitAtCommas(between(at + kShared.size(), end))) {
            const std::size_t bracket = declarator.find('[');
            if (bracket == kNone) continue;
            const std::string declared = lastWord(std::string_view(declarator).substr(0, bracket));
            if (type.empty())
                type = trimmed(std::string_view(declarator).substr(0, declarator.rfind(declared, bracket)));
            if (declared != name) continue;
            SharedArray array{type, {}, lineOf(at)};
            for (std::size_t open = bracket; open < declarator.size() && declarator[open] == '[';) {
                const std::size_t close = closing(declarator, open, declarator.size());
                if (close == kNone) break;
                array.dimensions.push_back(
                    trimmed(std::string_view(declarator).substr(open + 1, close - open - 1)));
                open = nextVisible(declarator, close + 1, declarator.size());
            }
            return array;
        }
    }
    return std::nullopt;
}

bool SourceText::isArrayElsewhere(const Function& function, std::string_view name) const {
    if (sharedArray(function, name)) return true;
    const std::string_view text = m_text;
    const auto isArray = [&](std::size_t at) {
        const std::size_t open = nextVisible(text, at + name.size(), text.size());
        return open < text.size() && text[open] == '[';
    };
    for (std::size_t at = findWord(text, name, function.body, function.end); at != kNone;
         at = findWord(text, name, at + name.size(), function.end)) {
        const std::size_t begin = text.find_last_of(";{}", at) + 1;
        const std::string before = trimmed(between(begin, at));
        if (!isArray(at) || before.empty() || before.find_first_of("(=*&") != std::string::npos) continue;
        const std::string type = before.substr(0, before.find(','));
        const std::string word = lastWord(type);
        // "float" of `float name[4]`, "a[2]" of `float a[2], name[4]`; not `return name[i]`.
        if (word == "return" || word == "else" || (!isWord(before.back()) && before.back() != ',')) continue;
        if (before.back() != ',' || trimmed(type).find(' ') != std::string::npos) return true;
    }
    for (std::size_t at = findWord(text, "__constant__", 0, text.size()); at != kNone;
         at = findWord(text, "__constant__", at + 1, text.size())) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        const std::size_t named = findWord(text, name, at, end);
        if (named != kNone && isArray(named)) return true;
    }
    return false;
}

std::string SourceText::elementType(const Function& function, std::string_view name) const {
    for (const std::string& each :
         splitAtCommas(between(function.begin + 1, closing(m_text, function.begin, function.body)))) {
        const std::size_t star = each.find('*');
        if (star == kNone || lastWord(each) != name) continue;
        return lastWord(std::string_view(each).substr(0, star));
    }
    return {};
}

bool SourceText::declaresStructure(std::string_view name) const {
    for (std::size_t at = findWord(m_text, name, 0, m_text.size()); at != kNone;
         at = findWord(m_text, name, at + name.size(), m_text.size()))
        if (lastWord(std::string_view(m_text).substr(0, at)) == "struct") return true;
    return false;
}

bool SourceText::isParameter(const Function& function, std::string_view name, bool view) const {
    for (const std::string& each :
         splitAtCommas(between(function.begin + 1, closing(m_text, function.begin, function.body)))) {
        if (lastWord(each) != name) continue;
        if (!view) return true;
        return trimmed(std::string_view(each).substr(0, each.size() - name.size())).ends_with('>');
    }
    return false;
}

} // namespace dormer::source
