// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/name_walker.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace dormer::session {

namespace {

bool isIdentifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Symbol of "operator<<" and the like, the longest first; it must not be taken for brackets.
std::size_t operatorSymbolLength(std::string_view text) {
    constexpr std::array<std::string_view, 42> kSymbols{
        "<<=", ">>=", "<=>", "->*", "...", "()", "[]", "<<", ">>", "->", "<=", ">=", "==",   "!=",
        "&&",  "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",    ">",
        "+",   "-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",  ",",  "\"\"", "@"};
    for (const std::string_view symbol : kSymbols) {
        if (text.starts_with(symbol)) return symbol.size();
    }
    return 0;
}

thread_local std::size_t g_steps = 0;

void close(std::string& open, char bracket) {
    std::size_t at = open.size();
    while (at > 0 && open[at - 1] == '<')
        --at;
    g_steps += open.size() - at;
    open.resize(at > 0 && open[at - 1] == bracket ? at - 1 : at);
}

} // namespace

std::vector<std::string> NameWalker::parts() {
    while (m_at < m_text.size() && step()) {
    }
    endPart();
    g_steps += m_at;
    return std::move(m_parts);
}

/// False where the qualified name ends.
bool NameWalker::step() {
    const char c = m_text[m_at];
    if (m_text.substr(m_at).starts_with("::")) {
        endPart();
        m_at += 2;
        return true;
    }
    if (c == ')' || c == ']' || c == '}' || c == '>') return false; // closes nothing: a broken name
    if (c == ' ') return space();
    if (c == '(') return parenthesis();
    if (c == '<') {
        // A part that begins with a bracket is how some demanglers write the unnamed namespace.
        const bool unnamed = m_part.empty();
        const std::string_view list = skipBrackets();
        if (!unnamed) m_templateLists.push_back(list);
        return true;
    }
    if (c == '{' || c == '[') {
        const std::string_view inside = skipBrackets();
        if (!inside.substr(1).starts_with("lambda")) return c == '{';
        const std::size_t number = inside.find_last_of('#');
        m_part = number == std::string_view::npos
                     ? "{lambda}"
                     : "{lambda" + std::string(inside.substr(number, inside.size() - 1 - number)) + "}";
        return true;
    }
    if (m_part.empty() && takeOperator()) return true;
    if (c == '*' || c == '&') { // of a return type
        m_part.clear();
        ++m_at;
        return true;
    }
    m_part += c;
    ++m_at;
    return true;
}

/// What came before a blank was a return type or a keyword, unless a bracket follows.
bool NameWalker::space() {
    while (m_at < m_text.size() && m_text[m_at] == ' ')
        ++m_at;
    if (m_at == m_text.size()) return false;
    const char next = m_text[m_at];
    if (m_part.starts_with("operator") || (next == '(' && !isAnonymousNamespace())) return true;
    if (next == '[' && !m_text.substr(m_at).starts_with("[lambda")) return false; // "[clone .part.0]"
    m_parts.clear();
    m_templateLists.clear();
    m_part.clear();
    return true;
}

/// A parameter list ends the name, unless what it belongs to encloses the function.
bool NameWalker::parenthesis() {
    const bool ofType = m_part == "decltype";
    const std::string_view list = skipBrackets();
    if (ofType) {
        m_part.clear();
        return true;
    }
    std::string_view rest = m_text.substr(m_at);
    if (rest.starts_with(" const::")) m_at += 6;
    if (m_text.substr(m_at).starts_with("::")) return true;
    m_parameters = list;
    return false;
}

bool NameWalker::takeOperator() {
    constexpr std::string_view kWord = "operator";
    const std::string_view rest = m_text.substr(m_at);
    if (!rest.starts_with(kWord) || (rest.size() > kWord.size() && isIdentifier(rest[kWord.size()])))
        return false;
    m_part = kWord;
    m_at += kWord.size();
    const std::string_view symbol =
        m_text.substr(std::min(m_text.size(), m_text.find_first_not_of(' ', m_at)));
    if (const std::size_t length = operatorSymbolLength(symbol); length > 0) {
        m_part += symbol.substr(0, length);
        m_at = static_cast<std::size_t>(symbol.data() - m_text.data()) + length;
    } else {
        m_part += ' '; // a conversion: the type's name follows
        m_at = std::min(m_text.size(), m_text.find_first_not_of(' ', m_at));
    }
    return true;
}

/// Steps over a bracket and all it encloses, and returns that. A '>' that closes nothing is an operator
/// within parentheses; an unclosed '<' within them is one, too.
std::string_view NameWalker::skipBrackets() {
    const std::size_t begin = m_at;
    std::string open;
    do {
        const char c = m_text[m_at];
        switch (c) {
        case '(':
        case '[':
        case '{':
        case '<':
            open += c;
            break;
        case ')':
            close(open, '(');
            break;
        case ']':
            close(open, '[');
            break;
        case '}':
            close(open, '{');
            break;
        case '>':
            if (open.back() == '<' && m_text[m_at - 1] != '-') open.pop_back();
            break;
        case 'o':
            if (!isIdentifier(m_text[m_at - 1]) && skipOperator()) continue;
            break;
        default:
            break;
        }
        ++m_at;
    } while (!open.empty() && m_at < m_text.size());
    g_steps += m_at - begin;
    return m_text.substr(begin, m_at - begin);
}

bool NameWalker::skipOperator() {
    constexpr std::string_view kWord = "operator";
    if (!m_text.substr(m_at).starts_with(kWord)) return false;
    const std::size_t length = operatorSymbolLength(m_text.substr(m_at + kWord.size()));
    if (length == 0) return false;
    m_at += kWord.size() + length;
    return true;
}

void NameWalker::endPart() {
    if (m_part.ends_with(' ')) m_part.pop_back();
    const bool unnamed =
        m_part.empty() || m_part.starts_with("_GLOBAL__N_") || m_part.starts_with("_INTERNAL_");
    if (!unnamed) m_parts.push_back(std::move(m_part));
    m_part.clear();
}

std::size_t NameWalker::bracketLength(std::string_view text) {
    return NameWalker(text).skipBrackets().size();
}

std::vector<std::string_view> NameWalker::split(std::string_view list) {
    std::vector<std::string_view> all;
    if (list.size() < 2) return all;
    const std::string_view inside = list.substr(1, list.size() - 2);
    g_steps += inside.size();
    const auto add = [&](std::string_view one) {
        const std::size_t begin = std::min(one.find_first_not_of(' '), one.size());
        all.push_back(one.substr(begin, one.find_last_not_of(' ') + 1 - begin));
    };
    std::size_t begin = 0;
    for (std::size_t at = 0; at < inside.size();) {
        if (std::string_view("(<[{").contains(inside[at])) {
            at += bracketLength(inside.substr(at));
        } else if (inside[at] == '\'' && at + 2 < inside.size() && inside[at + 2] == '\'') {
            at += 3; // a character as some demanglers write it
        } else {
            if (inside[at] == ',') {
                add(inside.substr(begin, at - begin));
                begin = at + 1;
            }
            ++at;
        }
    }
    if (begin < inside.size()) add(inside.substr(begin));
    return all;
}

std::size_t NameWalker::stepsTaken() {
    return g_steps;
}

} // namespace dormer::session
