// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/linker/rewriting.h"

#include "instrument/emulator/ptx/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dormer::emulator::ptx::linker {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Bytes of the comment or string at the begin of the text; 0 if there is none.
std::size_t quotedLength(std::string_view text) {
    const auto behind = [&](std::size_t found, std::size_t length) {
        return found == std::string_view::npos ? text.size() : found + length;
    };
    if (text.starts_with("//")) return behind(text.find('\n'), 0);
    if (text.starts_with("/*")) return behind(text.find("*/", 2), 2);
    if (text.starts_with('"')) return behind(text.find('"', 1), 1);
    return 0;
}

} // namespace

void rewrite(std::string_view text, const Rewriting& how, std::string& out) {
    bool fileIsNext = false; // behind .file, .loc and inlined_at
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (const std::size_t quoted = quotedLength(rest); quoted > 0) {
            out += rest.substr(0, quoted);
            at += quoted;
            continue;
        }
        if (!isWordCharacter(rest.front())) {
            out += rest.front();
            ++at;
            continue;
        }
        const std::size_t length =
            std::min(rest.size(), static_cast<std::size_t>(std::ranges::find_if_not(rest, isWordCharacter) -
                                                           rest.begin()));
        const std::string_view word = rest.substr(0, length);
        const bool isDirective = at > 0 && text[at - 1] == '.';
        if (fileIsNext && isDigit(word.front())) {
            std::uint32_t number = 0;
            std::from_chars(word.data(), word.data() + word.size(), number);
            out += fmt::format("{}", number + how.firstFile);
        } else if (const auto renamed = how.names.find(word); !isDirective && renamed != how.names.end()) {
            out += renamed->second;
        } else {
            out += word;
        }
        fileIsNext = isDirective ? word == "loc" || word == "file" : word == "inlined_at";
        at += length;
    }
}

} // namespace dormer::emulator::ptx::linker
