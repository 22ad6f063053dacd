// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/shell_words.h"

#include <fmt/format.h>

namespace dormer::instrument::request {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kOperators = "|&;<>()"; // XCU 2.2: end a word unless quoted
constexpr std::string_view kExpansions = "$`";
constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";

bool isIn(std::string_view set, char c) {
    return set.find(c) != std::string_view::npos;
}

std::unexpected<Error> needsShell(char c) {
    return failure(ErrorKind::Usage,
                   fmt::format("'{}' is for a shell, and none is run: quote it, or use sh -c '...'", c));
}

} // namespace

Result<std::vector<std::string>> shellWords(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote == '\'') {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\\') {
            if (i + 1 == line.size())
                return failure(ErrorKind::Usage, "the line ends in a backslash that quotes nothing");
            const char next = line[++i];
            // Within "...", it quotes only what would mean something there.
            if (quote == '"' && !isIn("$`\"\\\n", next)) word += c;
            if (next != '\n') word += next;
            inWord = inWord || next != '\n';
        } else if (isIn(kExpansions, c)) {
            return needsShell(c);
        } else if (quote == '"') {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            inWord = true;
        } else if (isIn(kBlanks, c)) {
            if (inWord) words.push_back(std::move(word));
            word.clear();
            inWord = false;
        } else if (isIn(kOperators, c) || (c == '~' && !inWord)) {
            return needsShell(c);
        } else {
            word += c;
            inWord = true;
        }
    }
    if (quote != 0) return failure(ErrorKind::Usage, fmt::format("the quote {} never ends", quote));
    if (inWord) words.push_back(std::move(word));
    return words;
}

std::string shellQuoted(const std::string& word) {
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace dormer::instrument::request
