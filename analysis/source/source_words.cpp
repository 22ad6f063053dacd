// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_words.h"

#include <cctype>

namespace dormer::source {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isBlank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return std::string(text);
}

std::size_t closing(std::string_view text, std::size_t open, std::size_t limit) {
    const char opens = text[open];
    const char closes = opens == '[' ? ']' : opens == '(' ? ')' : opens == '<' ? '>' : '}';
    int depth = 0;
    for (std::size_t i = open; i < limit; ++i) {
        if (text[i] == opens) ++depth;
        if (text[i] == closes && --depth == 0) return i;
    }
    return kNone;
}

std::size_t nextVisible(std::string_view text, std::size_t at, std::size_t limit) {
    while (at < limit && isBlank(text[at]))
        ++at;
    return at;
}

std::size_t findWord(std::string_view text, std::string_view word, std::size_t begin, std::size_t end) {
    for (std::size_t at = text.find(word, begin); at != kNone && at + word.size() <= end;
         at = text.find(word, at + 1)) {
        const bool startsHere = at == 0 || !isWord(text[at - 1]);
        const bool endsHere = at + word.size() == text.size() || !isWord(text[at + word.size()]);
        if (startsHere && endsHere) return at;
    }
    return kNone;
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && std::string_view("([{<").find(text[i]) != kNone) ++depth;
        if (i < text.size() && std::string_view(")]}>").find(text[i]) != kNone) --depth;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    return parts;
}

std::string lastWord(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && !isWord(text[end - 1]))
        --end;
    std::size_t begin = end;
    while (begin > 0 && isWord(text[begin - 1]))
        --begin;
    return std::string(text.substr(begin, end - begin));
}

std::size_t lastVisibleBefore(std::string_view text, std::size_t at) {
    while (at > 0 && isBlank(text[at - 1]))
        --at;
    return at == 0 ? kNone : at - 1;
}

std::size_t endOfValue(std::string_view text, std::size_t at, std::size_t limit) {
    int depth = 0;
    for (; at < limit; ++at) {
        const char c = text[at];
        if (c == ';' || (c == ',' && depth == 0)) return at;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth < 0) return at;
    }
    return limit;
}

} // namespace dormer::source
