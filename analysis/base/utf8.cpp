// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace dormer::base {

namespace {

bool isAscii(char byte) {
    return static_cast<unsigned char>(byte) < 0x80;
}

} // namespace

char32_t takeCharacter(std::string_view& text) {
    if (isAscii(text.front())) { // nearly all
        const auto character = static_cast<char32_t>(text.front());
        text.remove_prefix(1);
        return character;
    }
    std::array<utf8proc_uint8_t, 4> bytes{};
    const std::size_t count = std::min(text.size(), bytes.size());
    std::copy_n(text.begin(), count, bytes.begin());
    utf8proc_int32_t character = 0;
    const auto taken = utf8proc_iterate(bytes.data(), static_cast<utf8proc_ssize_t>(count), &character);
    text.remove_prefix(taken > 0 ? static_cast<std::size_t>(taken) : 1);
    return taken > 0 ? static_cast<char32_t>(character) : kReplacement;
}

void appendCharacter(std::string& text, char32_t character) {
    if (character < 0x80) {
        text.push_back(static_cast<char>(character));
        return;
    }
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes.data());
    text.append(bytes.begin(), bytes.begin() + count);
}

std::size_t validUtf8Prefix(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        std::string_view after = rest;
        // One that was written takes three bytes.
        if (takeCharacter(after) == kReplacement && rest.size() - after.size() == 1) break;
        rest = after;
    }
    return text.size() - rest.size();
}

std::string withValidUtf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty())
        appendCharacter(result, takeCharacter(text));
    return result;
}

std::size_t displayWidth(char32_t character) {
    if (character >= 0x20 && character < 0x7F) return 1;
    return static_cast<std::size_t>(
        std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(character))));
}

std::size_t displayWidth(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty())
        width += displayWidth(takeCharacter(text));
    return width;
}

} // namespace dormer::base
