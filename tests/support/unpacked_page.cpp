// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/unpacked_page.h"

#include <zlib.h>

#include <stdexcept>
#include <string_view>

namespace dormer::tests {

namespace {

std::string decoded(std::string_view base64) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0;
    int held = 0;
    for (const char c : base64.substr(0, base64.find('='))) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) throw std::runtime_error("not base64");
        bits = bits << 6 | static_cast<unsigned>(digit);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>(bits >> held & 0xff);
    }
    return out;
}

std::string inflated(const std::string& bytes) {
    z_stream stream = {};
    if (inflateInit(&stream) != Z_OK) throw std::runtime_error("zlib");
    std::string in = bytes, out;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    int status = Z_OK;
    while (status == Z_OK) {
        char part[1 << 16];
        stream.next_out = reinterpret_cast<Bytef*>(part);
        stream.avail_out = sizeof part;
        status = inflate(&stream, Z_NO_FLUSH);
        out.append(part, sizeof part - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("a packed part is broken");
    return out;
}

} // namespace

std::string unpackedPage(const std::string& html) {
    constexpr std::string_view kBegin = "<script type=\"application/x-deflate\"", kEnd = "</script>";
    std::string out;
    std::size_t at = 0;
    for (std::size_t begin = html.find(kBegin); begin != std::string::npos; begin = html.find(kBegin, at)) {
        out.append(html, at, begin - at);
        const std::size_t text = html.find('>', begin) + 1, end = html.find(kEnd, text);
        const std::string part = inflated(decoded(std::string_view(html).substr(text, end - text)));
        if (!part.starts_with('{')) out += part;
        at = end + kEnd.size();
    }
    return out.append(html, at, std::string::npos);
}

} // namespace dormer::tests
