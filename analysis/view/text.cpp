// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/text.h"

#include <array>
#include <cstdint>

namespace dormer::view {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "…";

struct Range {
    char32_t first, last;
};

template <std::size_t N>
bool within(char32_t c, const std::array<Range, N>& ranges) {
    for (const Range& r : ranges)
        if (c >= r.first && c <= r.last) return true;
    return false;
}

bool isContinuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/// Takes one character off the front. Overlong forms, surrogates and values past U+10FFFF are broken: one
/// byte goes, and a replacement comes back.
char32_t takeCharacter(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const auto broken = [&] {
        text.remove_prefix(1);
        return kReplacement;
    };
    if (lead < 0x80) {
        text.remove_prefix(1);
        return lead;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return broken();
    char32_t c = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (!isContinuation(byte)) return broken();
        c = (c << 6) | (byte & 0x3Fu);
    }
    static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    if (c < kSmallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return broken();
    text.remove_prefix(length);
    return c;
}

void append(std::string& out, char32_t c) {
    const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6));
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | (c >> 18));
        put(0x80 | ((c >> 12) & 0x3F));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

/// C0, C1, direction overrides and isolates, and what XML 1.0 forbids.
bool isHarmful(char32_t c) {
    static constexpr std::array<Range, 7> kHarmful{{{0x00, 0x1F},
                                                    {0x7F, 0x9F},
                                                    {0x2028, 0x2029},
                                                    {0x202A, 0x202E},
                                                    {0x2066, 0x2069},
                                                    {0xFEFF, 0xFEFF},
                                                    {0xFFFE, 0xFFFF}}};
    return within(c, kHarmful);
}

/// Columns of a character, after Unicode's East Asian Width (the ranges that matter in practice).
std::size_t columns(char32_t c) {
    static constexpr std::array<Range, 4> kZero{
        {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}}};
    static constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0xA4CF},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFE30, 0xFE6F},
                                                 {0xFF00, 0xFF60},
                                                 {0x1F300, 0x1FAFF},
                                                 {0x20000, 0x3FFFD}}};
    if (c < 0x0300) return 1;
    if (within(c, kZero)) return 0;
    return within(c, kWide) ? 2 : 1;
}

/// Bytes at the front of clean text that fill at most `width` columns.
std::size_t bytesOfColumns(std::string_view text, std::size_t width) {
    std::string_view rest = text;
    std::size_t used = 0;
    while (!rest.empty()) {
        std::string_view after = rest;
        used += columns(takeCharacter(after));
        if (used > width) break;
        rest = after;
    }
    return text.size() - rest.size();
}

} // namespace

std::string cleanText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const char32_t c = takeCharacter(text);
        if (c == '\n' || c == '\r' || c == '\t')
            out.push_back(' ');
        else
            append(out, isHarmful(c) ? kReplacement : c);
    }
    return out;
}

std::size_t displayWidth(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty())
        width += columns(takeCharacter(text));
    return width;
}

std::string truncateMiddle(std::string_view text, std::size_t width) {
    // Names reach half a megabyte; what can't be shown needn't be decoded. Four bytes a column are the most
    // UTF-8 takes, combining marks aside.
    std::string clean;
    if (text.size() > 16 * (width + 1))
        clean = cleanText(text.substr(0, 8 * (width + 1))) +
                cleanText(text.substr(text.size() - 8 * (width + 1)));
    else
        clean = cleanText(text);
    const std::size_t total = displayWidth(clean);
    if (total <= width && clean.size() >= text.size() / 2) return clean;
    if (width == 0) return {};
    const std::size_t head = bytesOfColumns(clean, width / 2);
    // The tail is what remains after dropping columns from the front until it fits.
    const std::size_t tailColumns = width - 1 - displayWidth(std::string_view(clean).substr(0, head));
    std::size_t tail = bytesOfColumns(clean, total - tailColumns);
    while (displayWidth(std::string_view(clean).substr(tail)) > tailColumns)
        tail += bytesOfColumns(std::string_view(clean).substr(tail), 2);
    return clean.substr(0, head).append(kEllipsis).append(clean, tail);
}

std::string escapeMarkdown(std::string_view text) {
    constexpr std::string_view kSpecial = "\\`*_{}[]<>#|~&";
    std::string out;
    for (const char c : cleanText(text)) {
        if (kSpecial.find(c) != std::string_view::npos) out.push_back('\\');
        out.push_back(c);
    }
    return out;
}

std::string escapeMarkup(std::string_view text) {
    const std::string clean = cleanText(text);
    std::string out;
    out.reserve(clean.size() + clean.size() / 8);
    for (const char c : clean) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out.push_back(c);
        }
    }
    return out;
}

} // namespace dormer::view
