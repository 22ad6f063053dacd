// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace dormer::emulator::ptx {
namespace {

enum Class : std::uint8_t { kOther = 0, kWord = 1, kSpace = 2, kStructure = 4 };

/// Megabytes go through here: one lookup per character.
constexpr auto kClasses = [] {
    std::array<std::uint8_t, 256> out{};
    for (char c = 'a'; c <= 'z'; ++c)
        out[static_cast<unsigned char>(c)] = kWord;
    for (char c = 'A'; c <= 'Z'; ++c)
        out[static_cast<unsigned char>(c)] = kWord;
    for (char c = '0'; c <= '9'; ++c)
        out[static_cast<unsigned char>(c)] = kWord;
    for (char c : {'_', '$', '%'})
        out[static_cast<unsigned char>(c)] = kWord;
    for (char c : {' ', '\t', '\r', '\n', '\f', '\v'})
        out[static_cast<unsigned char>(c)] = kSpace;
    for (char c : {'{', '}', '"', '/'})
        out[static_cast<unsigned char>(c)] = kStructure;
    return out;
}();

std::uint8_t classOf(char c) {
    return kClasses[static_cast<unsigned char>(c)];
}

} // namespace

bool isWordCharacter(char c) {
    return classOf(c) == kWord;
}

void Cursor::fail(std::string message) const {
    throw ParseFailure{m_line, std::move(message)};
}

void Cursor::failUnexpected(const char* expected) {
    if (atEnd()) fail(fmt::format("the text ends where {} should come", expected));
    const std::string_view found = tightWord();
    if (!found.empty()) fail(fmt::format("'{}' where {} should come", found.substr(0, 100), expected));
    const char c = tightPeek();
    if (c > ' ' && c < 0x7F) fail(fmt::format("'{}' where {} should come", c, expected));
    fail(fmt::format("the byte 0x{:02X} where {} should come", static_cast<unsigned char>(c), expected));
}

void Cursor::skipSpace() {
    while (m_at != m_end) {
        if (classOf(*m_at) == kSpace) {
            m_line += *m_at == '\n';
            ++m_at;
        } else if (*m_at == '/' && tightPeek(1) == '/') {
            const void* end = std::memchr(m_at, '\n', static_cast<std::size_t>(m_end - m_at));
            m_at = end != nullptr ? static_cast<const char*>(end) : m_end;
        } else if (*m_at == '/' && tightPeek(1) == '*') {
            const std::size_t end = rest().find("*/", 2);
            if (end == std::string_view::npos) fail("a comment is not closed");
            m_line += static_cast<std::uint32_t>(std::count(m_at, m_at + end, '\n'));
            m_at += end + 2;
        } else {
            return;
        }
    }
}

void Cursor::expect(char c) {
    if (accept(c)) return;
    const char expected[] = {'\'', c, '\'', '\0'};
    failUnexpected(expected);
}

std::string_view Cursor::tightWord() {
    const char* begin = m_at;
    while (m_at != m_end && classOf(*m_at) == kWord)
        ++m_at;
    return {begin, static_cast<std::size_t>(m_at - begin)};
}

std::string_view Cursor::word() {
    skipSpace();
    return tightWord();
}

std::string_view Cursor::name(const char* what) {
    const std::string_view found = word();
    if (found.empty()) failUnexpected(what);
    if (found[0] >= '0' && found[0] <= '9') fail(fmt::format("'{}' is not {}", found.substr(0, 100), what));
    return found;
}

std::string_view Cursor::directive() {
    if (!accept('.')) return {};
    const std::string_view found = tightWord();
    if (found.empty()) failUnexpected("the name of a directive");
    return found;
}

std::string_view Cursor::tightModifier() {
    const char* begin = m_at;
    while (m_at != m_end) {
        if (classOf(*m_at) == kWord)
            ++m_at;
        else if (*m_at == ':' && tightPeek(1) == ':')
            m_at += 2;
        else
            break;
    }
    return {begin, static_cast<std::size_t>(m_at - begin)};
}

std::string_view Cursor::quoted() {
    expect('"');
    const char* begin = m_at;
    while (m_at != m_end && *m_at != '"') {
        if (*m_at == '\n') fail("a string is not closed");
        if (*m_at == '\\' && tightPeek(1) != '\n' && tightPeek(1) != '\0') ++m_at;
        ++m_at;
    }
    if (m_at == m_end) fail("a string is not closed");
    return {begin, static_cast<std::size_t>(m_at++ - begin)};
}

std::string_view Cursor::block() {
    expect('{');
    const std::uint32_t firstLine = m_line;
    const char* begin = m_at;
    for (std::size_t depth = 1; m_at != m_end;) {
        const char c = *m_at;
        if (c == '\n') ++m_line;
        if (classOf(c) != kStructure) {
            ++m_at;
        } else if (c == '"') {
            quoted();
        } else if (c == '/') {
            const char* here = m_at;
            skipSpace();
            if (m_at == here) ++m_at;
        } else {
            ++m_at;
            if (c == '{')
                ++depth;
            else if (--depth == 0)
                return {begin, static_cast<std::size_t>(m_at - 1 - begin)};
        }
    }
    throw ParseFailure{firstLine, "a '{' is not closed"};
}

void Cursor::skipPast(char c) {
    while (m_at != m_end && *m_at != c) {
        m_line += *m_at == '\n';
        ++m_at;
    }
    expect(c);
}

} // namespace dormer::emulator::ptx
