// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding_catalogue.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

// What tests check of a sentence: its numbers and the code it quotes. tests/data/golden/prose.txt pins the
// words.

namespace dormer::tests {

using Numbers = std::vector<double>;

/// Numbers of a sentence, in order. Digits of a word ("L2", "H100", "FP64") are none.
inline Numbers numbersIn(std::string_view text) {
    const auto isDigit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    Numbers numbers;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isDigit(at)) continue;
        std::size_t end = at;
        while (isDigit(end) || (end < text.size() && text[end] == '.' && isDigit(end + 1)))
            ++end;
        const bool ofWord = at > 0 && (std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0 ||
                                       text[at - 1] == '_' || text[at - 1] == '`');
        if (!ofWord) numbers.push_back(std::stod(std::string(text.substr(at, end - at))));
        at = end;
    }
    return numbers;
}

/// Any of the sentences has just these numbers.
inline bool anyHasNumbers(const std::vector<std::string>& sentences, const Numbers& numbers) {
    return std::ranges::any_of(sentences,
                               [&](const std::string& each) { return numbersIn(each) == numbers; });
}

/// Advice of a kind of finding; a finding's own may end with how to get source lines.
inline std::string adviceOf(findings::FindingKind kind) {
    return std::string(findings::findingCatalogue()[static_cast<std::size_t>(kind)].advice);
}

} // namespace dormer::tests
