// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/markup_check.h"

#include <cctype>
#include <vector>

namespace dormer::tests {

namespace {

bool isEntity(std::string_view rest) {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#10;"})
        if (rest.starts_with(known)) return true;
    return false;
}

bool isName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == ':' || c == '_';
}

} // namespace

std::string malformed(std::string_view markup) {
    std::vector<std::string_view> open;
    std::size_t at = 0;
    const auto wrong = [&](std::string_view what) {
        return std::string(what) + " near: " + std::string(markup.substr(at > 60 ? at - 60 : 0, 120));
    };
    while (at < markup.size()) {
        if (markup[at] == '&' && !isEntity(markup.substr(at))) return wrong("bare &");
        if (static_cast<unsigned char>(markup[at]) < 0x20 && markup[at] != '\n')
            return wrong("control character");
        if (markup[at] != '<') {
            ++at;
            continue;
        }
        const bool closing = at + 1 < markup.size() && markup[at + 1] == '/';
        std::size_t end = at + 1 + closing;
        const std::size_t nameStart = end;
        while (end < markup.size() && isName(markup[end]))
            ++end;
        const std::string_view name = markup.substr(nameStart, end - nameStart);
        if (name.empty()) return wrong("bare <");
        bool selfClosed = false;
        while (end < markup.size() && markup[end] != '>') {
            if (markup[end] == '"') { // a quoted value: no < in it, entities only
                const std::size_t close = markup.find('"', end + 1);
                if (close == std::string_view::npos) return wrong("open quote");
                for (std::size_t i = end + 1; i < close; ++i)
                    if (markup[i] == '<' || (markup[i] == '&' && !isEntity(markup.substr(i))))
                        return wrong("unescaped attribute");
                if (markup[end - 1] != '=') return wrong("quote without =");
                end = close;
            } else if (markup[end] == '=' && markup[end + 1] != '"') {
                return wrong("unquoted attribute");
            }
            selfClosed = markup[end] == '/';
            ++end;
        }
        if (end >= markup.size()) return wrong("open tag");
        if (closing) {
            if (open.empty() || open.back() != name) return wrong("unbalanced </" + std::string(name) + ">");
            open.pop_back();
        } else if (name == "style" || name == "script") {
            end = markup.find("</" + std::string(name), end);
            if (end == std::string_view::npos) return wrong("open style");
            end = markup.find('>', end);
        } else if (!selfClosed) {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? std::string() : "never closed: " + std::string(open.back());
}

std::size_t occurrences(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + what.size()))
        ++count;
    return count;
}

} // namespace dormer::tests
