// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dormer::emulator::ptx {

/// Thrown inside the parser only; parseModule and LazyModule turn it into an Error.
struct ParseFailure {
    std::uint32_t line = 0;
    std::string message;
};

/// Where the parser is in the text. Everything but `tight…` skips white space and comments first.
class Cursor {
public:
    /// `line`: number of the text's first line.
    explicit Cursor(std::string_view text, std::uint32_t line = 1)
        : m_at(text.data()), m_end(text.data() + text.size()), m_line(line) {}

    void skipSpace();
    [[nodiscard]] bool atEnd() {
        skipSpace();
        return m_at == m_end;
    }
    /// The next character; 0 at the end.
    [[nodiscard]] char peek() {
        skipSpace();
        return m_at != m_end ? *m_at : '\0';
    }
    /// The character right here, or `ahead` of here, white space or not.
    [[nodiscard]] char tightPeek(std::size_t ahead = 0) const {
        return static_cast<std::size_t>(m_end - m_at) > ahead ? m_at[ahead] : '\0';
    }
    bool accept(char c) {
        if (peek() != c || m_at == m_end) return false;
        ++m_at;
        return true;
    }
    void advance() { ++m_at; } ///< past a character that was peeked
    void expect(char c);

    /// An identifier: letters, digits, _, $ and %; empty when something else comes.
    [[nodiscard]] std::string_view word();
    [[nodiscard]] std::string_view tightWord();
    /// Like word(), but something else is a failure that names `what` was expected.
    std::string_view name(const char* what);
    /// "reg" of ".reg"; empty when no dot comes.
    [[nodiscard]] std::string_view directive();
    /// What stands right here behind the dots of an opcode: letters, digits, _ and "::".
    [[nodiscard]] std::string_view tightModifier();
    /// The text between double quotes.
    std::string_view quoted();
    /// From a `{` to behind its `}`; the text between them.
    std::string_view block();
    /// Up to, and behind, the next `c`.
    void skipPast(char c);

    [[nodiscard]] std::uint32_t line() const { return m_line; }
    /// The rest, for scanning numbers; `advanceTo` goes to a place in it.
    [[nodiscard]] std::string_view rest() const { return {m_at, static_cast<std::size_t>(m_end - m_at)}; }
    void advanceTo(const char* place) { m_at = place; }

    [[noreturn]] void fail(std::string message) const;
    /// Fails with what stands here.
    [[noreturn]] void failUnexpected(const char* expected);

private:
    const char* m_at;
    const char* m_end;
    std::uint32_t m_line;
};

[[nodiscard]] bool isWordCharacter(char c);

} // namespace dormer::emulator::ptx
