// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/source/source_hint.h"

#include "analysis/source/source_text.h"

#include <fmt/format.h>

#include <cctype>

namespace dormer::source {

std::vector<std::string> doubleLiterals(std::string_view line) {
    const std::string text = withoutComments(line);
    const auto isDigit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    const auto isWord = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const bool starts = isDigit(at) || (text[at] == '.' && isDigit(at + 1));
        if (!starts) {
            ++at;
            while (at > 0 && isWord(at - 1) && isWord(at)) // the rest of a name
                ++at;
            continue;
        }
        const std::size_t begin = at;
        const bool hex =
            text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
        bool fraction = false;
        while (at < text.size() && (isWord(at) || text[at] == '.' ||
                                    ((text[at] == '+' || text[at] == '-') && !hex &&
                                     (text[at - 1] == 'e' || text[at - 1] == 'E')))) {
            fraction = fraction || text[at] == '.' || (!hex && (text[at] == 'e' || text[at] == 'E'));
            ++at;
        }
        const std::string literal = text.substr(begin, at - begin);
        const char last = literal.back();
        if (!hex && fraction && last != 'f' && last != 'F' && last != 'l' && last != 'L')
            found.push_back(literal);
    }
    return found;
}

std::string doubleLiteralChange(const session::Session& session, const std::string& file,
                                std::uint32_t line) {
    const std::string* text = session.sourceText(file);
    if (text == nullptr || line == 0) return {};
    std::size_t begin = 0;
    for (std::uint32_t at = 1; at < line; ++at) {
        begin = text->find('\n', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    const auto literals =
        doubleLiterals(std::string_view(*text).substr(begin, text->find('\n', begin) - begin));
    if (literals.empty()) return {};
    std::string change = "write ";
    for (std::size_t i = 0; i < literals.size(); ++i)
        change += fmt::format("{}`{}f`", i > 0 ? ", " : "", literals[i]);
    return change +
           fmt::format(" here: without the f suffix {} a double, and so is everything computed with it",
                       literals.size() == 1 ? "it is" : "each is");
}

} // namespace dormer::source
