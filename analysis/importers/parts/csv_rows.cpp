// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/csv_rows.h"

#include "analysis/base/utf8.h"

namespace dormer::importers {

namespace {

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
    const auto unitAt = [&](std::size_t i) {
        const auto first = static_cast<unsigned char>(bytes[i]);
        const auto second = static_cast<unsigned char>(bytes[i + 1]);
        return static_cast<char32_t>(bigEndian ? first << 8 | second : second << 8 | first);
    };
    std::string text;
    text.reserve(bytes.size() / 2);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t c = unitAt(i);
        if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size() && (unitAt(i + 2) & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((c - 0xD800) << 10) + (unitAt(i + 2) - 0xDC00);
            i += 2;
        } else if (c >= 0xD800 && c < 0xE000) {
            c = base::kReplacement;
        }
        base::appendCharacter(text, c);
    }
    return text;
}

} // namespace

std::string textOf(std::string bytes) {
    const std::string_view all = bytes;
    if (all.starts_with("\xFF\xFE")) return fromUtf16(all.substr(2), false);
    if (all.starts_with("\xFE\xFF")) return fromUtf16(all.substr(2), true);
    if (all.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    return base::withValidUtf8(bytes);
}

std::optional<std::string_view> CsvReader::peekLine() const {
    if (m_rest.empty()) return std::nullopt;
    std::string_view line = m_rest.substr(0, m_rest.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void CsvReader::skipLine() {
    const std::size_t end = m_rest.find('\n');
    m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
}

std::optional<std::vector<std::string>> CsvReader::readRecord(char delimiter) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    std::size_t i = 0;
    for (; i < m_rest.size(); ++i) {
        const char c = m_rest[i];
        if (quoted) {
            if (c != '"') {
                fields.back() += c;
            } else if (i + 1 < m_rest.size() && m_rest[i + 1] == '"') {
                fields.back() += '"';
                ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"' && fields.back().empty()) {
            quoted = true;
        } else if (c == delimiter) {
            fields.emplace_back();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    m_rest.remove_prefix(i < m_rest.size() ? i + 1 : m_rest.size());
    if (quoted) return std::nullopt;
    return fields;
}

} // namespace dormer::importers
