// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/utf8.h"

namespace dormer::base {

namespace {

/// Bytes of the sequence that begins with `lead`; 0 when none does.
std::size_t sequenceLength(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead <= 0xdf) return 2;
    if (lead >= 0xe0 && lead <= 0xef) return 3;
    if (lead >= 0xf0 && lead <= 0xf4) return 4;
    return 0;
}

bool isSequence(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 1; i < text.size(); ++i) {
        if ((byte(i) & 0xc0) != 0x80) return false;
    }
    // Overlong forms, surrogates and what lies past U+10FFFF differ in the second byte.
    switch (byte(0)) {
    case 0xe0:
        return byte(1) >= 0xa0;
    case 0xed:
        return byte(1) <= 0x9f;
    case 0xf0:
        return byte(1) >= 0x90;
    case 0xf4:
        return byte(1) <= 0x8f;
    default:
        return true;
    }
}

} // namespace

std::size_t validUtf8Prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequenceLength(static_cast<unsigned char>(text[at]));
        if (length == 0 || at + length > text.size() || !isSequence(text.substr(at, length))) break;
        at += length;
    }
    return at;
}

std::string withValidUtf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t valid = validUtf8Prefix(text);
        result += text.substr(0, valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        result += "\xef\xbf\xbd";
        text.remove_prefix(1);
    }
    return result;
}

} // namespace dormer::base
