// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/text.h"

#include "analysis/base/utf8.h"

namespace dormer::view {

namespace {

constexpr std::string_view kEllipsis = "…";

/// C0, C1, direction overrides and isolates, and what XML 1.0 forbids.
bool isHarmful(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

/// Bytes at the front of clean text that fill at most `width` columns.
std::size_t bytesOfColumns(std::string_view text, std::size_t width) {
    std::string_view rest = text;
    std::size_t used = 0;
    while (!rest.empty()) {
        std::string_view after = rest;
        used += base::displayWidth(base::takeCharacter(after));
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
        const char32_t c = base::takeCharacter(text);
        if (c == '\n' || c == '\r' || c == '\t')
            out.push_back(' ');
        else
            base::appendCharacter(out, isHarmful(c) ? base::kReplacement : c);
    }
    return out;
}

std::size_t displayWidth(std::string_view text) {
    return base::displayWidth(text);
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
